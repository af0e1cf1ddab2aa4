/* SQL on the state that a reader chose in time: the captured database, with the statements that make it as it was then. */
(() => {
  /** Rows that are put back or taken away at most: beyond, a page would stand still. */
  const mostRows = 20_000;

  class NotWhole extends Error {}

  const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

  /** A value of the story as a statement takes it. */
  const bound = (value) => {
    if (value === null || typeof value === "string") return value;
    if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
    const [kind, text] = value;
    if (kind === "i") return BigInt(text);
    if (kind === "r") return exhibit.cell.number(value);
    if (kind === "b" && !exhibit.cell.isCut(value)) return exhibit.cell.bytes(value);
    throw new NotWhole("a value is not told whole");
  };

  /** A name of the rowid that no column has. */
  const rowid = (columns) => ["rowid", "_rowid_", "oid"].find((name) => !columns.some((column) => column.toLowerCase() === name));

  const statementsOf = (name, told, shape, state) => {
    const statements = [];
    const table = quoted(name);
    if (!state.holdsCaptured) statements.push({ sql: `DELETE FROM ${table}` });
    const alias = rowid(told.columns);
    const keyed = [...state.rows].map(([text, row]) => [JSON.parse(text), row]);
    for (const [key] of keyed) {
      if (told.hasRowid) {
        if (!alias) throw new NotWhole(`the rows of ${name} cannot be told from each other`);
        statements.push({ sql: `DELETE FROM ${table} WHERE ${alias} = ?`, values: [bound(key)] });
      } else {
        const conditions = shape.key.map((column) => `${quoted(shape.columns[column].name)} IS ?`).join(" AND ");
        statements.push({ sql: `DELETE FROM ${table} WHERE ${conditions}`, values: key.slice(1).map(bound) });
      }
    }
    // What a rowid is that no column shows has to be said.
    const isHidden = told.hasRowid && shape.columns[0]?.isRowid;
    const columns = [...(isHidden ? [alias] : []), ...told.columns.map(quoted)];
    const insert = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    for (const [key, row] of keyed) {
      if (row) statements.push({ sql: insert, values: [...(isHidden ? [bound(key)] : []), ...row.map(bound)] });
    }
    return statements;
  };

  /** What SQL runs on after a step: the statements that lead there, or why there are none. */
  exhibit.stateForSQL = (time) => {
    const { step, timeline, browser } = time;
    if (!step) return null;
    const name = `after step ${step.number}`;
    const statements = [];
    let rows = 0;
    try {
      for (const [table, told] of timeline.tables) {
        if (!told.events.length || told.bound) continue;
        const state = timeline.state(table, step.number);
        if (state.bound) return { name, reason: `what was in ${table} ${name} is not told. ${state.bound}` };
        const shape = browser.database.table(table);
        if (!shape || !told.captured) {
          if (state.exists) return { name, reason: `${table} is not in it.` };
          continue;
        }
        rows += state.rows.size;
        if (rows > mostRows) return { name, reason: "too many rows were others then." };
        if (state.exists) statements.push(...statementsOf(table, told, shape, state));
        else statements.push({ sql: `DROP TABLE ${quoted(table)}` });
      }
    } catch (error) {
      if (!(error instanceof NotWhole)) throw error;
      return { name, reason: `${error.message}.` };
    }
    return { name, statements };
  };

  let waiting = 0;

  /** Has the box of a database run on what was chosen, once the reader has stopped choosing. */
  exhibit.askAt = (time) => {
    if (!exhibit.sql?.setState) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => exhibit.sql.setState(time.browser.number, exhibit.stateForSQL(time)), 120);
  };
})();
