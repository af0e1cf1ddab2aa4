/* The order of a table's rows by a column: half a million in a fraction of a second. What was found out of a column is
   kept as a number for each row, by which any choice of rows is sorted in either direction. */
(() => {
  /** Rows up to here are sorted by comparing them. */
  const few = 20_000;

  exhibit.rowOrder = (rows) => {
    /** @type {Map<number, Uint32Array>} */
    const columns = new Map();
    return (places, column, direction) => {
      const own = exhibit.once(columns, column, () => ranks(rows.map((row) => row[column])));
      const greatest = own.reduce((most, rank) => Math.max(most, rank), 0);
      const keys = direction < 0 ? own.map((rank) => greatest - rank) : own;
      if (places.length < few / 10) return places.slice().sort((one, other) => keys[one] - keys[other] || one - other);
      const [low, high] = halves(keys);
      return inPasses(places, greatest > 0xffff ? [low, high] : [low]);
    };
  };

  /** Of the number of a place its lower 16 bits, and those above them.
      @type {(numbers: Uint32Array, step?: number, from?: number) => ((place: number) => number)[]} */
  const halves = (numbers, step = 1, from = 0) =>
    [(place) => numbers[step * place + from] & 0xffff, (place) => numbers[step * place + from] >>> 16];

  /** Sorts places by parts of their keys, least first: each part has up to 16 bits.
      @type {(places: Uint32Array, parts: ((place: number) => number)[]) => Uint32Array} */
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

  /** Sorts places by numbers.
      @type {(places: Uint32Array, numbers: Float64Array) => Uint32Array} */
  const byNumbers = (places, numbers) => {
    if (places.length < few) return places.slice().sort((one, other) => numbers[one] - numbers[other] || one - other);
    // The bits of numbers, turned so that their order is that of the numbers.
    const bits = new Uint32Array(numbers.slice().buffer);
    for (let place = 0; place < bits.length; place += 2) {
      const isNegative = bits[place + 1] >>> 31;
      if (isNegative) bits[place] = ~bits[place];
      bits[place + 1] = isNegative ? ~bits[place + 1] : bits[place + 1] ^ 0x80000000;
    }
    return inPasses(places, [...halves(bits, 2), ...halves(bits, 2, 1)]);
  };

  /** A number for each value, in SQLite's order: NULL, numbers, texts, blobs, and last what was not told.
      @param {Value[]} values */
  const ranks = (values) => {
    /** @type {Record<ValueKind, number[]>} */
    const kinds = { null: [], number: [], empty: [], text: [], blob: [], untold: [] };
    values.forEach((value, place) => kinds[cells.kindOf(value)].push(place));
    const all = new Uint32Array(values.length);
    let next = 0;
    /** @type {Take} */
    const take = (places, isSame) => {
      places.forEach((/** @type {number} */ place, /** @type {number} */ index) => {
        if (index > 0 && !isSame(places[index - 1], place)) next += 1;
        all[place] = next;
      });
      if (places.length) next += 1;
    };
    take(kinds.null, () => true);
    takeNumbers(values, Uint32Array.from(kinds.number), take);
    take(kinds.empty, () => true);
    takeTexts(values, kinds.text, cells.text, take);
    takeTexts(values, kinds.blob, (value) => atob(/** @type {BlobValue} */ (value)[1]), take);
    take(kinds.untold, () => true);
    return all;
  };

  /** @typedef {(places: number[] | Uint32Array, isSame: (one: number, other: number) => boolean) => void} Take
          takes places in their order, those of the same values together */

  /** @type {(values: Value[], places: Uint32Array, take: Take) => void} */
  const takeNumbers = (values, places, take) => {
    /** @param {number} place */
    const exact = (place) => cells.number(/** @type {NumberValue} */ (values[place]));
    const numbers = new Float64Array(values.length);
    let isExact = true;
    for (const place of places) {
      const number = exact(place);
      // Without the sign of zero.
      numbers[place] = Number(number) + 0;
      if (typeof number === "bigint") isExact = false;
    }
    const sorted = byNumbers(places, numbers);
    if (!isExact) sorted.sort((one, other) => numbers[one] - numbers[other] || exhibit.compare(exact(one), exact(other)) || one - other);
    take(sorted, (one, other) => numbers[one] === numbers[other] && (isExact || exact(one) == exact(other)));
  };

  /** @type {(values: Value[], places: number[], textOf: (value: Value) => string, take: Take) => void} */
  const takeTexts = (values, places, textOf, take) => {
    /** @type {string[]} */
    const texts = [];
    const numbers = new Map();
    const ids = new Uint32Array(values.length);
    // Where most are different, each stands for itself.
    const sample = new Set(places.slice(0, few).map((place) => textOf(values[place])));
    const isVaried = sample.size > Math.min(places.length, few) / 2;
    for (const place of places) {
      const text = textOf(values[place]);
      ids[place] = isVaried ? texts.length : numbers.get(text) ?? texts.length;
      if (ids[place] < texts.length) continue;
      texts.push(text);
      if (!isVaried) numbers.set(text, ids[place]);
    }
    const order = sortedTexts(texts);
    const rankOf = new Uint32Array(texts.length);
    order.forEach((id, index) => {
      rankOf[id] = index > 0 && texts[order[index - 1]] === texts[id] ? rankOf[order[index - 1]] : index;
    });
    const rank = new Float64Array(values.length);
    for (const place of places) rank[place] = rankOf[ids[place]];
    take(byNumbers(Uint32Array.from(places), rank), (one, other) => rank[one] === rank[other]);
  };

  // ---- Texts ----

  /** Letters behind which texts are compared as they are, and the most that one number stands for. */
  const [deepest, mostLetters] = [64, 16];

  /** The indexes of texts in their order: by numbers that stand for some letters, then for some more of those alike.
      @param {string[]} texts */
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
    /** @type {(ids: Uint32Array, from: number) => Uint32Array} */
    const sort = (ids, from) => {
      if (ids.length < 2) return ids;
      if (ids.length < 16 || from >= deepest) return ids.sort((one, other) => exhibit.compare(texts[one], texts[other]) || one - other);
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

  /** How many letters all texts begin with.
      @param {string[]} texts */
  const sharedLetters = (texts) => {
    const first = texts[0] ?? "";
    let count = Math.min(deepest, first.length);
    for (const text of texts) {
      let same = 0;
      while (same < count && same < text.length && text.charCodeAt(same) === first.charCodeAt(same)) same += 1;
      count = same;
    }
    return count;
  };
})();
