/* The rows of a table to search in: all that a reader sees of some thousands of them as one text, so that a word is
   found in half a million rows within a few frames. The texts are made in pieces between frames. */
(() => {
  /** Rows whose text is one. */
  const blockRows = 4096;
  /** Stands between values; a word that has it is looked for value by value. */
  const border = "\u0001";
  /** Milliseconds of work between frames. */
  const slice = 10;
  /** Values whose text is made at once when it is asked for: about ten milliseconds. */
  const mostAtOnce = 80_000;
  const known = new WeakMap();

  /** What is known of some rows of a table, for as long as these are somewhere. */
  exhibit.tableRows = (table, rows) => {
    if (!known.has(rows)) known.set(rows, new TableRows(table, rows));
    return known.get(rows);
  };

  /** A text without regard to case; Greek has two small letters for one capital. */
  exhibit.foldedText = (text) => text.toLowerCase().replaceAll("ς", "σ");

  class TableRows {
    constructor(table, rows) {
      Object.assign(this, { table, rows, blocks: [], blobs: new Set(), referred: new Map(), orders: new exhibit.RowOrder(rows) });
    }

    get isReady() { return this.blocks.length * blockRows >= this.rows.length; }

    get isSmall() { return this.rows.length * this.table.columns.length <= mostAtOnce; }

    /** Makes the texts, a little between frames; ends early where `isWanted` says so. */
    async prepare(isWanted = () => true, references = new Map()) {
      let isDone = false;
      while (!isDone && isWanted()) {
        const start = performance.now();
        while (!isDone && performance.now() - start < slice) isDone = !this.makeBlock() && !this.makeNames(references);
        if (!isDone) await new Promise((resume) => { setTimeout(resume); });
      }
    }

    /** Makes one more; `false` where all are made. */
    makeBlock() {
      if (this.isReady) return false;
      this.blocks.push(this.block(this.blocks.length * blockRows));
      return true;
    }

    makeNames(references) {
      for (const reference of references.values()) if (this.referredBy(reference).make(blockRows)) return true;
      return false;
    }

    referredBy(reference) {
      if (!this.referred.has(reference)) this.referred.set(reference, new Referred(reference, this.rows));
      return this.referred.get(reference);
    }

    block(from) {
      const to = Math.min(this.rows.length, from + blockRows);
      const parts = [];
      const ends = new Uint32Array(to - from);
      let length = 0;
      for (let place = from; place < to; place += 1) {
        length = this.appendTexts(this.rows[place], parts, length);
        ends[place - from] = length;
      }
      const whole = parts.join("");
      const text = exhibit.foldedText(whole);
      // Few letters get longer when they are made small.
      return text.length === whole.length ? { text, ends } : this.blockByRows(from, to);
    }

    blockByRows(from, to) {
      const ends = new Uint32Array(to - from);
      let text = "";
      for (let place = from; place < to; place += 1) {
        const parts = [];
        this.appendTexts(this.rows[place], parts, 0);
        text += exhibit.foldedText(parts.join(""));
        ends[place - from] = text.length;
      }
      return { text, ends };
    }

    appendTexts(row, parts, before) {
      let length = before;
      const add = (text) => {
        parts.push(text, border);
        length += text.length + 1;
      };
      for (let index = 0; index < row.length; index += 1) {
        const value = row[index];
        if (value === null) continue;
        if (typeof value === "string") {
          add(value);
          continue;
        }
        if (value[0] === "b") {
          this.blobs.add(index);
          continue;
        }
        const column = this.table.columns[index];
        add(exhibit.cell.text(value, column));
        if (typeof value === "number" && column?.clock) add(exhibit.cell.time(value, column.clock));
      }
      return length;
    }

    // ---- Filtering ----

    /**
     * The places of the rows that a filter leaves.
     *
     * @param conditions as `exhibit.rowFilter` has them
     * @param references what foreign keys show, by column
     * @param marked the rows that are to be shown alone; `null` for all
     */
    filter(conditions, references = new Map(), marked = null) {
      const { rows } = this;
      const left = new Uint8Array(rows.length);
      for (let place = 0; place < rows.length; place += 1) left[place] = marked === null || marked.has(rows[place]) ? 1 : 0;
      // What looks at one value first, as it leaves less to look at for others.
      const [words, others] = [conditions.filter(isWord), conditions.filter((each) => !isWord(each))];
      for (const condition of others) {
        const test = this.withNames(condition, references);
        for (let place = 0; place < rows.length; place += 1) if (left[place] && !test(rows[place], place)) left[place] = 0;
      }
      for (const word of words) this.leave(left, word, references);
      const places = new Uint32Array(left.reduce((sum, each) => sum + each, 0));
      let count = 0;
      for (let place = 0; place < rows.length; place += 1) {
        if (!left[place]) continue;
        places[count] = place;
        count += 1;
      }
      return places;
    }

    /** The test of a condition, which what a foreign key shows of the other row meets as well as its value. */
    withNames({ test, own, column, named, isNegated }, references) {
      const reference = references.get(column);
      if (!reference || !named) return test;
      const referred = this.referredBy(reference);
      while (referred.make(blockRows)) { /* what is not made yet */ }
      const isMet = referred.names.map(named);
      const { places } = referred;
      return (row, place) => (own(row) || (places[place] >= 0 && isMet[places[place]])) !== isNegated;
    }

    /** The rows at some places. */
    at(places) {
      const found = new Array(places.length);
      for (let index = 0; index < places.length; index += 1) found[index] = this.rows[places[index]];
      return found;
    }

    leave(left, { sought, digits, isNegated }, references) {
      const found = new Uint8Array(left.length);
      while (this.makeBlock() || this.makeNames(references)) { /* what is not made yet */ }
      this.blocks.forEach(({ text, ends }, block) => find(text, ends, sought, found, block * blockRows));
      if (digits !== null) for (const column of this.blobs) this.findBlobs(left, digits, column, found);
      for (const reference of references.values()) this.findReferred(reference, sought, found);
      for (let place = 0; place < left.length; place += 1) if (Boolean(found[place]) === isNegated) left[place] = 0;
    }

    findBlobs(left, digits, column, found) {
      for (let place = 0; place < left.length; place += 1) {
        const value = this.rows[place][column];
        if (left[place] && !found[place] && value !== null && value[0] === "b" && typeof value !== "string"
          && exhibit.cell.digits(value).includes(digits)) found[place] = 1;
      }
    }

    /** Rows that show a name of another row which has the word. */
    findReferred(reference, word, found) {
      const { names, places } = this.referredBy(reference);
      const holds = names.map((name) => name.includes(word));
      if (!holds.includes(true)) return;
      for (let place = 0; place < found.length; place += 1) if (places[place] >= 0 && holds[places[place]]) found[place] = 1;
    }
  }

  /** The rows that the rows of a table refer to by one key: their names, and for each row which, or -1. */
  class Referred {
    constructor(reference, rows) {
      Object.assign(this, { reference, rows, names: [], numbers: new Map(), places: new Int32Array(rows.length), made: 0 });
    }

    /** Looks at some more rows; `false` where all were. */
    make(count) {
      const end = Math.min(this.rows.length, this.made + count);
      if (this.made === end) return false;
      for (; this.made < end; this.made += 1) this.places[this.made] = this.number(this.rows[this.made]);
      return true;
    }

    number(row) {
      const other = this.reference.target(row);
      if (other === null || (!other && !this.reference.isWhole)) return -1;
      if (!this.numbers.has(other)) {
        this.numbers.set(other, this.names.length);
        this.names.push(exhibit.foldedText(other ? exhibit.rowTitle(this.reference.table, other) : exhibit.brokenReference));
      }
      return this.numbers.get(other);
    }
  }

  const isWord = ({ sought }) => sought !== null && !sought.includes(border);

  const find = (text, ends, word, found, from) => {
    let row = 0;
    let at = text.indexOf(word);
    while (at >= 0) {
      while (ends[row] <= at) row += 1;
      found[from + row] = 1;
      at = text.indexOf(word, ends[row]);
    }
  };
})();
