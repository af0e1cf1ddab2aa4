/* The tables of a captured database as they were after any step of its test, and the steps that wrote a row. The rows are
   worked out from the captured ones: what is not yet seen at the step is taken back, newest first, and what was taken
   back later is made again. Where that ends, a sentence says why. */
(() => {
  const kinds = { row: 0, dropped: 1, made: 2, barrier: 3 };
  const never = Infinity;

  /** A sentence of those that the terminal says, too, with the number of a step in it. */
  const say = (name, number) => codes.sentences[name].replace("#", number);

  /** A key as text: rows are looked up by it. It is a rowid, or `["k", …]` with the values of a primary key. */
  const keyText = exhibit.keyText = (key) => (typeof key === "number" ? String(key) : JSON.stringify(key));

  const step = ([number, text, connection, born, committed, taken, bound, isWrite]) => ({
    number, text: text || "", connection, born, committed: committed < 0 ? never : committed,
    taken: taken < 0 ? never : taken, bound: bound || "", isWrite: Boolean(isWrite),
  });

  const event = (steps) => ([place, fixed, kind, ...rest]) => {
    const common = { span: steps[place], fixed: fixed < 0 ? null : fixed, kind };
    if (kind !== kinds.row) return { ...common, sentence: rest[0] || "" };
    const [before, after, old, values, depth] = rest;
    return {
      ...common, before, after, old, values, depth,
      keyBefore: before === null ? null : keyText(before), keyAfter: after === null ? null : keyText(after),
    };
  };

  /** What tells the states of one captured database. */
  exhibit.Timeline = class {
    /** @param data as `data/states/NAME.js` has it for one database */
    constructor(data) {
      const [evidence, captured, showsOpen, bound, first, steps, tables] = data;
      Object.assign(this, { evidence, captured, showsOpen: Boolean(showsOpen), bound, first: first < 0 ? null : first });
      this.steps = steps.map(step);
      this.byNumber = new Map(this.steps.map((each) => [each.number, each]));
      this.tables = new Map(tables.map(([name, columns, hasRowid, isCaptured, reason, unseenBefore, events]) => [name, {
        columns, hasRowid: Boolean(hasRowid), captured: Boolean(isCaptured), bound: reason,
        unseen: unseenBefore === -1 ? null : unseenBefore === -2 ? never : unseenBefore, events: events.map(event(this.steps)),
      }]));
    }

    /** The steps that a reader can choose. */
    get choices() { return this.steps.filter((each) => each.text); }

    /** Whether what an event tells is seen after a step, or in the captured file for `null`. */
    sees(each, view) {
      if (each.fixed !== null) return view === null || each.fixed <= view;
      const { connection, born, committed, taken } = each.span;
      if (view === null) {
        return committed <= this.captured || (this.showsOpen && born <= this.captured && taken > this.captured);
      }
      if (committed <= view) return true;
      return this.byNumber.get(view)?.connection === connection && born <= view && view < taken;
    }

    /** Why nothing is told of a table after a step, before anything is tried; empty where it is. */
    boundOf(table, view) {
      if (this.bound) return this.bound;
      if (table.bound) return table.bound;
      if (view === null) return "";
      const chosen = this.byNumber.get(view);
      if (chosen?.bound) return chosen.bound;
      if (this.first !== null && view > 0 && view < this.first) return say("missing", this.first);
      if (table.unseen !== null && view < table.unseen) return unseen(table.unseen, this);
      return "";
    }

    /**
     * What a table differed in from its captured rows.
     *
     * @return `{bound}` with the reason why it is not told, or `{exists, holdsCaptured, rows}`: by key a row, or `null`
     *   for one that was not there
     */
    state(name, view) {
      const table = this.tables.get(name);
      const captured = { exists: true, holdsCaptured: true, rows: new Map() };
      if (view === null || !table) return captured;
      const bound = this.boundOf(table, view);
      if (bound) return { bound };
      const shown = (each) => this.sees(each, null);
      let made = table.events.filter((each) => !shown(each) && this.sees(each, view));
      const state = table.captured ? captured : { exists: false, holdsCaptured: false, rows: new Map() };
      const fresh = made.findLastIndex(({ kind, sentence }) => kind === kinds.dropped || (kind === kinds.made && !sentence));
      if (fresh >= 0) {
        made = made.slice(fresh);
      } else {
        const reason = undo(table.events.filter((each) => shown(each) && !this.sees(each, view)), state);
        if (reason) return { bound: reason };
      }
      for (const each of made) {
        const reason = redo(each, state);
        if (reason) return { bound: reason };
      }
      return state;
    }

    /** By key, what a step itself left of the rows that it changed: a row, or `null` for one that it deleted. */
    changed(name, number) {
      const rows = new Map();
      for (const each of this.tables.get(name)?.events ?? []) {
        if (each.kind !== kinds.row || each.span.born !== number || !this.sees(each, number)) continue;
        if (each.keyBefore !== null) rows.set(each.keyBefore, { old: rows.get(each.keyBefore)?.old ?? each.old, row: null });
        if (each.keyAfter !== null) rows.set(each.keyAfter, { old: rows.get(each.keyAfter)?.old ?? (each.keyBefore === each.keyAfter ? each.old : null), row: each.values });
      }
      return rows;
    }

    /** The steps that wrote a row, newest first, and where it came from. */
    past(name, key, view, isThere) {
      const table = this.tables.get(name);
      if (!table) return { entries: [], origin: "" };
      const reason = this.bound || table.bound;
      if (reason) return { entries: [], origin: reason };
      const search = new Past(keyText(key));
      for (const each of table.events.filter((one) => this.sees(one, view)).reverse()) {
        if (table.unseen !== null && each.span.number < table.unseen) return search.end(untold(unseen(table.unseen, this)));
        const origin = search.follow(each);
        if (origin !== null) return search.end(origin);
      }
      const isKnown = search.entries.length > 0 || isThere;
      return search.end(isKnown ? say("before", this.first) : say("nowhere"));
    }
  };

  const untold = (reason) => codes.sentences.untold.replace("#", () => reason);

  const unseen = (number, { captured }) => (number > captured ? say("unseenAtEnd") : say("unseen", number));

  /** @return why the state before events is not told; empty where it is */
  const undo = (events, state) => {
    let undone = events;
    const made = undone.findIndex(({ kind }) => kind === kinds.made);
    if (made >= 0) {
      // Whatever happened to it later, before that it was not there.
      Object.assign(state, { exists: false, holdsCaptured: false, rows: new Map() });
      undone = undone.slice(0, made);
    }
    for (const each of undone.reverse()) {
      if (each.kind === kinds.barrier || each.kind === kinds.dropped) return each.sentence;
      if (each.kind !== kinds.row) continue;
      if (each.keyAfter !== null && (!state.holdsCaptured || each.keyAfter !== each.keyBefore)) state.rows.set(each.keyAfter, null);
      if (each.keyBefore !== null) state.rows.set(each.keyBefore, each.old);
    }
    return "";
  };

  const redo = (each, state) => {
    switch (each.kind) {
      case kinds.barrier: return each.sentence;
      case kinds.dropped: Object.assign(state, { exists: false, holdsCaptured: false, rows: new Map() }); return "";
      case kinds.made:
        if (each.sentence) return each.sentence;
        Object.assign(state, { exists: true, holdsCaptured: false, rows: new Map() });
        return "";
      default:
        if (each.keyBefore !== null) state.rows.set(each.keyBefore, null);
        if (each.keyAfter !== null) state.rows.set(each.keyAfter, each.values);
        return "";
    }
  };

  /** Follows one row back through the events of its table. */
  class Past {
    constructor(key) {
      this.key = key;
      this.entries = [];
      this.inserted = null;
    }

    /** @return where the row came from, once that is reached; `null` before */
    follow(each) {
      if (this.inserted && each.span.number !== this.inserted.step) return "";
      if (each.kind === kinds.row) {
        this.take(each);
        return null;
      }
      if (each.sentence) return untold(each.sentence);
      return say("nowhere");
    }

    take(each) {
      const { keyBefore, keyAfter, old, values, depth, span: { number } } = each;
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
        // Another row has its key no more.
        this.entries.push(entry("updated"));
      }
    }

    end(origin) {
      if (!this.inserted) return { entries: this.entries, origin };
      this.entries.push(this.inserted);
      return { entries: this.entries, origin: say("inserted", this.inserted.step) };
    }
  }
})();
