/* The tables of a captured database, and the address of what is shown. */
const DatabaseBrowser = (() => {
  exhibit.browsers = new Map();

  const { names, prefixes } = codes.housekeeping;

  exhibit.isOwnTable = ({ kind, name }) =>
    kind !== "shadow" && !names.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix));

  const unread = /** @type {never} */ (undefined);

  class DatabaseBrowser {
    /** @type {Database} */
    database = unread;
    /** @type {HTMLInputElement} */
    input = unread;
    /** @type {HTMLElement} */
    status = unread;
    /** @type {CellPanel} */
    panel = unread;
    /** @type {Grid} */
    grid = unread;
    /** @type {ReturnType<typeof browserParts>} */
    parts = unread;
    /** @type {DatabaseMarks | null} */
    marks = null;
    /** @type {Time | undefined} */
    time;
    /** @type {Beside | undefined} */
    beside;
    /** @type {Table | undefined} */
    table;
    /** Counts of matching rows by table.
        @type {Map<Table, number | null> | null} */
    hits = null;
    /** Gives another state than the captured one.
        @type {((table: Table, rows: Row[]) => Told) | null} */
    overlay = null;
    changedOnly = false;
    problem = "";
    unreadable = "";
    /** @type {Promise<void> | undefined} */
    opened;

    /** @param {HTMLElement} element */
    constructor(element) {
      const { rows = "", evidence = "", base = "", part } = element.dataset;
      this.element = element;
      this.id = rows;
      this.evidence = evidence;
      this.base = base;
      // In the one file, several tests have a first database.
      this.number = part ? `${part}-${evidence}` : evidence;
      this.fallback = element.nextElementSibling;
    }

    open() {
      return this.opened ??= this.read().then(() => this.show(this.place())).catch((error) => {
        this.element.hidden = false;
        this.element.replaceChildren(exhibit.element("p", "problem",
          `Its rows cannot be shown whole: ${exhibit.reason(error)}. The first rows of each table follow.`));
      });
    }

    async read() {
      this.database = await databases.get(this.id, this.base);
      try {
        this.marks = await databases.marks(this.element.dataset.marks, this.evidence, this.base);
      } catch (error) {
        this.problem = `What the test changed is not marked: ${exhibit.reason(error)}.`;
      }
      browserParts(this);
      await exhibit.addTime(this);
      exhibit.addBeside(this);
      this.grid.link = (table, row, column = "", filter = "") => exhibit.place.link({
        db: this.number, state: this.place()?.state, table: table.name,
        row: row ? databases.rowName(table, row) : "", column, filter,
      });
      this.element.hidden = false;
      if (this.fallback) exhibit.set(this.fallback, { hidden: true });
    }

    /** `null` where the address is about another database. */
    place() {
      const place = exhibit.place.get();
      return place.db === this.number ? place : null;
    }

    /** @param {Place | null} place */
    async show(place) {
      const table = place?.table ? this.database.table(place.table) : this.leadingTable();
      if (!table) return this.say(place?.table ? `There is no table ${place.table}.` : "No tables.");
      this.input.value = place?.filter ?? "";
      this.changedOnly = place?.changed === "1" && this.marksOf(table) !== null;
      await this.time?.follow(place?.state ?? "");
      await this.showTable(table);
      this.sortBy(place?.sort ?? "");
      await this.applyFilter();
      if (place?.row && this.table === table) this.reveal(table, place);
    }

    /** Next to the failure first. */
    get used() {
      const names = (this.element.dataset.used ?? "").split("\n");
      return names.flatMap((name) => this.database.tables.filter((table) => table.name === name && exhibit.isOwnTable(table)));
    }

    leadingTable() {
      const { tables } = this.database;
      const own = [...this.used, ...tables.filter(exhibit.isOwnTable)];
      return own.find((table) => this.marksOf(table)) ?? own.find(({ rowCount }) => Number(rowCount) > 0) ?? own[0] ?? tables[0];
    }

    /** @param {Table} table */
    marksOf(table) { return this.marks?.tables.get(table.name) ?? null; }

    /** @param {Table} table */
    async showTable(table) {
      this.table = table;
      this.panel.hide();
      this.parts.markTable();
      this.say("Reading …");
      this.unreadable = "";
      try {
        await this.readTable(table);
      } catch (error) {
        if (this.table !== table) return;
        this.unreadable = `Its rows cannot be shown: ${exhibit.reason(error)}.`;
        this.grid.show({ database: this.database, table, rows: [], note: this.unreadable });
        if (this.beside?.chosen) this.beside.showNothing("");
        this.say(this.unreadable);
      }
    }

    /** @param {Table} table */
    async readTable(table) {
      const { database, grid } = this;
      const rows = await database.rows(table);
      if (this.table !== table) return;
      let told = this.told(table, rows);
      if (this.beside?.chosen) told = await this.beside.pair(table, told);
      const note = [table.note, table.problem, told.note, this.problem].filter(Boolean).join(" ");
      grid.show({ database, table, rows: told.rows, marks: told.marks, note });
      this.parts.markChanged(told.marks.size);
      const filtered = this.applyFilter();
      await exhibit.readLinks(grid);
      await filtered;
      if (this.table === table && this.input.value) await this.applyFilter();
      // Before a filter is typed.
      const { all, table: shown, references } = grid;
      setTimeout(() => exhibit.tableRows(shown, all).prepare(() => grid.all === all, references), 300);
    }

    /** @param {Table} table @param {Row[]} rows */
    told(table, rows) {
      return this.overlay ? this.overlay(table, rows) : exhibit.markedRows(table, rows, this.marksOf(table));
    }

    /** @param {Table} table @param {Place} place */
    reveal(table, { row: name, column }) {
      const row = this.grid.all.find((each) => databases.rowName(table, each) === name);
      const index = table.columns.findIndex((each) => each.name === column);
      if (!row) return this.say(`Row ${name} is not ${table.note ? "among the rows that are here" : "in this table"}.`);
      if (!this.grid.reveal(row, index < 0 ? undefined : index)) this.say(`Row ${name} is hidden by the filter.`);
      if (column && index >= 0) this.panel.show(this.grid, row, index);
    }

    /** Waits until a long table is prepared. */
    async applyFilter() {
      if (this.unreadable) return this.say(this.unreadable);
      const text = this.input.value.trim();
      const { table, all } = this.grid;
      const { conditions, mistakes } = exhibit.rowFilter(text, table.columns);
      const rows = exhibit.tableRows(table, all);
      if (!rows.isReady && !rows.isSmall && conditions.some(({ column }) => column < 0)) {
        this.say("Reading …");
        await rows.prepare(() => this.grid.all === all, this.grid.references);
        if (this.grid.all !== all || this.input.value.trim() !== text) return;
      }
      this.parts.markMistakes(mistakes);
      this.grid.filter(conditions, this.changedOnly, mistakes.length ? "No row is shown, as the filter is not understood." : "");
      this.beside?.follow();
      const shown = this.grid.rows.length;
      this.say(`${shown === all.length ? "" : `${exhibit.grouped(shown)} of `}${exhibit.counted(all.length, "row")}`);
      if (this.hits) this.findEverywhere();
    }

    /** `total`, or `-total` for downwards.
        @param {string} text */
    sortBy(text) {
      const { table } = this.grid;
      const isDown = text.startsWith("-") && databases.column(table, text) < 0;
      const column = databases.column(table, isDown ? text.slice(1) : text);
      if (text && column >= 0) this.grid.sort(column, isDown ? -1 : 1);
      else if (!text && this.grid.sorted) this.grid.sort(0, 0);
    }

    /** @param {Partial<Place>} changes */
    note(changes, isStep = false) {
      const other = this.place() ? {} : { state: "", row: "", column: "", filter: "", sort: "", changed: "", sql: "" };
      this.showPart();
      exhibit.place.set({ ...other, db: this.number, table: this.table?.name ?? "", ...changes }, isStep);
    }

    /** Only in the one file, where an address of rows names no element. */
    showPart() { showPart(this.element.closest(".single > .part")); }

    filterChanged() {
      this.note({ filter: this.input.value.trim(), row: "", column: "" });
      this.applyFilter();
    }

    toggleChanged() {
      const { size } = this.grid.marks;
      if (!size && !this.changedOnly) return;
      this.changedOnly = !this.changedOnly;
      this.note({ changed: this.changedOnly ? "1" : "" });
      this.parts.markChanged(size);
      this.applyFilter();
    }

    /** @param {Table} table */
    chooseTable(table) {
      this.changedOnly = false;
      if (!this.hits) this.input.value = "";
      this.note({ table: table.name, row: "", column: "", sort: "", changed: "", filter: this.input.value.trim() }, true);
      return this.showTable(table);
    }

    async findEverywhere() {
      const text = this.input.value.trim();
      this.hits = new Map();
      for (const table of this.database.tables) {
        if (this.input.value.trim() !== text || !this.hits) return;
        this.hits.set(table, text ? (await this.matching(table, text)).length : null);
        this.parts.markHits();
      }
    }

    /** @param {Table} table @param {string} text */
    async matching(table, text, most = Infinity) {
      const rows = await this.database.rows(table);
      // As it is shown.
      const shown = this.grid.table === table && !this.unreadable ? this.grid.all : this.told(table, rows).rows;
      return exhibit.rowsWith(table, shown, text, await exhibit.shownReferences(this.database, table), most);
    }

    toggleEverywhere() {
      this.hits = this.hits ? null : new Map();
      this.parts.markHits();
      if (this.hits) this.findEverywhere();
    }

    /** Leaves out what the test removed, and what only the state beside this one has. */
    async saveCSV() {
      const { table, rows, marks } = this.grid;
      if (this.unreadable || !table.columns.length) return;
      this.say("Writing …");
      // Beside another state no row is left that the test removed.
      const left = this.beside?.chosen ? "absent" : "removed";
      const shown = rows.filter((row) => marks.get(row)?.kind !== left);
      /** @type {Generator<(SQLCell | undefined)[]>} */
      const values = (function* () {
        for (const row of shown) yield table.columns.map((column, index) => csv.plain(row[index] ?? null, column));
      })();
      const missing = [table.note, table.problem].filter(Boolean).join(" ");
      const name = this.time?.step ? `${table.name}-after-step-${this.time.step.number}` : table.name;
      const said = await csv.save(name, table.columns.map(({ name }) => name), values, missing);
      const removed = left === "removed" ? rows.length - shown.length : 0;
      if (this.grid.table === table) this.say(removed ? `${said} Without ${exhibit.counted(removed, "row")} that the test removed.` : said);
    }

    /** @param {string} text */
    say(text) { this.status.textContent = text; }
  }

  /** Reads databases when they come near. */
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      surroundings.get(target)?.open();
    }
  }, { rootMargin: "400px" });
  /** @type {Map<Element, Browser>} */
  const surroundings = new Map();
  for (const element of document.querySelectorAll(".browser[data-rows]")) {
    const browser = new DatabaseBrowser(element);
    exhibit.browsers.set(browser.number, browser);
    const folded = element.closest("details:not([open])");
    // The element is hidden until then.
    const { parentElement } = element;
    if (folded) folded.addEventListener("toggle", () => browser.open(), { once: true });
    else if (parentElement) observer.observe(parentElement);
    if (!folded && parentElement) surroundings.set(parentElement, browser);
  }

  /** @param {HTMLElement | null | undefined} part */
  const showPart = (part) => {
    for (const shown of document.querySelectorAll(".part.at-place")) shown.classList.toggle("at-place", shown === part);
    part?.classList.add("at-place");
    exhibit.list?.show();
  };

  /** @param {string} name */
  const miss = async (name) => {
    showPart(null);
    const other = [...exhibit.browsers.values()].find(({ element }) => element.parentElement?.checkVisibility());
    if (!name || !other) return;
    await other.open();
    if (other.database) other.say(`The address names database ${name.slice(0, 100)}, which is not on this page.`);
  };

  const begin = async () => {
    await Promise.all([...exhibit.browsers.values()].map((browser) => browser.database && browser.show(null)));
  };

  /** @param {Place} place */
  const follow = async (place) => {
    const browser = exhibit.browsers.get(place.db);
    if (!place.row) exhibit.hidePanel();
    if (!location.hash) return begin();
    if (!browser) return miss(place.db);
    browser.showPart();
    exhibit.unfold(browser.element);
    const isOpen = Boolean(browser.opened);
    await browser.open();
    if (!browser.database) return;
    if (isOpen) await browser.show(place);
    if (exhibit.sql.reveal?.()) return;
    exhibit.bringIntoSight(browser.element, "start");
    // On a low page the last rows are below it.
    if (place.row) browser.grid.keepInSight(innerHeight);
    if (!browser.panel.element.hidden) browser.panel.dock();
  };

  exhibit.place.listen(follow);
  follow(exhibit.place.get());
  return DatabaseBrowser;
})();
