/* What the page's search finds in databases. */
(() => {
  /** @param {string} text */
  const find = async (text) => {
    /** @type {Hit[]} */
    const found = [];
    for (const browser of exhibit.browsers.values()) {
      if (browser.number.endsWith("-before")) continue;
      await browser.open();
      // Only the report in one file has such a part.
      const test = browser.element.closest(".single > .part")?.querySelector("h1")?.textContent?.trim();
      for (const table of browser.database?.tables ?? []) {
        if (table.kind === "shadow") continue;
        for (const row of await browser.matching(table, text, 5)) {
          const column = exhibit.columnWith(table, row, text);
          const at = Math.max(0, column);
          const name = `${table.name} ${databases.rowName(table, row)}`;
          found.push({
            title: cells.text(row[at], table.columns[at]).slice(0, 120),
            where: [test, name, table.columns[column]?.name].filter(Boolean).join(" · "),
            href: browser.grid.link?.(table, row, table.columns[column]?.name) ?? "",
          });
          if (found.length >= 20) return found;
        }
      }
    }
    return found;
  };

  /** The database in the address, or the first in sight. */
  const current = () => exhibit.browsers.get(exhibit.place.get().db)
    ?? [...exhibit.browsers.values()].find(({ element, database }) => database && element.checkVisibility());

  if (!exhibit.browsers.size) return;
  const isSingle = document.body.classList.contains("single");
  exhibit.search?.providers.push({ title: isSingle ? "In the databases" : "In this page’s databases", find });
  exhibit.keys.add("c", "only changed rows", () => current()?.toggleChanged());
})();
