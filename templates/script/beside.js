/* Two states of a table side by side, row by row. */
const Beside = (() => {
  /** @param {Browser} browser */
  const others = (browser) => {
    /** @type {BesideChoice[]} */
    const found = [];
    const { baseline } = browser.element.dataset;
    /** @type {(id: string) => BesideChoice["rows"]} */
    const rowsOf = (id) => async (table) => {
      const database = await databases.get(id, browser.base);
      const other = database.table(table.name);
      if (!other) return null;
      const rows = laidOut(table, other, await database.rows(other));
      // Rows that are not here would look new.
      if (other.problem) throw new Error(`what stands beside it is not whole, ${other.problem.replace(/\.$/, "")}`);
      return rows;
    };
    if (baseline) found.push({ words: "before the test", age: "older", rows: rowsOf(baseline) });
    const around = browser.element.closest(".part, main") ?? document;
    for (const other of exhibit.browsers.values()) {
      if (other === browser || other.id === baseline || !around.contains(other.element)) continue;
      const { heading, isUncommitted } = evidenceOf(other);
      found.push({ words: `${heading}${isUncommitted ? ", uncommitted" : ""}`.slice(0, 60), age: ageOf(other, browser), rows: rowsOf(other.id) });
    }
    if (browser.time) found.push({ words: "as captured", age: "newer", rows: (table) => browser.database.rows(table) });
    return found;
  };

  /** @param {Browser} browser */
  const evidenceOf = (browser) => {
    const article = browser.element.closest(".evidence");
    return {
      heading: article?.querySelector("h3")?.textContent?.trim() ?? "",
      isUncommitted: Boolean(article?.querySelector("header .label.warning.uncommitted")),
    };
  };

  /** Of two states of one database, uncommitted rows are newer; else the page has the older one first.
      @type {(other: Browser, own: Browser) => BesideChoice["age"]} */
  const ageOf = (other, own) => {
    const [theirs, mine] = [evidenceOf(other), evidenceOf(own)];
    if (theirs.heading !== mine.heading) return undefined;
    if (theirs.isUncommitted !== mine.isUncommitted) return theirs.isUncommitted ? "newer" : "older";
    const isBehind = own.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING;
    return isBehind ? "newer" : "older";
  };

  /** What a row is called that only one of two states has: the newer one removed what it lacks.
      @type {Record<"left" | "right", (age: BesideChoice["age"]) => Mark["kind"]>} */
  const alone = {
    left: (age) => (age === "newer" ? "removed" : "added"),
    right: (age) => (age === "older" ? "removed" : "added"),
  };

  /** @type {(table: Table, other: Table, rows: Row[]) => Row[]} */
  const laidOut = (table, other, rows) => {
    const columns = table.columns.map((column) => databases.column(other, column.name));
    if (columns.every((column, index) => column === index) && other.columns.length === table.columns.length) return rows;
    return rows.map((row) => columns.map((column) => (column < 0 ? ["?"] : row[column])));
  };

  class Beside {
    grid = new Grid({ open: (row, column) => { this.browser.panel.show(this.grid, row, column); } });
    title = exhibit.element("p", { class: "beside-title", hidden: true });
    /** The table; while it stays, so does the reader's place.
        @type {Table | null} */
    of = null;
    table = this.grid.table;
    /** The right row by the left one.
        @type {Map<Row, Row> | null} */
    partner = null;
    /** @type {Marks} */
    rightMarks = new Map();

    /** @param {Browser} browser @param {BesideChoice[]} choices */
    constructor(browser, choices) {
      this.browser = browser;
      this.choices = choices;
      this.menu = exhibit.element("select", { class: "beside-menu", "aria-label": "Show beside it", change: () => this.choose() },
        new Option("Compare with …"), ...choices.map(({ words }) => new Option(words)));
      // The left side has the order of both.
      this.grid.columns.sortNext = (place) => browser.grid.columns.sortNext(place);
      this.element = exhibit.element("div", { class: "beside", hidden: true }, this.grid.element, this.grid.note);
      const [left, right] = [browser.grid.element, this.grid.element];
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
      if (this.browser.table) await this.browser.showTable(this.browser.table);
    }

    /** Rows that the step deleted are left out.
        @param {Table} table
        @param {Told} told
        @returns {Promise<Told>} the left side */
    async pair(table, told) {
      const other = await this.chosen.rows(table);
      const place = this.browser.time?.step ? `after step ${this.browser.time.step.number}` : "as captured";
      this.title.replaceChildren(`Left: ${place}. Right: ${this.chosen.words}.`);
      const own = told.rows.filter((row) => told.marks.get(row)?.kind !== "removed");
      if (other === null) {
        this.showNothing("There is no such table.");
        return { ...told, rows: own, marks: new Map() };
      }
      /** @type {Marks} */
      const left = new Map();
      this.partner = new Map();
      this.rightMarks = new Map();
      for (const [one, two] of paired(table, own, other)) {
        const [mine, theirs] = [one ?? blank(table), two ?? blank(table)];
        this.partner.set(mine, theirs);
        const differing = one && two ? one.flatMap((value, column) => (exhibit.same(value, two[column]) ? [] : [column])) : [];
        if (one && two && !differing.length) continue;
        const [leftMark, rightMark] = marksOf(one, two, differing, this.chosen.age);
        left.set(mine, leftMark);
        this.rightMarks.set(theirs, rightMark);
      }
      if (this.of !== table) Object.assign(this, { of: table, table: { ...table, foreignKeys: [] } });
      return { rows: [...this.partner.keys()], marks: left, note: told.note };
    }

    /** @param {string} note */
    showNothing(note) {
      Object.assign(this, { of: null, partner: null });
      this.grid.element.hidden = true;
      this.grid.note.textContent = note;
      this.grid.note.hidden = !note;
    }

    follow() {
      const { chosen, partner, table, rightMarks: marks } = this;
      const { rows, order, element } = this.browser.grid;
      if (!chosen || !partner) return;
      this.grid.element.hidden = false;
      this.grid.show({ table, rows: rows.map((row) => partner.get(row) ?? row), marks, order });
      this.grid.element.scrollTop = element.scrollTop;
    }
  }

  /** Former values stand beside newer ones.
      @type {(one: Row | null, two: Row | null, differing: number[], age: BesideChoice["age"]) => [left: Mark, right: Mark]} */
  const marksOf = (one, two, differing, age) => {
    if (!one) return [{ kind: "absent" }, { kind: alone.right(age) }];
    if (!two) return [{ kind: alone.left(age) }, { kind: "absent" }];
    /** @param {Row} former */
    const before = (former) => new Map(differing.map((column) => [column, former[column]]));
    return age === "newer"
      ? [{ kind: "changed" }, { kind: "changed", before: before(one) }]
      : [{ kind: "changed", before: before(two) }, { kind: "changed" }];
  };

  /** @param {Table} table */
  const blank = (table) => table.columns.map(() => null);

  /** Pairs rows of one key, else equal rows.
      @type {(table: Table, own: Row[], other: Row[]) => [Row | null, Row | null][]} */
  const paired = (table, own, other) => {
    /** @param {Row} row */
    const name = (row) => table.key.length ? databases.rowName(table, row) : JSON.stringify(row);
    const places = exhibit.byName(other, name);
    /** @type {[Row | null, Row | null][]} */
    const pairs = own.map((row) => [row, places.get(name(row))?.shift() ?? null]);
    const rest = [...places.values()].flat();
    if (!rest.length) return pairs;
    const order = exhibit.keyOrder(table);
    for (const row of rest) pairs.push([null, row]);
    return pairs.sort((one, two) => order(one[0] ?? one[1] ?? [], two[0] ?? two[1] ?? []));
  };

  exhibit.addBeside = (browser) => {
    const choices = browser.number.endsWith("-before") ? [] : others(browser);
    if (!choices.length) return;
    const beside = browser.beside = new Beside(browser, choices);
    browser.status.before(beside.menu);
    const sides = exhibit.element("div", "sides");
    browser.grid.element.replaceWith(beside.title, sides);
    sides.append(browser.grid.element, beside.element);
  };

  return Beside;
})();
