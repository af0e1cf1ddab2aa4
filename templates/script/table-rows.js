/* Filters and sorts half a million rows quickly: it looks once at each distinct value of a column. */
const TableRows = (() => {
  /** Milliseconds of work between frames; rows between looks at the clock. */
  const [slice, step] = [10, 4096];
  /** Nobody waits for so few. */
  const mostAtOnce = 80_000;
  const border = "\u0001";
  /** @type {WeakMap<Row[], TableRows>} */
  const known = new WeakMap();
  /** @type {References} */
  const noReferences = new Map();

  exhibit.tableRows = (table, rows) => exhibit.once(known, rows, () => new TableRows(table, rows));

  exhibit.rowsWith = async (table, rows, text, references, most = Infinity) => {
    const { conditions, mistakes } = exhibit.rowFilter(text, table.columns);
    if (!conditions.length || mistakes.length) return [];
    const all = exhibit.tableRows(table, rows);
    await all.prepare(() => true, references);
    return all.at(all.filter(conditions, references).subarray(0, most));
  };

  exhibit.columnWith = (table, row, text) => {
    const { conditions } = exhibit.rowFilter(text, table.columns);
    return row.findIndex((value, index) => conditions.length && conditions.every(({ column, holds, isNegated }) =>
      holds(column < 0 || column === index ? value : null, table.columns[index]) !== isNegated));
  };

  /** A column's distinct values, and which of them each row has. */
  class DistinctValues {
    made = 0;
    /** @type {Value[]} */
    values = [];
    /** @type {Map<Value, number>} */
    numbers = new Map();
    /** @type {string[]} */
    parts = [];
    text = "";
    /** @type {number[]} */
    ends = [];
    length = 0;
    /** @type {number[]} */
    blobs = [];
    /** Places in SQLite's order.
        @type {Uint32Array | undefined} */
    ranks;

    /** @param {Row[]} rows @param {(row: Row) => Value} valueOf @param {(value: Value) => string} textOf */
    constructor(rows, valueOf, textOf) {
      this.rows = rows;
      this.valueOf = valueOf;
      this.textOf = textOf;
      this.ids = new Uint32Array(rows.length);
    }

    get isMade() { return this.made === this.rows.length; }

    /** `false` where all were made.
        @param {number} count */
    make(count) {
      if (this.isMade) return false;
      const end = Math.min(this.rows.length, this.made + count);
      for (; this.made < end; this.made += 1) {
        const value = this.valueOf(this.rows[this.made]);
        this.ids[this.made] = this.numbers.get(value) ?? this.add(value);
      }
      // All at once would take longer than a frame.
      this.text += this.parts.join("");
      this.parts = [];
      if (this.isMade) this.numbers.clear();
      return true;
    }

    /** @param {Value} value */
    add(value) {
      const [id, text] = [this.values.push(value) - 1, exhibit.foldedText(this.textOf(value)) + border];
      this.numbers.set(value, id);
      if (exhibit.isBlob(value)) this.blobs.push(id);
      this.parts.push(text);
      this.ends.push(this.length += text.length);
      return id;
    }

    /** By value 2 where it is found, else 1; `null` for none.
        @param {string} sought @param {(value: Value) => boolean} holds */
    found(sought, holds) {
      const { values, text, ends, blobs } = this;
      const ids = blobs.filter((id) => holds(values[id]));
      for (let at = text.indexOf(sought), id = 0; at >= 0; at = text.indexOf(sought, ends[id])) {
        while (ends[id] <= at) id += 1;
        ids.push(id);
      }
      if (!ids.length) return null;
      const found = new Uint8Array(values.length).fill(1);
      for (const id of ids) found[id] = 2;
      return found;
    }

    /** @param {Uint32Array} places @param {string | null} sought @param {(value: Value) => boolean} holds
        @param {Uint8Array} marked */
    mark(places, sought, holds, marked) {
      this.make(Infinity);
      const { ids, values } = this;
      // 0 was not looked at.
      const found = sought === null || sought.includes(border) ? new Uint8Array(values.length) : this.found(sought, holds);
      if (!found) return;
      for (const place of places) {
        if (!marked[place]) marked[place] = (found[ids[place]] ||= holds(values[ids[place]]) ? 2 : 1) >> 1;
      }
    }
  }

  class TableRows {
    /** @type {Map<Reference, DistinctValues>} */
    names = new Map();

    /** @param {Table} table @param {Row[]} rows */
    constructor(table, rows) {
      this.table = table;
      this.rows = rows;
      this.columns = table.columns.map((column, index) =>
        new DistinctValues(rows, (row) => row[index] ?? null, (value) => searched(value, column)));
    }

    get isReady() { return this.columns.every(({ isMade }) => isMade); }

    get isSmall() { return this.rows.length * this.table.columns.length <= mostAtOnce; }

    /** A little between frames. */
    async prepare(isWanted = () => true, references = noReferences) {
      const all = [...this.columns, ...[...references.values()].map((reference) => this.namesOf(reference))];
      let next = performance.now() + slice;
      for (const each of all) {
        while (isWanted() && each.make(step)) {
          if (performance.now() < next) continue;
          await new Promise((resume) => { setTimeout(resume); });
          next = performance.now() + slice;
        }
      }
    }

    /** What a foreign key shows.
        @param {Reference} reference */
    namesOf(reference) {
      return exhibit.once(this.names, reference, () => new DistinctValues(this.rows, (row) => {
        const other = reference.target(row);
        if (!other) return other === undefined && reference.isWhole ? exhibit.brokenReference : null;
        return exhibit.rowTitle(reference.table, other);
      }, (name) => String(name ?? "")));
    }

    /** Keeps only `marked` rows, if given.
        @param {RowCondition[]} conditions
        @param {References} references
        @param {Marks | null} marked */
    filter(conditions, references = noReferences, marked = null) {
      let places = new Uint32Array(this.rows.length).map((_, place) => place);
      if (marked) places = places.filter((place) => marked.has(this.rows[place]));
      // One column leaves less for others.
      for (const condition of [...conditions].sort((one, other) => other.column - one.column)) {
        const meets = this.meeting(places, condition, references);
        places = places.filter((place) => Boolean(meets[place]) !== condition.isNegated);
      }
      return places;
    }

    /** Ignores the negation.
        @param {Uint32Array} places @param {RowCondition} condition @param {References} references */
    meeting(places, { column, sought, holds, named }, references) {
      const meets = new Uint8Array(this.rows.length);
      this.columns.forEach((values, index) => {
        if (column >= 0 && column !== index) return;
        const shape = this.table.columns[index];
        values.mark(places, sought, (value) => holds(value, shape), meets);
        const reference = named && references.get(index);
        if (reference) this.namesOf(reference).mark(places, sought, (name) => named(String(name ?? "")), meets);
      });
      return meets;
    }

    /** In SQLite's order, and stable.
        @param {Uint32Array} places @param {number} column @param {number} direction */
    sorted(places, column, direction) {
      const values = this.columns[column];
      values.make(Infinity);
      const ranks = values.ranks ??= ranked(values.values);
      /** @param {number} place */
      const rank = (place) => direction < 0 ? ranks.length - ranks[values.ids[place]] : ranks[values.ids[place]];
      // Rows of a rank follow those before it.
      const starts = new Uint32Array(ranks.length + 2);
      for (const place of places) starts[rank(place) + 1] += 1;
      for (let each = 1; each < starts.length; each += 1) starts[each] += starts[each - 1];
      const sorted = new Uint32Array(places.length);
      for (const place of places) sorted[starts[rank(place)]++] = place;
      return sorted;
    }

    /** @param {Uint32Array} places */
    at(places) {
      const found = /** @type {Row[]} */ (new Array(places.length));
      places.forEach((place, index) => { found[index] = this.rows[place]; });
      return found;
    }
  }

  // SQLite's order: NULL, numbers, texts, blobs, and last what was not told

  const order = /** @type {ValueKind[]} */ (["null", "number", "empty", "text", "blob", "untold"]);

  /** @type {(value: Value) => string | number | bigint} */
  const key = (value) =>
    exhibit.isNumber(value) ? cells.number(value) : exhibit.isBlob(value) ? atob(value[1]) : value === null ? "" : cells.text(value);

  /** Native sorts call nothing for each pair.
      @param {(string | number | bigint)[]} keys */
  const inOrder = (keys) => {
    if (keys.some((key) => typeof key === "bigint")) return keys.sort(exhibit.compare);
    return typeof keys[0] === "number" ? Float64Array.from(/** @type {number[]} */ (keys)).sort() : keys.sort();
  };

  /** @type {(sorted: ArrayLike<Comparable>, key: Comparable) => number} */
  const before = (sorted, key) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /** @param {Value[]} values */
  const ranked = (values) => {
    const ranks = new Uint32Array(values.length);
    const kinds = exhibit.byName(values.keys(), (id) => cells.kindOf(values[id]));
    let count = 0;
    for (const ids of order.map((kind) => kinds.get(kind) ?? [])) {
      const keys = ids.map((id) => key(values[id]));
      const sorted = inOrder([...keys]);
      ids.forEach((id, index) => { ranks[id] = count + before(sorted, keys[index]); });
      count += ids.length;
    }
    return ranks;
  };

  /** @type {(value: Value, column: Column) => string} */
  const searched = (value, column) => {
    if (value === null || exhibit.isBlob(value)) return "";
    const time = typeof value === "number" && column.clock ? border + cells.time(value, column.clock) : "";
    return cells.text(value, column) + time;
  };

  return TableRows;
})();
