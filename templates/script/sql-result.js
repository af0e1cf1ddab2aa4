/* Results as tables, errors as sentences. */
(() => {
  const { code, Failure } = engine;
  const { element, counted } = exhibit;
  /** Characters, and bytes of a blob. */
  const [longestText, longestBlob, longestName, longestMessage] = [2000, 32, 300, 2000];
  const longestHeading = 20;

  /** @param {string} text */
  const visible = (text) => text.split("\n").map(exhibit.visible).join("\n");

  /** @type {(value: SQLCell) => [style: string, text: string, note?: string]} */
  const cell = (value) => {
    if (value === null) return ["null", "NULL"];
    if (typeof value === "bigint" || typeof value === "number") return ["number", csv.field(value)];
    if (value === "") return ["empty", "empty text"];
    const { part, bytes } = typeof value === "object" && "part" in value ? value : { part: value, bytes: value.length };
    if (typeof part !== "string") {
      const cut = bytes > longestBlob ? "…" : "";
      return ["blob", `x'${exhibit.hexadecimal(part.subarray(0, longestBlob))}${cut}'`, counted(bytes, "byte")];
    }
    const note = part !== value ? `cut from ${counted(bytes, "byte")}`
      : part.length > longestText ? `cut from ${counted(bytes, "character")}` : "";
    return ["text", part.slice(0, longestText), note];
  };

  /** @param {SQLCell} value */
  const cellElement = (value) => {
    const [style, text, note] = cell(value);
    return element("td", style, exhibit.textElement(visible(text)), ...note ? [" ", element("small", "", note)] : []);
  };

  exhibit.sql.table = ({ columns, rows }) => {
    const head = element("tr", "", ...columns.map((name, column) => {
      const text = exhibit.bdi(name, longestName);
      if (name.length > longestHeading) exhibit.set(text, { title: text.textContent, tabindex: 0 });
      const types = new Set(rows.map((row) => row[column]).filter((value) => value !== null).map((value) => typeof value));
      const isNumeric = types.size > 0 && [...types].every((type) => type === "bigint" || type === "number");
      return element("th", { class: isNumeric ? "number" : null, scope: "col" }, text);
    }));
    const body = element("tbody", "", ...rows.map((row) => element("tr", "", ...row.map(cellElement))));
    return element("table", "rows", element("thead", "", head), body);
  };

  /** @param {number} milliseconds */
  const seconds = (milliseconds) => exhibit.duration(milliseconds / 1000);

  exhibit.sql.summary = ({ columns, rows, count, milliseconds, isStopped, parameters = 0 }) => {
    const [first, all, time] = [`The first ${counted(rows.length, "row")} of`, counted(count, "row"), seconds(milliseconds)];
    const sentence = !columns.length ? "Done: the statement gives no rows."
      : isStopped ? `${first} over ${all}; stopped after ${time}.`
      : `${count > rows.length ? `${first} ` : ""}${all} in ${time}.`;
    return parameters > 0 ? `${sentence} ${counted(parameters, "parameter")} without a value, which is NULL.` : sentence;
  };

  /** @type {[RegExp, string][]} */
  const explanations = [
    [/^no such (function|module|collation sequence)/, "What an app registers with its own SQLite does not exist here."],
    [/^too many attached databases/, "No other database can be attached here."],
    [/^database disk image|^malformed database|not a database/,
      "The file is damaged, or is no database; what was captured is as it lay on disk."],
    [/^string or blob too big/, "Values of up to 128 MiB are read here."],
  ];

  /** @type {(error: InstanceType<typeof Failure>, limit: number) => string} */
  const explanation = ({ code: number, message }, limit) => {
    if (number === code.readOnly) return "What was captured is only read.";
    if (number === code.interrupted) return `It ran for ${seconds(limit)}. A condition or a LIMIT makes it shorter.`;
    if (number === code.noMemory) return "The statement needs more than the 1 GiB that it has in a page.";
    return explanations.find(([pattern]) => pattern.test(message))?.[1] ?? "";
  };

  /** With a mark below the character.
      @type {(statement: string, offset: number) => string} */
  const place = (statement, offset) => {
    const before = statement.slice(0, offset).split("\n");
    const column = before[before.length - 1].length;
    const line = statement.split("\n")[before.length - 1];
    const start = Math.max(0, column - 60);
    const shown = line.slice(start, start + 120);
    // One sign a letter keeps the mark's place.
    const plain = Array.from(shown, (letter) => letter === "\t" || exhibit.visible(letter) === letter ? letter : "·").join("");
    return `Line ${before.length}, column ${column + 1}:\n${plain}\n${shown.slice(0, column - start).replace(/[^\t]/g, " ")}^`;
  };

  exhibit.sql.explain = (error, statement, { limit, isStopped }) => {
    const isBroken = error instanceof WebAssembly.RuntimeError;
    if (isBroken && engine.isOverdue) {
      return "Stopped: a single function ran for too long. Shorter values make it shorter. The next statement begins anew.";
    }
    if (isBroken || error instanceof RangeError) {
      return "SQLite broke off at this statement or this database. The next statement begins anew.";
    }
    if (!(error instanceof Failure)) return exhibit.reason(error);
    if (isStopped) return "Stopped.";
    const sentence = error.code === code.interrupted ? "Stopped." : `${visible(error.message.slice(0, longestMessage))}.`;
    const whole = [sentence, explanation(error, limit)].filter(Boolean).join(" ");
    return error.offset >= 0 ? `${whole}\n${place(statement, error.offset)}` : whole;
  };
})();
