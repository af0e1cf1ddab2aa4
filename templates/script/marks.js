/* Marks the rows that the test changed. */
(() => {
  exhibit.markedRows = (table, rows, marks) => {
    /** @type {Marks} */
    const found = new Map();
    if (!marks?.rows.length) return { rows, marks: found };
    const columns = marks.columns.map((name) => databases.column(table, name));
    const places = new Map(rows.map((row) => [nameOf(table, row), row]));
    /** For rows without a key.
        @type {Map<string, Row> | undefined} */
    let contents;
    /** @param {Row} known */
    const placed = (known) => {
      if (!isUntold(known[table.key[0]])) return places.get(nameOf(table, known));
      contents ??= new Map(rows.map((row) => [contentOf(table, row), row]));
      return contents.get(contentOf(table, known));
    };
    /** @type {Row[]} */
    const removed = [];
    for (const [sign, rowid, values, ...before] of marks.rows) {
      const known = values ? exhibit.laidOutRow(table, columns, rowid, values) : null;
      const row = known ? placed(known) : places.get(cells.exact(rowid));
      if (sign === "−") {
        if (!row && known) removed.push(known);
      } else if (row) {
        const former = formerValues(row, columns, before);
        if (sign === "+" || former.size) found.set(row, { kind: sign === "+" ? "added" : "changed", before: former });
      }
    }
    for (const row of removed) found.set(row, { kind: "removed" });
    return { rows: exhibit.mergedRows(table, rows, removed), marks: found };
  };

  /** A row's key, or all its values.
      @type {(table: Table, row: Row) => string} */
  const nameOf = (table, row) =>
    table.key.length && !isUntold(row[table.key[0]]) ? databases.rowName(table, row) : contentOf(table, row);

  /** The number 1 is not the text 1.
      @type {(value: Value) => string} */
  const identity = (value) => {
    const text = cells.exact(value);
    return `${cells.kindOf(value)} ${text.length} ${text}`;
  };

  /** @type {(table: Table, row: Row) => string} */
  const contentOf = (table, row) => row.slice(table.columns[0]?.isRowid ? 1 : 0).map(identity).join("\n");

  /** @param {Value} value */
  const isUntold = (value) => Array.isArray(value) && value[0] === "?";

  exhibit.laidOutRow = (table, columns, rowid, values) => {
    /** @type {Row} */
    const row = table.columns.map(() => ["?"]);
    columns.forEach((column, index) => { if (column >= 0 && index < values.length) row[column] = values[index]; });
    if (table.columns[0]?.isRowid && rowid !== null) row[0] = rowid;
    return row;
  };

  /** @type {(row: Row, columns: number[], pairs: Value[]) => Map<number, Value>} */
  const formerValues = (row, columns, pairs) => {
    const former = new Map();
    for (let index = 0; index < pairs.length; index += 2) {
      const column = columns[Number(pairs[index])] ?? -1;
      if (column < 0) continue;
      const [value, own] = [pairs[index + 1], row[column]];
      // An earlier state still has the former value.
      if (identity(own) !== identity(value)) former.set(column, value);
    }
    return former;
  };

  exhibit.keyOrder = (table) => {
    const column = table.key.length === 1 ? table.key[0] : -1;
    /** @param {Row} row */
    const number = (row) => typeof row[column] === "number" ? Number(row[column]) : Infinity;
    return (one, other) => number(one) - number(other) || 0;
  };

  exhibit.mergedRows = (table, rows, others) => {
    if (!others.length) return rows;
    const order = exhibit.keyOrder(table);
    const sorted = [...others].sort(order);
    const all = [];
    let next = 0;
    for (const row of rows) {
      for (; next < sorted.length && order(sorted[next], row) < 0; next += 1) all.push(sorted[next]);
      all.push(row);
    }
    return all.concat(sorted.slice(next));
  };
})();
