/* What stands around the grid of a database: the list of tables, the filter, the buttons and the panel of a cell. */
(() => {
  exhibit.browserParts = (browser) => {
    const { element, database } = browser;
    const button = (words, action) => {
      const made = exhibit.element("button", "toggle", words);
      made.type = "button";
      made.setAttribute("aria-pressed", "false");
      made.addEventListener("click", action);
      return made;
    };

    const input = exhibit.element("input");
    input.type = "search";
    input.placeholder = "Filter: total<0, status:paid, note:null, text";
    input.setAttribute("aria-label", "Filter rows");
    input.autocomplete = "off";
    input.spellcheck = false;
    let waiting = false;
    input.addEventListener("input", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; browser.filterChanged(); });
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") {
        event.preventDefault();
        browser.grid.element.focus();
        browser.grid.go(0, browser.grid.active.column);
      }
    });

    const changed = button("Only changed rows", () => browser.toggleChanged());
    const everywhere = button("Find in all tables", () => browser.toggleEverywhere());
    const status = exhibit.element("output", "status");

    // Behind the filter, so that Tab leads to what may be meant.
    const mistake = exhibit.element("p", "mistake");
    mistake.id = `mistake-${browser.number}`;
    mistake.setAttribute("role", "alert");
    mistake.hidden = true;

    const panel = new exhibit.CellPanel(() => browser.grid.element.focus({ preventScroll: true }));
    const grid = new exhibit.Grid({
      open: async (row, column, takesFocus) => {
        browser.note({ row: exhibit.databases.rowName(grid.table, row), column: grid.table.columns[column].name });
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
    Object.assign(browser, { input, status, panel, grid });

    // ---- The list of tables; where it is narrow, a menu ----

    const label = (table) => {
      const marks = browser.marksOf(table);
      const deltas = marks ? [["+", marks.added], ["~", marks.changed], ["−", marks.removed]]
        .filter(([, count]) => count > 0).map(([sign, count]) => `${sign}${count.toLocaleString("en")}`) : [];
      return { count: table.rowCount === null ? "?" : table.rowCount.toLocaleString("en"), deltas };
    };

    const list = exhibit.element("ul", "table-list");
    list.setAttribute("aria-label", "Tables");
    const menu = exhibit.element("select", "table-menu");
    menu.setAttribute("aria-label", "Table");
    const entries = new Map();
    const isOwn = exhibit.isOwnTable;
    const ordered = [...database.tables.filter(isOwn), ...database.tables.filter((table) => !isOwn(table))];
    for (const table of ordered) {
      const { count, deltas } = label(table);
      const hit = exhibit.element("span", "hit");
      const choose = exhibit.element("button", isOwn(table) ? "" : "housekeeping",
        exhibit.element("bdi", "name", exhibit.visible(table.name.slice(0, 200))), exhibit.element("span", "delta", deltas.join(" ")), hit,
        exhibit.element("span", "rows-here", count));
      choose.type = "button";
      choose.title = exhibit.visible(table.name.slice(0, 200));
      choose.addEventListener("click", () => browser.chooseTable(table));
      list.append(exhibit.element("li", "", choose));
      const option = exhibit.element("option", "", `${exhibit.visible(table.name.slice(0, 100))} · ${count}${deltas.length ? ` (${deltas.join(" ")})` : ""}`);
      option.value = String(table.index);
      menu.append(option);
      entries.set(table, { choose, hit });
    }
    menu.addEventListener("change", () => browser.chooseTable(database.tables[Number(menu.value)]));

    browser.parts = {
      markTable() {
        for (const [table, { choose }] of entries) choose.setAttribute("aria-current", String(table === browser.table));
        menu.value = String(browser.table.index);
      },
      markChanged(count) {
        // What hides all rows can be taken back.
        changed.hidden = count === 0 && !browser.changedOnly;
        changed.setAttribute("aria-pressed", String(browser.changedOnly));
      },
      /** Says beside the filter what is wrong with it, and offers what may be meant. */
      markMistakes(mistakes) {
        input.setAttribute("aria-invalid", String(mistakes.length > 0));
        if (mistakes.length) input.setAttribute("aria-describedby", mistake.id);
        else input.removeAttribute("aria-describedby");
        mistake.hidden = !mistakes.length;
        const parts = mistakes.slice(0, 3).flatMap(({ wrong, instead }) => [`${exhibit.visible(wrong.slice(0, 300))} `,
          ...instead.flatMap(({ words, filter }, index) => [index ? " " : "Did you mean ", exhibit.button("instead", exhibit.visible(words), () => {
            input.value = filter;
            browser.filterChanged();
            input.focus({ preventScroll: true });
          })]), instead.length ? "? " : ""]);
        mistake.replaceChildren(...parts);
      },
      markHits() {
        everywhere.setAttribute("aria-pressed", String(browser.hits !== null));
        for (const [table, { choose, hit }] of entries) {
          const hits = browser.hits?.get(table) ?? null;
          hit.textContent = hits === null ? "" : hits.toLocaleString("en");
          hit.title = hits === null ? "" : `${exhibit.counted(hits, "row")} with it`;
          choose.classList.toggle("without", hits === 0);
        }
      },
    };

    const bar = exhibit.element("div", "browser-bar", menu,
      exhibit.element("div", "filter-box", input, mistake), changed, everywhere, status);
    const heading = exhibit.element("h4", "", exhibit.counted(database.tables.length, "table"));
    if (browser.marks) heading.append(" ", exhibit.element("small", "remark", `+ − ~ what the test changed ${browser.marks.since}`));
    const shown = exhibit.element("div", "browser-shown", grid.element, grid.note);
    element.replaceChildren(heading, bar, exhibit.element("div", "browser-body", list, shown));
    // Not in it: what is fixed in an element that others are laid out by would be fixed to that.
    element.after(panel.element);
  };
})();
