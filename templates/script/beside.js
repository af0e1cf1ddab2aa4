/* Two states of a table side by side, row by row: before and after, committed and not, captured and after a step. */
(() => {
  /** What can stand beside a database: by a word, a function that gives the rows of a table. */
  const others = (browser) => {
    const found = [];
    const { baseline } = browser.element.dataset;
    const rowsOf = (id) => async (table) => {
      const database = await exhibit.databases.get(id, browser.base);
      const other = database.table(table.name);
      if (!other) return null;
      const rows = laidOut(table, other, await database.rows(other));
      // Rows that are not here would look as if they were new.
      if (other.problem) throw new Error(`what stands beside it is not whole, ${other.problem.replace(/\.$/, "")}`);
      return rows;
    };
    if (baseline) found.push({ words: "before the test", rows: rowsOf(baseline) });
    const around = browser.element.closest(".part, main") ?? document;
    for (const other of exhibit.browsers.values()) {
      if (other === browser || other.id === baseline || !around.contains(other.element)) continue;
      const article = other.element.closest(".evidence");
      const heading = article?.querySelector("h3")?.textContent ?? "";
      const label = article?.querySelector("header .label.warning") ? ", uncommitted" : "";
      found.push({ words: `${heading.trim()}${label}`.slice(0, 60), rows: rowsOf(other.id) });
    }
    if (browser.time) found.push({ words: "as captured", rows: (table) => browser.database.rows(table) });
    return found;
  };

  /** Rows of another database in the places of this table's columns. */
  const laidOut = (table, other, rows) => {
    const columns = table.columns.map((column) => exhibit.databases.column(other, column.name));
    if (columns.every((column, index) => column === index) && other.columns.length === table.columns.length) return rows;
    return rows.map((row) => columns.map((column) => (column < 0 ? ["?"] : row[column])));
  };

  class Beside {
    constructor(browser) {
      this.browser = browser;
      this.choices = others(browser);
      this.menu = exhibit.element("select", "beside-menu", exhibit.element("option", "", "Nothing beside"));
      this.menu.setAttribute("aria-label", "Show beside it");
      for (const { words } of this.choices) this.menu.append(exhibit.element("option", "", `Beside: ${words}`));
      this.menu.addEventListener("change", () => this.choose());
      this.grid = new exhibit.Grid({ open: (row, column) => browser.panel.show(this.grid, row, column), });
      // Rows that belong together stay beside each other: the left has the order of both.
      this.grid.sortNext = (place) => browser.grid.sortNext(place);
      this.title = exhibit.element("p", "beside-title");
      this.element = exhibit.element("div", "beside", this.grid.element, this.grid.note);
      this.element.hidden = true;
      const [left, right] = [browser.grid.element, this.grid.element];
      // Both scroll together; what the one is told by the other it does not tell back.
      for (const [from, to] of [[left, right], [right, left]]) {
        from.addEventListener("scroll", () => {
          if (this.element.hidden) return;
          if (to.scrollTop !== from.scrollTop) to.scrollTop = from.scrollTop;
          if (to.scrollLeft !== from.scrollLeft) to.scrollLeft = from.scrollLeft;
        }, { passive: true });
      }
    }

    get chosen() { return this.choices[this.menu.selectedIndex - 1] ?? null; }

    async choose() {
      this.element.hidden = this.title.hidden = !this.chosen;
      this.browser.element.classList.toggle("has-beside", Boolean(this.chosen));
      await this.browser.showTable(this.browser.table);
    }

    /**
     * Puts rows of the other state beside those that are to be shown.
     *
     * @param rows what the browser shows; rows that the step deleted are left out, as they are not there
     * @returns the rows for the left side and their marks
     */
    async pair(table, told) {
      const other = await this.chosen.rows(table);
      const place = this.browser.time?.step ? `after step ${this.browser.time.step.number}` : "as captured";
      this.title.replaceChildren(`Left: ${place}. Right: ${this.chosen.words}.`);
      const own = told.rows.filter((row) => told.marks.get(row)?.kind !== "removed");
      if (other === null) {
        this.showNothing("There is no such table.");
        return { ...told, rows: own, marks: new Map() };
      }
      const pairs = paired(table, own, other);
      const [left, right] = [new Map(), new Map()];
      const sides = { left: [], right: [] };
      for (const [one, two] of pairs) {
        const mine = one ?? blank(table);
        const theirs = two ?? blank(table);
        sides.left.push(mine);
        sides.right.push(theirs);
        if (!one) { left.set(mine, { kind: "absent" }); right.set(theirs, { kind: "removed" }); continue; }
        if (!two) { left.set(mine, { kind: "added" }); right.set(theirs, { kind: "absent" }); continue; }
        const differing = one.flatMap((value, column) => (same(value, two[column]) ? [] : [column]));
        if (!differing.length) continue;
        left.set(mine, { kind: "changed", before: new Map(differing.map((column) => [column, two[column]])) });
        right.set(theirs, { kind: "changed" });
      }
      this.partner = new Map(sides.left.map((row, index) => [row, sides.right[index]]));
      this.rightMarks = right;
      // As long as it is one table, its columns keep their widths and the reader's place.
      if (this.of !== table) Object.assign(this, { of: table, table: { ...table, foreignKeys: [] } });
      return { rows: sides.left, marks: left, note: told.note };
    }

    /** Shows nothing on the right of whatever it showed before; `note` says why. */
    showNothing(note) {
      Object.assign(this, { of: null, partner: null });
      this.grid.element.hidden = true;
      this.grid.note.textContent = note;
      this.grid.note.hidden = !note;
    }

    /** Shows on the right what the left shows, in its order. */
    follow() {
      if (!this.chosen || !this.partner) return;
      this.grid.element.hidden = false;
      this.grid.show({
        table: this.table, rows: this.browser.grid.rows.map((row) => this.partner.get(row) ?? row), marks: this.rightMarks,
        order: this.browser.grid.order,
      });
      this.grid.element.scrollTop = this.browser.grid.element.scrollTop;
    }
  }

  const blank = (table) => table.columns.map(() => null);

  const same = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

  /** Rows of one key beside each other; of tables without one, equal rows. */
  const paired = (table, own, other) => {
    const name = (row) => (table.key.length ? exhibit.databases.rowName(table, row) : JSON.stringify(row));
    const places = new Map();
    for (const row of other) {
      const list = places.get(name(row));
      if (list) list.push(row); else places.set(name(row), [row]);
    }
    const pairs = own.map((row) => [row, places.get(name(row))?.shift() ?? null]);
    const rest = [...places.values()].flat();
    if (!rest.length) return pairs;
    const column = table.key.length === 1 ? table.key[0] : -1;
    const number = (row) => (column >= 0 && typeof row?.[column] === "number" ? row[column] : Infinity);
    const all = [...pairs, ...rest.map((row) => [null, row])];
    return column < 0 ? all : all.sort((one, two) => number(one[0] ?? one[1]) - number(two[0] ?? two[1]) || 0);
  };

  /** Gives a browser of tables its second side, where there is anything to stand there. */
  exhibit.addBeside = (browser) => {
    // The state that a test started from is what stands beside others.
    if (browser.number.endsWith("-before")) return;
    const beside = new Beside(browser);
    if (!beside.choices.length) return;
    browser.beside = beside;
    browser.status.before(beside.menu);
    beside.title.hidden = true;
    const sides = exhibit.element("div", "sides");
    browser.grid.element.replaceWith(beside.title, sides);
    sides.append(browser.grid.element, beside.element);
  };
})();
