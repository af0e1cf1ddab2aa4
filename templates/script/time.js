/* The time of a database: a slider over the steps of its test, the tables as they were after each, and the past of a row. */
(() => {
  const files = new Map();
  let taken = null;

  /** Called by data/states/PAGE.js with what tells the states of each captured database. */
  exhibit.addStates = (list) => { taken = list; };

  const read = async (path, base) => {
    taken = null;
    await exhibit.readFile(base + path);
    if (!taken) throw new Error(`${path} is not whole`);
    try {
      return new Map(taken.map((data) => new exhibit.Timeline(data)).map((each) => [each.evidence, each]));
    } catch {
      throw new Error(`${path} is one of another version`);
    }
  };

  /** The timelines of a page's databases, by the numbers of their evidence. */
  const timelines = (path, base) => {
    if (!files.has(path)) files.set(path, read(path, base));
    return files.get(path);
  };

  /** What a state is called: after a step, or as it was captured. */
  const words = (step) => (step ? `After step ${step.number}` : "As captured");

  class Time {
    constructor(browser, timeline) {
      Object.assign(this, { browser, timeline, choices: timeline.choices, step: null });
      this.slider = exhibit.element("input");
      Object.assign(this.slider, { type: "range", min: "0", max: String(this.choices.length), value: String(this.choices.length) });
      this.slider.setAttribute("aria-label", "Step after which the tables are shown");
      this.slider.addEventListener("input", () => this.choose(this.choices[Number(this.slider.value)] ?? null, true));
      this.text = exhibit.element("p", "time-text");
      const buttons = [["‹", "Step before that changed this table", -1], ["›", "Next step that changed this table", 1]]
        .map(([sign, title, by]) => {
          const button = exhibit.element("button", "", sign);
          Object.assign(button, { type: "button", title });
          button.setAttribute("aria-label", title);
          button.addEventListener("click", () => this.go(by));
          return button;
        });
      this.element = exhibit.element("div", "time-bar", exhibit.element("span", "time-label", "Time"), buttons[0], this.slider, buttons[1], this.text);
      this.element.setAttribute("role", "group");
      this.element.setAttribute("aria-label", "Time");
      browser.overlay = (table, rows) => this.rowsAt(table, rows);
      this.say();
    }

    /** Shows the tables as they were after a step; `null` for the captured ones. */
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

    /** As an address names it: a step's number, or nothing. */
    async follow(state) {
      const step = this.choices.find(({ number }) => String(number) === state) ?? null;
      await this.choose(step, false);
      if (state && !step) this.text.append(` There is no step ${state} in this database.`);
    }

    say() {
      const parts = [exhibit.element("strong", "", words(this.step))];
      if (this.step) {
        const code = exhibit.element("code", "", exhibit.element("bdi", "", this.step.text));
        const anchor = stepElement(this.browser, this.step.number);
        if (anchor) {
          const link = exhibit.element("a", "", code);
          link.href = `#${anchor.id}`;
          parts.push(" ", link);
        } else {
          parts.push(" ", code);
        }
      }
      this.text.replaceChildren(...parts);
      this.browser.element.classList.toggle("earlier", Boolean(this.step));
      this.slider.setAttribute("aria-valuetext", `${words(this.step)}${this.step ? `: ${this.step.text}` : ""}`);
    }

    /** To the next or previous step that changed the table which is shown. */
    go(by) {
      const name = this.nameOf(this.browser.table);
      const writes = new Set((this.timeline.tables.get(name)?.events ?? []).map(({ span }) => span.born));
      const stops = this.choices.filter(({ number }) => writes.has(number));
      const at = this.step?.number ?? Infinity;
      const next = by < 0 ? stops.findLast(({ number }) => number < at) : stops.find(({ number }) => number > at);
      if (next || by > 0) this.choose(next ?? null, true);
    }

    // ---- Rows ----

    nameOf(table) {
      if (this.timeline.tables.has(table.name)) return table.name;
      const folded = table.name.toLowerCase();
      return [...this.timeline.tables.keys()].find((name) => name.toLowerCase() === folded) ?? table.name;
    }

    keyOf(table, told, row) {
      if (!told.hasRowid) return exhibit.keyText(["k", ...table.key.map((column) => row[column])]);
      return table.key.length === 1 ? exhibit.keyText(row[table.key[0]]) : null;
    }

    /** What the grid shows of a table in the chosen state. */
    rowsAt(table, rows) {
      if (!this.step) return exhibit.markedRows(table, rows, this.browser.marksOf(table));
      const name = this.nameOf(table);
      const told = this.timeline.tables.get(name);
      const nothing = (note) => ({ rows: [], marks: new Map(), note });
      const after = `after step ${this.step.number}`;
      if (!told) return nothing(`What was in this table ${after} is not told.`);
      const state = this.timeline.state(name, this.step.number);
      if (state.bound) return nothing(`What was in this table ${after} is not told. ${state.bound}`);
      if (!state.exists) return nothing(`There was no such table ${after}.`);
      const columns = told.columns.map((column) => exhibit.databases.column(table, column));
      const keyed = (row) => this.keyOf(table, told, row);
      if (rows.length && state.rows.size && keyed(rows[0]) === null) return nothing("Nothing tells the rows of this table from each other here.");
      const own = [...state.rows].filter(([, row]) => row).map(([key, row]) => this.laidOut(table, columns, told, key, row));
      const kept = state.holdsCaptured ? rows.filter((row) => !state.rows.has(keyed(row))) : [];
      return this.marked(table, told, columns, exhibit.mergedRows(table, kept, own), name);
    }

    /** A row of the story as the table lays its rows out. */
    laidOut(table, columns, told, key, values) {
      return exhibit.laidOutRow(table, columns, told.hasRowid ? JSON.parse(key) : null, values);
    }

    /** The rows that the step itself changed, marked; those that it deleted in their places. */
    marked(table, told, columns, rows, name) {
      const changed = this.timeline.changed(name, this.step.number);
      const marks = new Map();
      const removed = [];
      if (!changed.size) return { rows, marks };
      const places = new Map(rows.map((row) => [this.keyOf(table, told, row), row]));
      for (const [key, { old, row: left }] of changed) {
        const row = places.get(key);
        if (left === null) {
          if (!row && old) removed.push(this.laidOut(table, columns, told, key, old));
          continue;
        }
        if (!row) continue;
        const before = new Map();
        old?.forEach((value, index) => {
          const column = columns[index];
          if (column >= 0 && JSON.stringify(row[column]) !== JSON.stringify(value)) before.set(column, value);
        });
        marks.set(row, { kind: old ? "changed" : "added", before });
      }
      for (const row of removed) marks.set(row, { kind: "removed" });
      return { rows: exhibit.mergedRows(table, rows, removed), marks };
    }

    // ---- The past of a row ----

    /** The steps that wrote a row, newest first, back to where it came from; nothing where it has none. */
    past(table, row) {
      const name = this.nameOf(table);
      const told = this.timeline.tables.get(name);
      const key = told ? this.keyOf(table, told, row) : null;
      if (key === null) return null;
      const { entries, origin } = this.timeline.past(name, JSON.parse(key), this.step?.number ?? null, true);
      const list = exhibit.element("ol", "past");
      for (const entry of entries) list.append(this.entry(table, told, row, entry));
      const section = exhibit.element("div", "row-past", exhibit.element("h6", "", "The row’s past"), list);
      if (origin && entries.at(-1)?.kind !== "inserted") section.append(exhibit.element("p", "remark", origin));
      return section;
    }

    entry(table, told, row, { step, kind, old, values, depth }) {
      const link = exhibit.element("a", "", `Step ${step}`);
      link.href = exhibit.place.link({
        db: this.browser.number, state: String(step), table: table.name, row: exhibit.databases.rowName(table, row),
      });
      const verb = { inserted: "inserted it", updated: "changed", deleted: "deleted it", replaced: "replaced it" }[kind];
      const item = exhibit.element("li", "", link, depth ? ` ${verb} by a trigger or foreign key` : ` ${verb}`);
      if (kind !== "updated") return item;
      let isFirst = true;
      values.forEach((value, index) => {
        if (JSON.stringify(value) === JSON.stringify(old[index])) return;
        const column = exhibit.databases.column(table, told.columns[index]);
        const shape = table.columns[column] ?? { name: told.columns[index] ?? "" };
        item.append(isFirst ? " " : ", ", exhibit.element("bdi", "", exhibit.visible(shape.name.slice(0, 300))), " ",
          shortly("del", old[index], shape), " → ", shortly("ins", value, shape));
        isFirst = false;
      });
      return item;
    }
  }

  const shortly = (name, value, shape) =>
    exhibit.element(name, "", exhibit.element("bdi", "", exhibit.visible(exhibit.cell.text(value, shape).slice(0, 80))));

  /** From a step that read, to its statement in the box, on the state that it saw; it is filled in, not run. */
  const askAgain = (browser, step, element) => {
    const code = element.querySelector("details.sql pre code") ?? element.querySelector(".did .statement code");
    if (!code || !/^\s*(SELECT|WITH|VALUES|EXPLAIN)\b/i.test(code.textContent) || code.textContent.endsWith("…")) return;
    const link = exhibit.element("a", "", "Run it again on what it saw");
    link.href = exhibit.place.link({ db: browser.number, state: String(step.number), sql: code.textContent });
    element.append(exhibit.element("p", "rows-after", link));
  };

  /** Where the page tells a step; in a page that is a part of another its name begins with that of the part. */
  const stepElement = (browser, number) => {
    const part = browser.element.closest(".part")?.id;
    return document.getElementById(`${part ? `${part}-` : ""}step-${number}`);
  };

  /** Gives a browser of tables its time, where its states are told. */
  exhibit.addTime = async (browser) => {
    const path = browser.element.dataset.states;
    if (!path) return;
    let timeline;
    try {
      timeline = (await timelines(path, browser.base)).get(Number(browser.number));
    } catch (error) {
      browser.problem = `Its states cannot be told: ${error.message}.`;
      return;
    }
    if (!timeline?.choices.length) return;
    browser.time = new Time(browser, timeline);
    browser.grid.time = browser.time;
    browser.element.querySelector(".browser-bar").after(browser.time.element);
    linkSteps(browser, timeline);
  };

  /** From each step that changed rows to the tables after it. */
  const linkSteps = (browser, timeline) => {
    const canAsk = Boolean(browser.element.closest(".evidence")?.querySelector(".sql-box"));
    for (const step of timeline.choices) {
      const element = stepElement(browser, step.number);
      if (!element || element.querySelector(":scope > .rows-after")) continue;
      if (!step.isWrite) {
        if (canAsk) askAgain(browser, step, element);
        continue;
      }
      // A table that is gone by the end is none that can be shown.
      const table = [...timeline.tables].find(([name, { events }]) =>
        browser.database.table(name) && events.some(({ span }) => span.born === step.number))?.[0] ?? "";
      const link = exhibit.element("a", "", "The tables after this step");
      link.href = exhibit.place.link({ db: browser.number, state: String(step.number), table });
      element.append(exhibit.element("p", "rows-after", link));
    }
  };
})();
