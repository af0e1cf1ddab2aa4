/* Statements that make a database as it was after a step. */
(() => {
  /** More would stop the page. */
  const mostRows = 20_000;

  class NotWhole extends Error {}

  const quoted = exhibit.sqlQuoted;

  /** @type {(value: Value) => SQLValue} */
  const bound = (value) => {
    if (value === null || typeof value === "string") return value;
    if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
    if (exhibit.isNumber(value)) return cells.number(value);
    if (exhibit.isBlob(value) && !cells.isCut(value)) return exhibit.bytes(value[1]);
    throw new NotWhole("a value is not told whole");
  };

  /** @type {(name: string, told: StateTable, shape: Table, state: TableState) => SQLStatement[]} */
  const statementsOf = (name, told, shape, state) => {
    const table = quoted(name);
    /** @type {SQLStatement[]} */
    const statements = state.holdsCaptured ? [] : [{ sql: `DELETE FROM ${table}` }];
    const rowid = ["rowid", "_rowid_", "oid"].find((name) => !told.columns.some((column) => column.toLowerCase() === name));
    if (told.hasRowid && !rowid && state.rows.size) throw new NotWhole(`the rows of ${name} cannot be told from each other`);
    const conditions = told.hasRowid ? `${rowid} = ?`
      : shape.key.map((column) => `${quoted(shape.columns[column].name)} IS ?`).join(" AND ");
    const keyed = [...state.rows].map(([text, row]) => {
      const key = JSON.parse(text);
      return { key: told.hasRowid ? [key] : key.slice(1), row };
    });
    for (const { key } of keyed) statements.push({ sql: `DELETE FROM ${table} WHERE ${conditions}`, values: key.map(bound) });
    // A rowid that no column shows.
    const isHidden = told.hasRowid && shape.columns[0]?.isRowid;
    const columns = [...(isHidden ? [rowid] : []), ...told.columns.map(quoted)];
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    for (const { key, row } of keyed) if (row) statements.push({ sql, values: [...(isHidden ? key : []), ...row].map(bound) });
    return statements;
  };

  /** Says why there are none.
      @param {Time} time
      @returns {SQLState | null} */
  const stateForSQL = ({ step, timeline, browser }) => {
    if (!step) return null;
    const name = `after step ${step.number}`;
    /** @type {SQLStatement[]} */
    const statements = [];
    let rows = 0;
    try {
      for (const [table, told] of timeline.tables) {
        if (!told.events.length || told.bound) continue;
        const state = timeline.state(table, step.number);
        if (state.bound) throw new NotWhole(`what was in ${table} ${name} is not told. ${state.bound.replace(/\.$/, "")}`);
        const shape = browser.database.table(table);
        if (!shape || !told.captured) {
          if (state.exists) throw new NotWhole(`${table} is not in it`);
          continue;
        }
        rows += state.rows.size;
        if (rows > mostRows) throw new NotWhole("too many rows were others then");
        if (state.exists) statements.push(...statementsOf(table, told, shape, state));
        else statements.push({ sql: `DROP TABLE ${quoted(table)}` });
      }
    } catch (error) {
      if (error instanceof NotWhole) return { name, reason: `${error.message}.` };
      throw error;
    }
    return { name, statements };
  };

  /** @type {number | undefined} */
  let waiting;

  exhibit.askAt = (time) => {
    clearTimeout(waiting);
    // Once the reader has stopped choosing.
    waiting = setTimeout(() => exhibit.sql.setState?.(time.browser.number, stateForSQL(time)), 120);
  };
})();
