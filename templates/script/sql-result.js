/* What a statement gave, as a table, and what SQLite says where it gave nothing, in words. */
(() => {
  const { code } = exhibit.sql;
  /** Characters of a text, and bytes of a blob, that a cell shows; characters of a column's name and of an error. */
  const [longestText, longestBlob, longestName, longestMessage] = [2000, 32, 300, 2000];
  /** Characters of a heading that has room. */
  const longestHeading = 20;

  /** In lines as they are, with what hides or moves text as a sign. */
  const visible = (text) => text.split("\n").map(exhibit.visible).join("\n");

  // ---- Cells ----

  const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  /** As SQLite writes it: a real number never looks like an integer. */
  const real = (number) => {
    if (number === Infinity) return "Inf";
    if (number === -Infinity) return "-Inf";
    const text = String(number);
    return /^-?\d+$/.test(text) ? `${text}.0` : text;
  };

  const cell = (value) => {
    if (value === null) return ["null", "NULL", ""];
    if (typeof value === "bigint") return ["number", String(value), ""];
    if (typeof value === "number") return ["number", real(value), ""];
    if (value === "") return ["empty", "empty text", ""];
    const { part, bytes } = value instanceof Object && "part" in value ? value : { part: value, bytes: value.length };
    if (typeof part === "string") {
      const isCut = part !== value || part.length > longestText;
      const note = part !== value ? `cut from ${exhibit.counted(bytes, "byte")}` : `cut from ${exhibit.counted(bytes, "character")}`;
      return ["text", part.slice(0, longestText), isCut ? note : ""];
    }
    const isCut = bytes > longestBlob;
    return ["blob", `x'${hexadecimal(part.subarray(0, longestBlob))}${isCut ? "…" : ""}'`, exhibit.counted(bytes, "byte")];
  };

  const cellElement = (value) => {
    const [style, text, note] = cell(value);
    const element = exhibit.element("td", style, exhibit.textElement(visible(text)));
    if (note) element.append(" ", exhibit.element("small", "", note));
    return element;
  };

  /** A table of the rows that were kept. */
  exhibit.sql.table = ({ columns, rows }) => {
    const isNumeric = columns.map((_, column) =>
      rows.some((row) => row[column] !== null) && rows.every((row) => ["bigint", "number"].includes(typeof row[column]) || row[column] === null));
    const head = exhibit.element("tr", "", ...columns.map((name, column) => {
      const text = exhibit.element("bdi", "", exhibit.visible(name.slice(0, longestName)));
      if (name.length > longestHeading) Object.assign(text, { title: text.textContent, tabIndex: 0 });
      const heading = exhibit.element("th", isNumeric[column] ? "number" : "", text);
      heading.scope = "col";
      return heading;
    }));
    const body = exhibit.element("tbody", "", ...rows.map((row) => exhibit.element("tr", "", ...row.map(cellElement))));
    return exhibit.element("table", "rows", exhibit.element("thead", "", head), body);
  };

  const seconds = (milliseconds) => exhibit.duration(milliseconds / 1000);

  /** How many rows there are, and how long SQLite worked. */
  exhibit.sql.summary = ({ columns, rows, count, milliseconds, isStopped, parameters }) => {
    const parts = [];
    if (!columns.length) parts.push("Done: the statement gives no rows.");
    else if (isStopped) parts.push(`The first ${exhibit.counted(rows.length, "row")} of over ${exhibit.counted(count, "row")}; stopped after ${seconds(milliseconds)}.`);
    else if (count > rows.length) parts.push(`The first ${exhibit.counted(rows.length, "row")} of ${exhibit.counted(count, "row")} in ${seconds(milliseconds)}.`);
    else parts.push(`${exhibit.counted(count, "row")} in ${seconds(milliseconds)}.`);
    if (parameters > 0) parts.push(`${exhibit.counted(parameters, "parameter")} without a value, which is NULL.`);
    return parts.join(" ");
  };

  // ---- Errors ----

  const own = "What an app registers with its own SQLite does not exist here.";

  const explanations = [
    [/^no such (function|module|collation sequence)/, own],
    [/^too many attached databases/, "No other database can be attached here."],
    [/^database disk image|^malformed database|not a database/, "The file is damaged, or is no database; what was captured is as it lay on disk."],
    [/^string or blob too big/, "Values of up to 128 MiB are read here."],
  ];

  const explanation = ({ code: number, message }, limit) => {
    if (number === code.readOnly) return "What was captured is only read.";
    if (number === code.interrupted) return `It ran for ${seconds(limit)}. A condition or a LIMIT makes it shorter.`;
    if (number === code.noMemory) return "The statement needs more than the 1 GiB that it has in a page.";
    return explanations.find(([pattern]) => pattern.test(message))?.[1] ?? "";
  };

  /** Where in a text a character is, and its line with a mark below. */
  const place = (statement, offset) => {
    const before = statement.slice(0, offset).split("\n");
    const column = before.at(-1).length;
    const line = statement.split("\n")[before.length - 1];
    // What is left of a long line still shows the place.
    const start = Math.max(0, column - 60);
    const shown = line.slice(start, start + 120);
    // A sign for each, so that the mark below stays in its place.
    const plain = Array.from(shown, (letter) => letter === "\t" || exhibit.visible(letter) === letter ? letter : "·").join("");
    return `Line ${before.length}, column ${column + 1}:\n${plain}\n${shown.slice(0, column - start).replace(/[^\t]/g, " ")}^`;
  };

  /** What went wrong, for the reader. */
  exhibit.sql.explain = (error, statement, { limit, isStopped }) => {
    if (error instanceof WebAssembly.RuntimeError && exhibit.sql.engine.isOverdue) {
      return "Stopped: a single function ran for too long. Shorter values make it shorter. The next statement begins anew.";
    }
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      return "SQLite broke off at this statement or this database. The next statement begins anew.";
    }
    if (!(error instanceof exhibit.sql.Failure)) return error.message;
    if (isStopped) return "Stopped.";
    const sentence = error.code === code.interrupted ? "Stopped." : `${visible(error.message.slice(0, longestMessage))}.`;
    const parts = [[sentence, explanation(error, limit)].filter(Boolean).join(" ")];
    if (error.offset >= 0) parts.push(place(statement, error.offset));
    return parts.join("\n");
  };
})();
