/* The order of a table's rows by a column: half a million in a fraction of a second. What was found out of a column is
   kept as a number for each row, by which any choice of rows is sorted in either direction. */
(() => {
  /** Rows up to here are sorted by comparing them. */
  const few = 20_000;

  exhibit.RowOrder = class {
    constructor(rows) {
      this.rows = rows;
      this.columns = new Map();
    }

    /** Places of rows in the order of a column, as SQLite has it; of the same values in the order that they had. */
    sorted(places, column, direction) {
      if (!this.columns.has(column)) this.columns.set(column, ranks(this.rows.map((row) => row[column])));
      const own = this.columns.get(column);
      let greatest = 0;
      for (const rank of own) if (rank > greatest) greatest = rank;
      const keys = new Uint32Array(own.length);
      for (let place = 0; place < own.length; place += 1) keys[place] = direction < 0 ? greatest - own[place] : own[place];
      if (places.length < few / 10) return places.slice().sort((one, other) => keys[one] - keys[other] || one - other);
      return inPasses(places, greatest > 0xffff ? [(place) => keys[place] & 0xffff, (place) => keys[place] >>> 16]
        : [(place) => keys[place]]);
    }
  };

  /** Sorts places by parts of their keys, least first: each part has up to 16 bits. */
  const inPasses = (places, parts) => {
    let [from, to] = [places.slice(), new Uint32Array(places.length)];
    for (const part of parts) {
      const starts = new Uint32Array(0x10001);
      for (const place of from) starts[part(place) + 1] += 1;
      if (from.length && starts[part(from[0]) + 1] === from.length) continue;
      for (let value = 1; value < starts.length; value += 1) starts[value] += starts[value - 1];
      for (const place of from) {
        const value = part(place);
        to[starts[value]] = place;
        starts[value] += 1;
      }
      [from, to] = [to, from];
    }
    return from;
  };

  /** Sorts places by numbers. */
  const byNumbers = (places, numbers) => {
    if (places.length < few) return places.slice().sort((one, other) => numbers[one] - numbers[other] || one - other);
    // The bits of numbers, turned so that their order is that of the numbers.
    const bits = new Uint32Array(numbers.slice().buffer);
    for (let place = 0; place < bits.length; place += 2) {
      const isNegative = bits[place + 1] >>> 31;
      if (isNegative) bits[place] = ~bits[place];
      bits[place + 1] = isNegative ? ~bits[place + 1] : bits[place + 1] ^ 0x80000000;
    }
    return inPasses(places, [
      (place) => bits[2 * place] & 0xffff, (place) => bits[2 * place] >>> 16,
      (place) => bits[2 * place + 1] & 0xffff, (place) => bits[2 * place + 1] >>> 16,
    ]);
  };

  /** A number for each value, in SQLite's order: NULL, numbers, texts, blobs, and last what was not told. */
  const ranks = (values) => {
    const kinds = { null: [], number: [], text: [], blob: [], untold: [] };
    values.forEach((value, place) => {
      const kind = exhibit.cell.kindOf(value);
      kinds[kind === "empty" ? "text" : kind].push(place);
    });
    const all = new Uint32Array(values.length);
    let next = 0;
    const take = (places, isSame) => {
      places.forEach((place, index) => {
        if (index > 0 && !isSame(places[index - 1], place)) next += 1;
        all[place] = next;
      });
      if (places.length) next += 1;
    };
    take(kinds.null, () => true);
    takeNumbers(values, Uint32Array.from(kinds.number), take);
    takeTexts(values, kinds.text, (value) => typeof value === "string" ? value : exhibit.cell.text(value), take);
    takeTexts(values, kinds.blob, (value) => atob(value[1]), take);
    take(kinds.untold, () => true);
    return all;
  };

  const takeNumbers = (values, places, take) => {
    const exact = (place) => exhibit.cell.number(values[place]);
    const numbers = new Float64Array(values.length);
    let isExact = true;
    for (const place of places) {
      // Without the sign of zero.
      numbers[place] = Number(exact(place)) + 0;
      if (values[place][0] === "i") isExact = false;
    }
    const sorted = byNumbers(places, numbers);
    if (!isExact) sorted.sort((one, other) => numbers[one] - numbers[other] || compare(exact(one), exact(other)) || one - other);
    take(sorted, (one, other) => numbers[one] === numbers[other] && (isExact || exact(one) == exact(other)));
  };

  const takeTexts = (values, places, textOf, take) => {
    const texts = [];
    const numbers = new Map();
    const ids = new Uint32Array(values.length);
    // Where most are different, each stands for itself.
    const sample = new Set(places.slice(0, few).map((place) => textOf(values[place])));
    const isVaried = sample.size > Math.min(places.length, few) / 2;
    for (const place of places) {
      const text = textOf(values[place]);
      let id = isVaried ? undefined : numbers.get(text);
      if (id === undefined) {
        id = texts.length;
        texts.push(text);
        if (!isVaried) numbers.set(text, id);
      }
      ids[place] = id;
    }
    const order = sortedTexts(texts);
    const rank = new Float64Array(values.length);
    const rankOf = new Uint32Array(texts.length);
    order.forEach((id, index) => {
      rankOf[id] = index > 0 && texts[order[index - 1]] === texts[id] ? rankOf[order[index - 1]] : index;
    });
    for (const place of places) rank[place] = rankOf[ids[place]];
    take(byNumbers(Uint32Array.from(places), rank), (one, other) => rank[one] === rank[other]);
  };

  // ---- Texts ----

  /** Letters behind which texts are compared as they are, and the most that one number stands for. */
  const [deepest, mostLetters] = [64, 16];

  /** The indexes of texts in their order: by numbers that stand for some letters, then for some more of those alike. */
  const sortedTexts = (texts) => {
    let greatest = 0;
    for (const text of texts) {
      const end = Math.min(text.length, deepest + mostLetters);
      for (let place = 0; place < end; place += 1) greatest = Math.max(greatest, text.charCodeAt(place));
    }
    const base = greatest + 2;
    // As many letters as a script's numbers tell apart.
    const letters = Math.min(mostLetters, Math.floor(52 / Math.log2(base)));
    const keys = new Float64Array(texts.length);
    const sort = (ids, from) => {
      if (ids.length < 2) return ids;
      if (ids.length < 16 || from >= deepest) return ids.sort((one, other) => compare(texts[one], texts[other]) || one - other);
      for (const id of ids) {
        const text = texts[id];
        let key = 0;
        for (let place = from; place < from + letters; place += 1) {
          key = key * base + (place < text.length ? text.charCodeAt(place) + 1 : 0);
        }
        keys[id] = key;
      }
      const sorted = byNumbers(ids, keys);
      let first = 0;
      for (let index = 1; index <= sorted.length; index += 1) {
        if (index < sorted.length && keys[sorted[index]] === keys[sorted[first]]) continue;
        if (index - first > 1) sorted.set(sort(sorted.slice(first, index), from + letters), first);
        first = index;
      }
      return sorted;
    };
    return sort(Uint32Array.from(texts.keys()), sharedLetters(texts));
  };

  const compare = (one, other) => one < other ? -1 : one > other ? 1 : 0;

  /** How many letters all texts begin with. */
  const sharedLetters = (texts) => {
    const first = texts[0] ?? "";
    let count = Math.min(deepest, first.length);
    for (const text of texts) {
      let same = 0;
      while (same < count && same < text.length && text.charCodeAt(same) === first.charCodeAt(same)) same += 1;
      count = same;
      if (count === 0) break;
    }
    return count;
  };
})();
