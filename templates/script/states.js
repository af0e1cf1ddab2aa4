/* Tables as they were after any step. From the captured rows, what the step does not see is taken back, newest
   first; what it saw besides is made again. Where that ends, a sentence says why. */
const Timeline = (() => {
  const kinds = /** @type {const} */ ({ row: 0, dropped: 1, made: 2, barrier: 3 });
  const never = Infinity;

  /** As the terminal says it.
      @type {(name: string, inserted?: unknown) => string} */
  const say = (name, inserted) => codes.sentences[name].replace("#", () => String(inserted));

  const keyText = exhibit.keyText = (key) => (typeof key === "number" ? String(key) : JSON.stringify(key));

  /** @param {StepData} data */
  const step = ([number, text, connection, born, committed, taken, bound, isWrite]) => ({
    number, text: text || "", connection, born, committed: committed < 0 ? never : committed,
    // `bound`: why its state is not told.
    taken: taken < 0 ? never : taken, bound: bound || "", isWrite: Boolean(isWrite),
  });

  /** @typedef {ReturnType<ReturnType<typeof event>>} StateEvent */

  /** @param {Step[]} steps */
  const event = (steps) => (/** @type {EventData} */ [place, fixed, kind, ...rest]) => {
    const [before = null, after = null, old = null, values = null, depth = 0] = kind === kinds.row ? rest : [];
    return {
      span: steps[place], fixed: fixed < 0 ? null : fixed, kind, sentence: kind === kinds.row ? "" : String(rest[0] || ""),
      old, values, depth, keyBefore: before === null ? null : keyText(before), keyAfter: after === null ? null : keyText(after),
    };
  };

  class Timeline {
    /** @param {TimelineData} data */
    constructor([evidence, captured, showsOpen, bound, first, steps, tables]) {
      this.evidence = evidence;
      this.captured = captured;
      this.showsOpen = Boolean(showsOpen);
      this.bound = bound;
      this.first = first < 0 ? null : first;
      this.steps = steps.map(step);
      this.byNumber = new Map(this.steps.map((each) => [each.number, each]));
      this.tables = new Map(tables.map(([name, columns, hasRowid, isCaptured, reason, unseenBefore, events]) => [name, {
        columns, hasRowid: Boolean(hasRowid), captured: Boolean(isCaptured), bound: reason,
        unseen: unseenBefore === -1 ? null : unseenBefore === -2 ? never : unseenBefore, events: events.map(event(this.steps)),
      }]));
    }

    get choices() { return this.steps.filter((each) => each.text); }

    /** Whether a step sees it, or, with `null`, the captured file.
        @param {StateEvent} each @param {number | null} view */
    sees(each, view) {
      if (each.fixed !== null) return view === null || each.fixed <= view;
      const { connection, born, committed, taken } = each.span;
      const at = view ?? this.captured;
      if (committed <= at) return true;
      const isShown = view === null ? this.showsOpen : this.byNumber.get(view)?.connection === connection;
      return isShown && born <= at && at < taken;
    }

    /** Why a table is not told, or "".
        @param {StateTable} table @param {number | null} view */
    boundOf(table, view) {
      const bound = this.bound || table.bound;
      if (bound || view === null) return bound;
      const chosen = this.byNumber.get(view);
      if (chosen?.bound) return chosen.bound;
      if (this.first !== null && view > 0 && view < this.first) return say("missing", this.first);
      return table.unseen !== null && view < table.unseen ? this.unseen(table.unseen) : "";
    }

    /** @param {number} number */
    unseen(number) { return number > this.captured ? say("unseenAtEnd") : say("unseen", number); }

    /** What a table differed in from its captured rows.
        @param {string} name
        @param {number | null} view
        @returns {TableState} */
    state(name, view) {
      const table = this.tables.get(name);
      if (view === null || !table) return fresh(true, true);
      const state = fresh(table.captured, table.captured);
      state.bound = this.boundOf(table, view);
      if (state.bound) return state;
      /** @param {StateEvent} each */
      const shown = (each) => this.sees(each, null);
      const made = table.events.filter((each) => !shown(each) && this.sees(each, view));
      const renewed = made.findLastIndex(({ kind, sentence }) => kind === kinds.dropped || (kind === kinds.made && !sentence));
      const reason = renewed >= 0 ? "" : undo(table.events.filter((each) => shown(each) && !this.sees(each, view)), state);
      state.bound = reason || redo(made.slice(Math.max(0, renewed)), state);
      return state;
    }

    /** By key, what a step left of its rows.
        @param {string} name @param {number} number */
    changed(name, number) {
      /** @type {Map<string, { old: Row | null, row: Row | null }>} */
      const rows = new Map();
      for (const each of this.tables.get(name)?.events ?? []) {
        const { keyBefore, keyAfter, old, values } = each;
        if (each.kind !== kinds.row || each.span.born !== number || !this.sees(each, number)) continue;
        if (keyBefore !== null) rows.set(keyBefore, { old: rows.get(keyBefore)?.old ?? old, row: null });
        if (keyAfter !== null) rows.set(keyAfter, { old: rows.get(keyAfter)?.old ?? (keyBefore === keyAfter ? old : null), row: values });
      }
      return rows;
    }

    /** The steps that wrote a row, newest first.
        @param {string} name @param {StateKey} key @param {number | null} view @param {boolean} isThere */
    past(name, key, view, isThere) {
      const table = this.tables.get(name);
      if (!table) return { entries: [], origin: "" };
      const reason = this.bound || table.bound;
      if (reason) return { entries: [], origin: reason };
      const search = new Past(keyText(key));
      for (const each of table.events.filter((one) => this.sees(one, view)).reverse()) {
        if (table.unseen !== null && each.span.number < table.unseen) return search.end(say("untold", this.unseen(table.unseen)));
        const origin = search.follow(each);
        if (origin !== null) return search.end(origin);
      }
      const isKnown = search.entries.length > 0 || isThere;
      return search.end(isKnown ? say("before", this.first) : say("nowhere"));
    }
  }

  /** @type {(exists: boolean, holdsCaptured?: boolean) => TableState} */
  const fresh = (exists, holdsCaptured = false) => ({ exists, holdsCaptured, rows: new Map(), bound: "" });

  /** Takes events back; says why it cannot, or "".
      @type {(events: StateEvent[], state: TableState) => string} */
  const undo = (events, state) => {
    const made = events.findIndex(({ kind }) => kind === kinds.made);
    // There was no table before.
    if (made >= 0) Object.assign(state, fresh(false));
    for (const { kind, sentence, keyBefore, keyAfter, old } of (made >= 0 ? events.slice(0, made) : events).reverse()) {
      if (kind === kinds.barrier || kind === kinds.dropped) return sentence;
      if (keyAfter !== null && (!state.holdsCaptured || keyAfter !== keyBefore)) state.rows.set(keyAfter, null);
      if (keyBefore !== null) state.rows.set(keyBefore, old);
    }
    return "";
  };

  /** Makes events again; says why it cannot, or "".
      @type {(events: StateEvent[], state: TableState) => string} */
  const redo = (events, state) => {
    for (const { kind, sentence, keyBefore, keyAfter, values } of events) {
      if (kind !== kinds.dropped && sentence) return sentence;
      if (kind === kinds.dropped || kind === kinds.made) Object.assign(state, fresh(kind === kinds.made));
      if (keyBefore !== null) state.rows.set(keyBefore, null);
      if (keyAfter !== null) state.rows.set(keyAfter, values);
    }
    return "";
  };

  /** @typedef {{ step: number, kind: "inserted" | "updated" | "deleted" | "replaced", old: Row | null, values: Row | null, depth: number }} PastEntry */

  class Past {
    key;
    /** @type {PastEntry[]} */
    entries = [];
    /** @type {PastEntry | null} */
    inserted = null;

    /** @param {string} key */
    constructor(key) { this.key = key; }

    /** The row's origin, once reached.
        @param {StateEvent} each */
    follow(each) {
      if (this.inserted && each.span.number !== this.inserted.step) return "";
      if (each.kind !== kinds.row) return each.sentence ? say("untold", each.sentence) : say("nowhere");
      this.take(each);
      return null;
    }

    /** @param {StateEvent} event */
    take({ keyBefore, keyAfter, old, values, depth, span: { number } }) {
      /** @type {(kind: PastEntry["kind"]) => PastEntry} */
      const entry = (kind) => ({ step: number, kind, old, values, depth });
      if (keyBefore === null && keyAfter === this.key && !this.inserted) {
        this.inserted = entry("inserted");
      } else if (keyAfter === null && keyBefore === this.key) {
        if (this.inserted?.step === number) {
          // REPLACE tells the row that goes, then the one that comes.
          this.entries.push({ ...this.inserted, kind: "replaced", old });
          this.inserted = null;
        } else if (this.entries.length === 0) {
          this.entries.push(entry("deleted"));
        }
      } else if (keyBefore !== null && keyAfter === this.key && !this.inserted) {
        this.key = keyBefore;
        this.entries.push(entry("updated"));
      } else if (keyAfter !== null && keyBefore === this.key && this.entries.length === 0 && !this.inserted) {
        this.entries.push(entry("updated"));
      }
    }

    /** @param {string} origin */
    end(origin) {
      if (!this.inserted) return { entries: this.entries, origin };
      return { entries: [...this.entries, this.inserted], origin: say("inserted", this.inserted.step) };
    }
  }

  return Timeline;
})();
