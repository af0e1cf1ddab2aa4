/* Values of a database, and how they are shown: docs/rows-data.md. */
const cells = (() => {
  /** @type {Record<TaggedValue[0], ValueKind>} */
  const kinds = { i: "number", r: "number", t: "text", u: "text", b: "blob", "?": "untold" };

  /** @type {(value: Value) => ValueKind} */
  const kindOf = (value) => {
    if (value === null) return "null";
    if (typeof value === "number") return "number";
    if (typeof value === "string") return value === "" ? "empty" : "text";
    return kinds[value[0]] ?? "untold";
  };

  exhibit.isBlob = /** @type {Exhibit["isBlob"]} */ ((value) => kindOf(value) === "blob");

  exhibit.isNumber = /** @type {Exhibit["isNumber"]} */ ((value) => kindOf(value) === "number");

  /** @type {Record<string, number>} */
  const infinite = { inf: Infinity, "-inf": -Infinity };

  /** A BigInt where numbers lose digits.
      @type {(value: NumberValue) => number | bigint} */
  const number = (value) => {
    if (typeof value === "number") return value;
    return value[0] === "i" ? BigInt(value[1]) : infinite[value[1]] ?? Number(value[1]);
  };

  /** As SQLite prints it.
      @type {(value: Value, column?: Column) => string} */
  const text = (value, column) => {
    if (value === null) return "NULL";
    if (typeof value === "string") return value;
    // A real never looks like an integer.
    const isWhole = Number.isInteger(value) && Math.abs(Number(value)) < 1e15;
    if (typeof value === "number") return column?.isReal && isWhole ? `${value}.0` : String(value);
    if (value[0] === "b") return digits(value) + (value[2] > 38 ? "…" : "");
    if (value[0] === "r") return value[1].replace(/inf$/, "Inf");
    return ["i", "t", "u"].includes(value[0]) ? String(value[1]) : "not told";
  };

  /** The same for the same values.
      @type {(value: Value) => string} */
  const exact = (value) => {
    if (value === null || typeof value === "string" || typeof value === "number") return value === null ? "NULL" : String(value);
    if (value[0] === "r") return String(number(value));
    if (value[0] === "b") return `x'${allDigits(value)}'`;
    if (value[0] === "?") return "not told…";
    return value[0] === "i" ? value[1] : `${value[1]}…${value[2] ?? ""}`;
  };

  /** @type {(value: BlobValue) => string} */
  const digits = (value) => value.digits ??= exhibit.hexadecimal(exhibit.bytes(value[1].slice(0, 52)).subarray(0, 38));

  /** @type {(value: BlobValue) => string} */
  const allDigits = (value) => value[2] > 38 ? exhibit.hexadecimal(exhibit.bytes(value[1])) : digits(value);

  /** @type {(value: Value) => boolean} */
  const isCut = (value) => Array.isArray(value)
    && (value[0] === "t" || (value[0] === "b" && value[2] * 4 / 3 > value[1].length + 4));

  /** Seconds from 1970 to 2001, where Apple's clocks begin. */
  const reference = 978_307_200;
  /** `unit` is in milliseconds. Years 1981 to 2100. */
  const clocks = [
    { words: "seconds since 1970", unit: 1000, from: 0, least: 3.5e8, most: 4.1e9 },
    { words: "milliseconds since 1970", unit: 1, from: 0, least: 3.5e11, most: 4.1e12 },
    { words: "microseconds since 1970", unit: 1e-3, from: 0, least: 3.5e14, most: 4.1e15 },
  ];
  const sinceReference = { words: "seconds since 2001", unit: 1000, from: reference * 1000, least: -1e9, most: 3.2e9 };

  const namesTime = /date|time|created|updated|modified|expire|deadline|(^|_)(at|on|since|until)$|[a-z](At|On)$/;

  /** @type {(column: Column, values: Value[]) => Clocked | null} */
  const clock = (column, values) => {
    const isNamed = namesTime.test(column.name) || /date|time/i.test(column.type) || namesTime.test(column.name.toLowerCase());
    const numbers = values.filter((value) => typeof value === "number").slice(0, 200).map(Number);
    if (!isNamed || column.isRowid || !numbers.length) return null;
    // Core Data's columns begin with Z.
    const possible = /^Z/.test(column.name) && /timestamp/i.test(column.type) ? [sinceReference] : clocks;
    return possible.find(({ least, most }) => numbers.every((value) => value >= least && value <= most)) ?? null;
  };

  const day = 86_400_000;
  /** The last date: a filter asks for those of all rows. */
  let last = { number: NaN, text: "" };

  const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

  /** @type {(value: number, clock: Clocked) => string} */
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

  /** @type {(value: Value, column: Column) => string | null} */
  const meaning = (value, column) => {
    if (typeof value === "number" && column.entities) return Object.hasOwn(column.entities, value) ? column.entities[value] : null;
    if (typeof value === "number") return column.clock ? time(value, column.clock) : null;
    if (!Array.isArray(value) || value[0] !== "b" || value[2] !== 16) return null;
    return uuid(digits(value));
  };

  /** Of the digits of sixteen bytes.
      @type {(digits: string) => string} */
  const uuid = (digits) => digits.toUpperCase().replace(/^(.{8})(....)(....)(....)/, "$1-$2-$3-$4-");

  /** @type {(table: Pick<Table, "columns">, rows: Row[]) => void} */
  const learn = (table, rows) => {
    table.columns.forEach((column, index) => {
      /** @type {Value[]} */
      const values = [];
      for (let place = 0; place < rows.length && values.length < 300; place += 1) {
        if (rows[place][index] !== null) values.push(rows[place][index]);
      }
      column.clock = clock(column, values);
      column.isNumeric = values.length > 0 && values.every((value) => kindOf(value) === "number");
      column.sample = values;
    });
  };

  return { kindOf, number, text, exact, digits, allDigits, isCut, meaning, uuid, time, learn };
})();
