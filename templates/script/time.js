/* A slider over a test's steps. */
const DatabaseTime = (() => {
  /** @type {Map<string, Promise<Map<number, Timeline>>>} */
  const files = new Map();
  /** @type {TimelineData[] | null} */
  let taken = null;
  const { element } = exhibit;

  exhibit.addStates = (list) => { taken = list; };

  /** @type {(path: string, base: string) => Promise<Map<number, Timeline>>} */
  const read = async (path, base) => {
    taken = null;
    await exhibit.readFile(base + path);
    const all = /** @type {TimelineData[] | null} */ (taken);
    if (!all) throw new Error(`${path} is not whole`);
    try {
      return new Map(all.map((data) => new Timeline(data)).map((each) => [each.evidence, each]));
    } catch {
      throw new Error(`${path} is one of another version`);
    }
  };

  /** @param {Step | null} step */
  const words = (step) => (step ? `After step ${step.number}` : "As captured");

  class DatabaseTime {
    /** @type {Step | null} */
    step = null;
    text = element("p", "time-text");

    /** @param {Browser} browser @param {Timeline} timeline */
    constructor(browser, timeline) {
      this.browser = browser;
      this.timeline = timeline;
      this.choices = timeline.choices;
      const last = this.choices.length;
      /** @type {HTMLInputElement} */
      this.slider = element("input", {
        type: "range", min: 0, max: last, value: last, "aria-label": "Step after which the tables are shown",
        input: () => this.choose(this.choices[Number(this.slider.value)] ?? null, true),
      });
      /** @type {(sign: string, title: string, by: number) => HTMLElement} */
      const button = (sign, title, by) => exhibit.button("", sign, () => this.go(by), { title, "aria-label": title });
      this.element = element("div", { class: "time-bar", role: "group", "aria-label": "Time" },
        element("span", "time-label", "Time"), button("‹", "Step before that changed this table", -1), this.slider,
        button("›", "Next step that changed this table", 1), this.text);
      browser.overlay = (table, rows) => this.rowsAt(table, rows);
      this.say();
    }

    /** `null` is the captured state.
        @param {Step | null} step @param {boolean} isNoted */
    async choose(step, isNoted) {
      if (this.step === step) return;
      this.step = step;
      this.slider.value = String(step ? this.choices.indexOf(step) : this.choices.length);
      this.say();
      exhibit.askAt(this);
      if (!isNoted) return;
      this.browser.note({ state: step ? String(step.number) : "", row: "", column: "" });
      if (this.browser.table) await this.browser.showTable(this.browser.table);
    }

    /** @param {string} state */
    async follow(state) {
      const step = this.choices.find(({ number }) => String(number) === state) ?? null;
      await this.choose(step, false);
      if (state && !step) this.text.append(` There is no step ${state} in this database.`);
    }

    say() {
      const { step, browser } = this;
      this.text.replaceChildren(element("strong", "", words(step)));
      if (step) {
        const code = element("code", "", element("bdi", "", step.text));
        const anchor = stepElement(browser, step.number);
        this.text.append(" ", anchor ? exhibit.link(`#${anchor.id}`, code) : code);
      }
      browser.element.classList.toggle("earlier", Boolean(step));
      this.slider.setAttribute("aria-valuetext", `${words(step)}${step ? `: ${step.text}` : ""}`);
    }

    /** To another step that changed this table.
        @param {number} by */
    go(by) {
      const { told } = this.toldOf(this.browser.table);
      const writes = new Set((told?.events ?? []).map(({ span }) => span.born));
      const stops = this.choices.filter(({ number }) => writes.has(number));
      const at = this.step?.number ?? Infinity;
      const next = by < 0 ? stops.findLast(({ number }) => number < at) : stops.find(({ number }) => number > at);
      if (next || by > 0) this.choose(next ?? null, true);
    }

    /** @param {Table | undefined} table */
    toldOf(table) {
      const { tables } = this.timeline;
      const folded = table?.name.toLowerCase();
      const name = table && tables.has(table.name) ? table.name : [...tables.keys()].find((name) => name.toLowerCase() === folded);
      return { name: name ?? "", told: tables.get(name ?? "") };
    }

    /** @param {Table} table @param {StateTable} told @param {Row} row */
    keyOf(table, told, row) {
      if (!told.hasRowid) return exhibit.keyText(["k", ...table.key.map((column) => row[column])]);
      return table.key.length === 1 ? exhibit.keyText(row[table.key[0]]) : null;
    }

    /** @param {Table} table @param {Row[]} rows
        @returns {Told} */
    rowsAt(table, rows) {
      if (!this.step) return exhibit.markedRows(table, rows, this.browser.marksOf(table));
      const { name, told } = this.toldOf(table);
      const after = `after step ${this.step.number}`;
      /** @type {(note: string) => Told} */
      const nothing = (note) => ({ rows: [], marks: new Map(), note });
      if (!told) return nothing(`What was in this table ${after} is not told.`);
      const state = this.timeline.state(name, this.step.number);
      if (state.bound) return nothing(`What was in this table ${after} is not told. ${state.bound}`);
      if (!state.exists) return nothing(`There was no such table ${after}.`);
      const columns = told.columns.map((column) => databases.column(table, column));
      /** @param {Row} row */
      const keyed = (row) => this.keyOf(table, told, row);
      const isUntold = rows.length && state.rows.size && keyed(rows[0]) === null;
      if (isUntold) return nothing("Nothing tells the rows of this table from each other here.");
      /** @type {(key: string, values: Row) => Row} */
      const laidOut = (key, values) => exhibit.laidOutRow(table, columns, told.hasRowid ? JSON.parse(key) : null, values);
      const own = [...state.rows].flatMap(([key, row]) => row ? [laidOut(key, row)] : []);
      const kept = state.holdsCaptured ? rows.filter((row) => !state.rows.has(keyed(row) ?? "")) : [];
      const changed = this.timeline.changed(name, this.step.number);
      return this.marked(table, exhibit.mergedRows(table, kept, own), changed, { columns, keyed, laidOut });
    }

    /** @param {Table} table @param {Row[]} rows
        @param {ReturnType<Timeline["changed"]>} changed
        @param {{ columns: number[], keyed: (row: Row) => string | null, laidOut: (key: string, values: Row) => Row }} told
        @returns {Told} */
    marked(table, rows, changed, { columns, keyed, laidOut }) {
      /** @type {Marks} */
      const marks = new Map();
      if (!changed.size) return { rows, marks };
      const places = new Map(rows.map((row) => [keyed(row), row]));
      /** @type {Row[]} */
      const removed = [];
      for (const [key, { old, row: left }] of changed) {
        const row = places.get(key);
        if (!row && left === null && old) removed.push(laidOut(key, old));
        if (!row || left === null) continue;
        const before = new Map((old ?? []).map((value, index) => [columns[index], value]));
        for (const [column, value] of before) if (column < 0 || exhibit.same(row[column], value)) before.delete(column);
        marks.set(row, { kind: old ? "changed" : "added", before });
      }
      for (const row of removed) marks.set(row, { kind: "removed" });
      return { rows: exhibit.mergedRows(table, rows, removed), marks };
    }

    /** Newest first.
        @param {Table} table @param {Row} row */
    past(table, row) {
      const { name, told } = this.toldOf(table);
      const key = told ? this.keyOf(table, told, row) : null;
      if (!told || key === null) return null;
      const { entries, origin } = this.timeline.past(name, JSON.parse(key), this.step?.number ?? null, true);
      const list = element("ol", "past", ...entries.map((entry) => this.entry(table, told, row, entry)));
      const section = element("div", "row-past", element("h6", "", "The row’s past"), list);
      if (origin && entries[entries.length - 1]?.kind !== "inserted") section.append(element("p", "remark", origin));
      return section;
    }

    /** @param {Table} table @param {StateTable} told @param {Row} row @param {PastEntry} entry */
    entry(table, told, row, { step, kind, old, values, depth }) {
      const href = exhibit.place.link({
        db: this.browser.number, state: String(step), table: table.name, row: databases.rowName(table, row),
      });
      const verb = { inserted: "inserted it", updated: "changed", deleted: "deleted it", replaced: "replaced it" }[kind];
      const item = element("li", "", exhibit.link(href, `Step ${step}`), ` ${verb}${depth ? " by a trigger or foreign key" : ""}`);
      const changes = kind === "updated" && values ? values.flatMap((value, index) => {
        const former = old?.[index] ?? null;
        if (exhibit.same(value, former)) return [];
        const column = table.columns[databases.column(table, told.columns[index])];
        const title = exhibit.bdi(column?.name ?? told.columns[index] ?? "");
        return [[title, " ", shortly("del", former, column), " → ", shortly("ins", value, column)]];
      }) : [];
      item.append(...changes.flatMap((change, index) => [index ? ", " : " ", ...change]));
      return item;
    }
  }

  /** @type {(name: "del" | "ins", value: Value, column: Column | undefined) => HTMLElement} */
  const shortly = (name, value, column) => element(name, "", exhibit.bdi(cells.text(value, column), 80));

  /** From a step to its query.
      @type {(browser: Browser, step: Step, place: HTMLElement) => void} */
  const askAgain = (browser, step, place) => {
    const sql = (place.querySelector("details.sql pre code") ?? place.querySelector(".did .statement code"))?.textContent ?? "";
    const isWhole = /^\s*(SELECT|WITH|VALUES|EXPLAIN)\b/i.test(sql) && !sql.endsWith("…");
    if (isWhole) lead(browser, step, place, "Run it again on what it saw", { sql });
  };

  /** @type {(browser: Browser, step: Step, place: HTMLElement, words: string, rest: Partial<Place>) => void} */
  const lead = (browser, step, place, words, rest) => {
    const href = exhibit.place.link({ db: browser.number, state: String(step.number), ...rest });
    place.append(element("p", "rows-after", exhibit.link(href, words)));
  };

  /** In the one file names begin with their part's.
      @type {(browser: Browser, number: number) => HTMLElement | null} */
  const stepElement = (browser, number) => {
    const part = browser.element.closest(".part")?.id;
    return document.getElementById(`${part ? `${part}-` : ""}step-${number}`);
  };

  exhibit.addTime = async (browser) => {
    const path = browser.element.dataset.states;
    if (!path) return;
    try {
      const timeline = (await exhibit.once(files, path, () => read(path, browser.base))).get(Number(browser.number));
      if (!timeline?.choices.length) return;
      browser.time = browser.grid.time = new DatabaseTime(browser, timeline);
      exhibit.one(".browser-bar", browser.element).after(browser.time.element);
      linkSteps(browser, timeline);
    } catch (error) {
      browser.problem = `Its states cannot be told: ${exhibit.reason(error)}.`;
    }
  };

  /** @type {(browser: Browser, timeline: Timeline) => void} */
  const linkSteps = (browser, timeline) => {
    const canAsk = Boolean(browser.element.closest(".evidence")?.querySelector(".sql-box"));
    for (const step of timeline.choices) {
      const place = stepElement(browser, step.number);
      if (!place || place.querySelector(":scope > .rows-after")) continue;
      // A table that is gone cannot be shown.
      const [table = ""] = step.isWrite && [...timeline.tables].find(([name, { events }]) =>
        browser.database.table(name) && events.some(({ span }) => span.born === step.number)) || [];
      if (step.isWrite) lead(browser, step, place, "The tables after this step", { table });
      else if (canAsk) askAgain(browser, step, place);
    }
  };

  return DatabaseTime;
})();
