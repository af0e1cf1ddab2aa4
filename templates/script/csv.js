/* CSV as docs/reporter.md says; CSVText.swift writes the same. */
const csv = (() => {
  const { counted } = exhibit;
  /** Rows between two looks at the clock. */
  const slice = 2000;

  /** @param {string} text */
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

  /** Never like an integer.
      @param {number} number */
  const real = (number) => {
    const size = Math.abs(number);
    if (size === Infinity) return number < 0 ? "-Inf" : "Inf";
    if (Object.is(number, -0)) return "-0.0";
    if (size !== 0 && (size < 1e-4 || size > 2 ** 53)) {
      return number.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
    }
    return Number.isInteger(number) ? `${number}.0` : String(number);
  };

  /** @type {(value: SQLCell | undefined) => string} */
  const field = (value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "bigint") return String(value);
    if (typeof value === "number") return real(value);
    if (typeof value === "string") return quoted(value);
    if (value instanceof Uint8Array) return `X'${exhibit.hexadecimal(value)}'`;
    return field(value.part);
  };

  /** @param {SQLCell | undefined} value */
  const isCut = (value) => value === undefined || (typeof value === "object" && value !== null && "part" in value);

  /** As SQL has it; `undefined` where it was not told.
      @type {(value: Value, column: Column) => SQLCell | undefined} */
  const plain = (value, column) => {
    if (value === null || typeof value === "string") return value;
    if (typeof value === "number") return column.isReal || !Number.isInteger(value) ? value : BigInt(value);
    if (exhibit.isNumber(value)) return cells.number(value);
    if (exhibit.isBlob(value)) {
      const bytes = exhibit.bytes(value[1]);
      return cells.isCut(value) ? { part: bytes, bytes: value[2] } : bytes;
    }
    return value[0] === "t" || value[0] === "u" ? { part: value[1], bytes: value[2] } : undefined;
  };

  /** @type {(columns: string[], rows: Iterable<(SQLCell | undefined)[]>) => Promise<{ parts: string[], rows: number, cut: number }>} */
  const write = async (columns, rows) => {
    const made = { parts: [`${columns.map(quoted).join(",")}\r\n`], rows: 0, cut: 0 };
    let text = "";
    for (const row of rows) {
      for (const value of row) if (isCut(value)) made.cut += 1;
      text += `${row.map(field).join(",")}\r\n`;
      made.rows += 1;
      if (made.rows % slice) continue;
      made.parts.push(text);
      text = "";
      await new Promise((resume) => { setTimeout(resume); });
    }
    made.parts.push(text);
    return made;
  };

  /** @param {string} name */
  const fileName = (name) => `${name.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^[._]+/, "").slice(0, 80) || "table"}.csv`;

  /** @param {string[]} parts @param {string} name */
  const save = (parts, name) => {
    const address = URL.createObjectURL(new Blob(parts, { type: "text/csv" }));
    exhibit.element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };

  return {
    field, plain, write, fileName,

    /** `missing` names rows that are not in it.
        @param {string} name @param {string[]} columns @param {Iterable<(SQLCell | undefined)[]>} rows */
    async save(name, columns, rows, missing = "") {
      const { parts, rows: count, cut } = await write(columns, rows);
      const file = fileName(missing ? `${name}-part` : name);
      save(parts, file);
      const values = cut ? ` ${counted(cut, "value")} of it ${cut === 1 ? "is" : "are"} cut as in the page.` : "";
      return `Saved ${counted(count, "row")} as ${file}.${missing && ` Not all are in it: ${missing}`}${values}`;
    },

    /** @param {() => void} action */
    button: (action) => exhibit.button("csv", "Save as CSV", action, {
      title: "Values as they are: a spreadsheet takes a text that begins with = + - or @ for a formula",
    }),
  };
})();
