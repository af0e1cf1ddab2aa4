/* What stands around a grid. */
const browserParts = (/** @type {Browser} */ browser) => {
  const { database } = browser;
  const { element, visible, grouped } = exhibit;
  /** @type {(words: string, action: () => void) => HTMLElement} */
  const toggle = (words, action) => exhibit.button("toggle", words, action, { "aria-pressed": "false" });

  const input = element("input", {
    type: "search", placeholder: "Filter: total<0, status:paid, note:null, text", "aria-label": "Filter rows",
    autocomplete: "off", spellcheck: "false",
    input: exhibit.framed(() => browser.filterChanged()),
    keydown: (event) => {
      if (event.key !== "ArrowDown" && event.key !== "Enter") return;
      event.preventDefault();
      grid.element.focus();
      grid.go(0, grid.active.column);
    },
  });
  const changed = toggle("Only changed rows", () => browser.toggleChanged());
  const everywhere = toggle("Find in all tables", () => browser.toggleEverywhere());
  const save = csv.button(() => browser.saveCSV());
  save.classList.add("toggle");
  const status = element("output", "status");
  // Behind the filter, so that Tab leads to it.
  const mistake = element("p", { class: "mistake", id: `mistake-${browser.number}`, role: "alert", hidden: true });

  const panel = new CellPanel(() => grid.element.focus({ preventScroll: true }));
  const grid = new Grid({
    open: async (row, column, takesFocus) => {
      browser.note({ row: databases.rowName(grid.table, row), column: grid.table.columns[column].name });
      const shown = panel.show(grid, row, column);
      if (takesFocus) panel.focus();
      await shown;
    },
    choose: (row, column) => {
      if (!panel.element.hidden) panel.show(grid, row, column);
    },
    sort: (column, direction) => {
      browser.note({ sort: direction ? `${direction < 0 ? "-" : ""}${grid.table.columns[column].name}` : "" });
      browser.beside?.follow();
    },
  });

  const list = element("ul", { class: "table-list", "aria-label": "Tables" });
  /** @type {HTMLSelectElement} */
  const menu = element("select", {
    class: "table-menu", "aria-label": "Table", change: () => browser.chooseTable(database.tables[Number(menu.value)]),
  });
  const own = database.tables.filter(exhibit.isOwnTable);
  // First those that the test used.
  const entries = [...new Set([...browser.used, ...own, ...database.tables])].map((table) => {
    const { added = 0, changed = 0, removed = 0 } = browser.marksOf(table) ?? {};
    const deltas = Object.entries({ "+": added, "~": changed, "−": removed })
      .filter(([, count]) => count > 0).map(([sign, count]) => sign + grouped(count)).join(" ");
    const count = typeof table.rowCount === "number" ? grouped(table.rowCount) : "?";
    const hit = element("span", "hit");
    const name = exhibit.set(exhibit.bdi(table.name, 200), { class: "name" });
    const choose = exhibit.button(own.includes(table) ? "" : "housekeeping", name, () => browser.chooseTable(table));
    choose.title = name.textContent ?? "";
    choose.append(element("span", "delta", deltas), hit, element("span", "rows-here", count));
    const item = element("li", "", choose);
    list.append(item);
    const words = `${visible(table.name.slice(0, 100))} · ${count}${deltas && ` (${deltas})`}`;
    menu.append(new Option(words, String(table.index)));
    return { table, choose, hit, element: item, name: table.name };
  });
  exhibit.roving(list, "button");
  const names = exhibit.tableFilter(entries);

  const parts = {
    markTable() {
      for (const { table, choose } of entries) choose.setAttribute("aria-current", String(table === browser.table));
      menu.value = String(browser.table?.index);
    },
    /** @param {number} count */
    markChanged(count) {
      exhibit.set(changed, { hidden: count === 0 && !browser.changedOnly, "aria-pressed": String(browser.changedOnly) });
    },
    /** @param {FilterMistake[]} mistakes */
    markMistakes(mistakes) {
      const isWrong = mistakes.length > 0;
      exhibit.set(input, { "aria-invalid": String(isWrong), "aria-describedby": isWrong ? mistake.id : null });
      mistake.hidden = !isWrong;
      /** @param {string} filter */
      const take = (filter) => {
        input.value = filter;
        browser.filterChanged();
        input.focus({ preventScroll: true });
      };
      mistake.replaceChildren(...mistakes.slice(0, 3).flatMap(({ wrong, instead }) => [`${visible(wrong.slice(0, 300))} `,
        ...instead.flatMap(({ words, filter }, index) =>
          [index ? " " : "Did you mean ", exhibit.button("instead", visible(words), () => take(filter))]),
        instead.length ? "? " : ""]));
    },
    markHits() {
      everywhere.setAttribute("aria-pressed", String(browser.hits !== null));
      for (const { table, choose, hit } of entries) {
        const hits = browser.hits?.get(table) ?? null;
        hit.textContent = hits === null ? "" : grouped(hits);
        hit.title = hits === null ? "" : `${exhibit.counted(hits, "row")} with it`;
        choose.classList.toggle("without", hits === 0);
      }
    },
  };
  Object.assign(browser, { input, status, panel, grid, parts });

  const bar = element("div", "browser-bar", menu, element("div", "filter-box", input, mistake), changed, everywhere, save, status);
  const heading = element("h4", "", exhibit.counted(database.tables.length, "table"));
  if (browser.marks) heading.append(" ", element("small", "remark", `+ − ~ what the test changed ${browser.marks.since}`));
  const shown = element("div", "browser-shown", grid.element, grid.note);
  browser.element.replaceChildren(heading, bar, element("div", "browser-body", element("div", "table-names", ...names ? [names] : [], list), shown));
  // Inside of the element, it would be fixed to that.
  browser.element.after(panel.element);
  return parts;
};
