/* What the page's search and its keys ask of the databases. */
(() => {
  /** In the one file, whose database it is. */
  const test = ({ element }) => element.closest(".single > .part")?.querySelector("h1").textContent.trim();

  const find = async (text) => {
    const found = [];
    for (const browser of exhibit.browsers.values()) {
      // What a test started from is looked at for itself.
      if (browser.number.endsWith("-before")) continue;
      await browser.open();
      for (const table of browser.database?.tables ?? []) {
        if (table.kind === "shadow") continue;
        for (const row of await browser.matching(table, text, 5)) {
          const name = exhibit.databases.rowName(table, row);
          const holds = exhibit.rowFilter(text, table.columns).matches;
          // None where it stands in the name of a row that a foreign key leads to.
          const column = row.findIndex((value, index) => holds(row.map((each, at) => at === index ? each : null)));
          found.push({
            title: exhibit.cell.text(row[Math.max(0, column)], table.columns[Math.max(0, column)]).slice(0, 120),
            where: [test(browser), `${table.name} ${name}`, table.columns[column]?.name].filter(Boolean).join(" · "),
            href: browser.grid.link(table, row, column >= 0 ? table.columns[column].name : ""),
          });
          if (found.length >= 20) return found;
        }
      }
    }
    return found;
  };

  /** The database that the reader looks at: the one in the address, or the first in sight. */
  const current = () => exhibit.browsers.get(exhibit.place.get().db)
    ?? [...exhibit.browsers.values()].find(({ element, grid }) => grid && element.checkVisibility());

  document.addEventListener("DOMContentLoaded", () => {
    if (!exhibit.browsers.size) return;
    const isSingle = document.body.classList.contains("single");
    exhibit.search?.providers?.push({ title: isSingle ? "In the databases" : "In this page’s databases", find });
    const toggle = () => current()?.toggleChanged?.();
    if (exhibit.keys?.add) return exhibit.keys.add("c", "only changed rows", toggle);
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.closest?.("input, select, textarea, dialog");
      if (event.key === "c" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
    });
  });
})();
