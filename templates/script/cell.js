/* Values of a database: their kinds, their order, and how they are shown. A value is `null`, a number, a text, or an
   array that begins with its kind: see docs/rows-data.md. */
(() => {
  const kindOf = (value) => {
    if (value === null) return "null";
    if (typeof value === "number") return "number";
    if (typeof value === "string") return value === "" ? "empty" : "text";
    return { i: "number", r: "number", t: "text", u: "text", b: "blob", "?": "untold" }[value[0]] ?? "untold";
  };

  /** The number that a value is, a BigInt where a script's numbers do not hold it. */
  const number = (value) => {
    if (typeof value === "number") return value;
    if (value[0] === "i") return BigInt(value[1]);
    return { inf: Infinity, "-inf": -Infinity }[value[1]] ?? Number(value[1]);
  };

  /** The value as SQLite would print it; of a blob the beginning in hexadecimal. */
  const text = (value, column) => {
    if (value === null) return "NULL";
    if (typeof value === "string") return value;
    if (typeof value === "number") return column?.isReal && Number.isInteger(value) ? real(value) : String(value);
    switch (value[0]) {
    case "i": return value[1];
    case "r": return { inf: "Inf", "-inf": "-Inf" }[value[1]] ?? value[1];
    case "t": case "u": return value[1];
    case "b": return digits(value) + (value[2] > 38 ? "…" : "");
    default: return "not told";
    }
  };

  const real = (value) => Math.abs(value) < 1e15 ? `${value}.0` : String(value);

  /** The text by which values are the same: numbers by their size, texts and blobs by their kind too. */
  const exact = (value) => {
    if (typeof value === "number") return String(value);
    if (typeof value === "string") return value;
    if (value === null) return "NULL";
    if (value[0] === "r") return String(number(value));
    if (value[0] === "b") return `x'${allDigits(value)}'`;
    return value[0] === "i" ? value[1] : `${value[1]}…${value[2] ?? ""}`;
  };

  const ranks = { null: 0, number: 1, empty: 2, text: 2, blob: 3, untold: 4 };

  /** SQLite's order: NULL, numbers, texts, blobs. */
  const compare = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    if (typeof one === "string" && typeof other === "string") return one < other ? -1 : one > other ? 1 : 0;
    const [left, right] = [kindOf(one), kindOf(other)];
    if (ranks[left] !== ranks[right]) return ranks[left] - ranks[right];
    if (left === "null") return 0;
    const [a, b] = left === "number" ? [number(one), number(other)] : [text(one), text(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };

  const bytes = (value) => Uint8Array.from(atob(value[1]), (letter) => letter.charCodeAt(0));

  const pairs = Array.from({ length: 256 }, (none, byte) => byte.toString(16).padStart(2, "0"));

  const hexadecimal = (list) => {
    let text = "";
    for (const byte of list) text += pairs[byte];
    return text;
  };

  /** The first bytes of a blob in hexadecimal, kept with it: a filter asks for those of all rows. */
  const digits = (value) => {
    if (value.digits === undefined) {
      const letters = atob(value[1].slice(0, 52));
      let text = "";
      for (let place = 0; place < Math.min(38, letters.length); place += 1) text += pairs[letters.charCodeAt(place)];
      value.digits = text;
    }
    return value.digits;
  };

  /** All bytes of a blob that are here, in hexadecimal. */
  const allDigits = (value) => (value[2] > 38 ? hexadecimal(bytes(value)) : digits(value));

  /** Whether a value is not here as a whole, and how many bytes the whole is. */
  const wholeBytes = (value) => Array.isArray(value) && "tub".includes(value[0]) ? value[2] : null;

  const isCut = (value) => Array.isArray(value)
    && (value[0] === "t" || (value[0] === "b" && value[2] * 4 / 3 > value[1].length + 4));

  // ---- What values mean ----

  const uuid = (value) => {
    const all = digits(value).toUpperCase();
    return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => all.slice(from, to)).join("-");
  };

  /** Seconds from 1970 to 2001, from where Apple's frameworks count. */
  const reference = 978_307_200;
  /** How a whole column counts time: what a unit is in milliseconds, and from where. Years 1981 to 2100. */
  const clocks = [
    { words: "seconds since 1970", unit: 1000, from: 0, least: 3.5e8, most: 4.1e9 },
    { words: "milliseconds since 1970", unit: 1, from: 0, least: 3.5e11, most: 4.1e12 },
    { words: "microseconds since 1970", unit: 1e-3, from: 0, least: 3.5e14, most: 4.1e15 },
  ];
  const sinceReference = { words: "seconds since 2001", unit: 1000, from: reference * 1000, least: -1e9, most: 3.2e9 };

  const namesTime = /date|time|created|updated|modified|expire|deadline|(^|_)(at|on|since|until)$|[a-z](At|On)$/;

  /** How the numbers of a column tell time; `null` where they do not. */
  const clock = (column, values) => {
    const isNamed = namesTime.test(column.name) || /date|time/i.test(column.type) || namesTime.test(column.name.toLowerCase());
    if (!isNamed || column.isRowid) return null;
    const numbers = values.filter((value) => typeof value === "number").slice(0, 200);
    if (!numbers.length) return null;
    const fits = ({ least, most }) => numbers.every((value) => value >= least && value <= most);
    // Core Data's columns begin with Z.
    if (/^Z/.test(column.name) && /timestamp/i.test(column.type)) return fits(sinceReference) ? sinceReference : null;
    return clocks.find(fits) ?? null;
  };

  const day = 86_400_000;
  const twoDigits = Array.from({ length: 60 }, (none, number) => String(number).padStart(2, "0"));
  /** The date that was written last: a filter asks for those of all rows. */
  let last = { number: NaN, text: "" };

  const time = (value, { unit, from }) => {
    const milliseconds = Math.trunc(value * unit + from);
    const number = Math.floor(milliseconds / day);
    if (number !== last.number) {
      const date = new Date(number * day);
      if (Number.isNaN(date.getTime())) return String(value);
      last = { number, text: date.toISOString().replace(/T.*/, "") };
    }
    const rest = milliseconds - number * day;
    const [minutes, fraction] = [Math.floor(rest / 60_000), rest % 1000];
    const clock = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[Math.floor(rest / 1000) % 60]}`;
    return `${last.text} ${clock}${fraction ? `.${String(fraction).padStart(3, "0")}` : ""}`;
  };

  /** What a value means, where that is known of its column: shorter to read than the value itself. */
  const meaning = (value, column) => {
    if (typeof value === "number") return column.clock ? time(value, column.clock) : null;
    if (Array.isArray(value) && value[0] === "b" && value[2] === 16) return uuid(value);
    return null;
  };

  /** Looks at the values of each column once, for what they mean and on which side they stand. */
  const learn = (table, rows) => {
    table.columns.forEach((column, index) => {
      const values = [];
      for (let place = 0; place < rows.length && values.length < 300; place += 1) {
        if (rows[place][index] !== null) values.push(rows[place][index]);
      }
      column.clock = clock(column, values);
      column.isNumeric = values.length > 0 && values.every((value) => kindOf(value) === "number");
      column.sample = values;
    });
  };

  exhibit.cell = { kindOf, number, text, exact, compare, bytes, hexadecimal, digits, allDigits, wholeBytes, isCut, meaning, time, learn };
})();
