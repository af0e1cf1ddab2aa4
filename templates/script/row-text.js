/* The rows of a table to search in: all that a reader sees of some thousands of them as one text, so that a word is
   found in half a million rows within a few frames. The texts are made in pieces between frames. */
const SearchedRows = (() => {
  /** Rows whose text is one. */
  const blockRows = 4096;
  /** Stands between values; a word that has it is looked for value by value. */
  const border = "\u0001";
  /** Milliseconds of work between frames. */
  const slice = 10;
  /** Values whose text is made at once when it is asked for: about ten milliseconds. */
  const mostAtOnce = 80_000;
  /** @type {WeakMap<Row[], SearchedRows>} */
  const known = new WeakMap();

  exhibit.tableRows = (table, rows) => exhibit.once(known, rows, () => new SearchedRows(table, rows));

  exhibit.rowsWith = async (table, rows, text, references, most = Infinity) => {
    const { conditions, mistakes } = exhibit.rowFilter(text, table.columns);
    if (!conditions.length || mistakes.length) return [];
    const all = exhibit.tableRows(table, rows);
    await all.prepare(() => true, references);
    return all.at(all.filter(conditions, references).subarray(0, most));
  };

  exhibit.columnWith = (table, row, text) => {
    const { matches } = exhibit.rowFilter(text, table.columns);
    return row.findIndex((_, index) => matches?.(row.map((each, place) => place === index ? each : null)));
  };

  exhibit.foldedText = (text) => text.toLowerCase().replaceAll("ς", "σ");

  class SearchedRows {
    /** Texts of rows, and where in them each row ends.
        @type {{ text: string, ends: Uint32Array }[]} */
    blocks = [];
    /** The columns that have blobs.
        @type {Set<number>} */
    blobs = new Set();
    /** @type {Map<Reference, Referred>} */
    referred = new Map();

    /** @param {Table} table @param {Row[]} rows */
    constructor(table, rows) {
      this.table = table;
      this.rows = rows;
      this.sorted = exhibit.rowOrder(rows);
    }

    get isReady() { return this.blocks.length * blockRows >= this.rows.length; }

    get isSmall() { return this.rows.length * this.table.columns.length <= mostAtOnce; }

    /** Makes the texts, a little between frames; ends early where `isWanted` says so. */
    async prepare(isWanted = () => true, references = noReferences) {
      let isDone = false;
      while (!isDone && isWanted()) {
        const start = performance.now();
        while (!isDone && performance.now() - start < slice) isDone = !this.makeMore(references);
        if (!isDone) await new Promise((resume) => { setTimeout(resume); });
      }
    }

    /** Makes some more; `false` where all is made.
        @param {References} references */
    makeMore(references) {
      if (this.isReady) return [...references.values()].some((reference) => this.referredBy(reference).make(blockRows));
      this.blocks.push(this.block(this.rows.slice(this.blocks.length * blockRows, (this.blocks.length + 1) * blockRows)));
      return true;
    }

    /** @param {Reference} reference */
    referredBy(reference) { return exhibit.once(this.referred, reference, () => new Referred(reference, this.rows)); }

    /** @param {Row[]} rows */
    block(rows) {
      /** @type {string[]} */
      const parts = [];
      const ends = new Uint32Array(rows.length);
      let length = 0;
      rows.forEach((row, index) => { ends[index] = length = this.appendTexts(row, parts, length); });
      const text = exhibit.foldedText(parts.join(""));
      // Few letters get longer when they are made small.
      if (text.length === length) return { text, ends };
      const texts = rows.map((row) => {
        /** @type {string[]} */
        const own = [];
        this.appendTexts(row, own, 0);
        return exhibit.foldedText(own.join(""));
      });
      let end = 0;
      return { text: texts.join(""), ends: Uint32Array.from(texts, (text) => end += text.length) };
    }

    /** @param {Row} row @param {string[]} parts @param {number} before how long they are */
    appendTexts(row, parts, before) {
      let length = before;
      /** @param {string} text */
      const add = (text) => {
        parts.push(text, border);
        length += text.length + 1;
      };
      for (let index = 0; index < row.length; index += 1) {
        const value = row[index];
        const column = this.table.columns[index];
        if (value === null) continue;
        if (typeof value === "object" && value[0] === "b") {
          this.blobs.add(index);
          continue;
        }
        add(cells.text(value, column));
        if (typeof value === "number" && column?.clock) add(cells.time(value, column.clock));
      }
      return length;
    }

    // ---- Filtering ----

    /**
     * The places of the rows that a filter leaves.
     *
     * @param {RowCondition[]} conditions as `exhibit.rowFilter` has them
     * @param {References} references what foreign keys show, by column
     * @param {Marks | null} marked the rows that are to be shown alone; `null` for all
     */
    filter(conditions, references = noReferences, marked = null) {
      const { rows } = this;
      const left = new Uint8Array(rows.length).fill(1);
      if (marked) rows.forEach((row, place) => { if (!marked.has(row)) left[place] = 0; });
      // What looks at one value first, as it leaves less to look at for others.
      for (const condition of conditions) {
        if (isWord(condition)) continue;
        const test = this.withNames(condition, references);
        for (let place = 0; place < rows.length; place += 1) if (left[place] && !test(rows[place], place)) left[place] = 0;
      }
      for (const condition of conditions) if (isWord(condition)) this.leave(left, condition, references);
      const places = new Uint32Array(rows.length);
      let count = 0;
      left.forEach((isLeft, place) => { if (isLeft) { places[count] = place; count += 1; } });
      return places.slice(0, count);
    }

    /** The test of a condition, which what a foreign key shows of the other row meets as well as its value.
        @param {RowCondition} condition @param {References} references
        @returns {(row: Row, place: number) => boolean} */
    withNames({ test, own, column, named, isNegated }, references) {
      const reference = references.get(column);
      if (!reference || !named) return test;
      const referred = this.referredBy(reference);
      while (referred.make(blockRows)) { /* what is not made yet */ }
      const isMet = referred.names.map(named);
      const { places } = referred;
      return (row, place) => (own(row) || (places[place] >= 0 && isMet[places[place]])) !== isNegated;
    }

    /** The rows at some places.
        @param {Uint32Array} places */
    at(places) {
      const found = /** @type {Row[]} */ (new Array(places.length));
      places.forEach((place, index) => { found[index] = this.rows[place]; });
      return found;
    }

    /** @param {Uint8Array} left @param {RowCondition} condition @param {References} references */
    leave(left, { sought, digits, isNegated }, references) {
      const word = sought ?? "";
      const found = new Uint8Array(left.length);
      while (this.makeMore(references)) { /* what is not made yet */ }
      this.blocks.forEach(({ text, ends }, block) => find(text, ends, word, found.subarray(block * blockRows)));
      if (digits !== null) for (const column of this.blobs) this.findBlobs(left, digits, column, found);
      for (const reference of references.values()) this.findReferred(reference, word, found);
      for (let place = 0; place < left.length; place += 1) if (Boolean(found[place]) === isNegated) left[place] = 0;
    }

    /** @param {Uint8Array} left @param {string} digits @param {number} column @param {Uint8Array} found */
    findBlobs(left, digits, column, found) {
      for (let place = 0; place < left.length; place += 1) {
        const value = this.rows[place][column];
        if (left[place] && !found[place] && exhibit.isBlob(value) && cells.digits(value).includes(digits)) found[place] = 1;
      }
    }

    /** Rows that show a name of another row which has the word.
        @param {Reference} reference @param {string} word @param {Uint8Array} found */
    findReferred(reference, word, found) {
      const { names, places } = this.referredBy(reference);
      const holds = names.map((name) => name.includes(word));
      if (!holds.includes(true)) return;
      for (let place = 0; place < found.length; place += 1) if (places[place] >= 0 && holds[places[place]]) found[place] = 1;
    }
  }

  /** The rows that the rows of a table refer to by one key: their names, and for each row which, or -1. */
  class Referred {
    made = 0;
    /** @type {string[]} */
    names = [];
    /** @type {Map<Row | undefined, number>} */
    numbers = new Map();

    /** @param {Reference} reference @param {Row[]} rows */
    constructor(reference, rows) {
      this.reference = reference;
      this.rows = rows;
      this.places = new Int32Array(rows.length);
    }

    /** Looks at some more rows; `false` where all were.
        @param {number} count */
    make(count) {
      const end = Math.min(this.rows.length, this.made + count);
      if (this.made === end) return false;
      for (; this.made < end; this.made += 1) this.places[this.made] = this.number(this.rows[this.made]);
      return true;
    }

    /** @param {Row} row */
    number(row) {
      const other = this.reference.target(row);
      if (other === null || (!other && !this.reference.isWhole)) return -1;
      return exhibit.once(this.numbers, other, () =>
        this.names.push(exhibit.foldedText(other ? exhibit.rowTitle(this.reference.table, other) : exhibit.brokenReference)) - 1);
    }
  }

  /** @type {References} */
  const noReferences = new Map();

  /** @param {RowCondition} condition */
  const isWord = ({ sought }) => sought !== null && !sought.includes(border);

  /** @param {string} text @param {Uint32Array} ends @param {string} word @param {Uint8Array} found */
  const find = (text, ends, word, found) => {
    let row = 0;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, ends[row])) {
      while (ends[row] <= at) row += 1;
      found[row] = 1;
    }
  };

  return SearchedRows;
})();
