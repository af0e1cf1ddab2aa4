/* Which rows of a table the test changed, found among the rows that are here. */
(() => {
  const kinds = { "+": "added", "~": "changed", "−": "removed" };

  /**
   * @param marks what data/marks says of the table
   * @returns the rows with those that were removed, in their places, and what happened to each by row
   */
  exhibit.markedRows = (table, rows, marks) => {
    const found = new Map();
    if (!marks?.rows.length) return { rows, marks: found };
    const columns = marks.columns.map((name) => exhibit.databases.column(table, name));
    const places = new Map(rows.map((row) => [nameOf(table, row), row]));
    // Rows whose number nobody told are known by what is in them.
    let contents = null;
    const placed = (known) => {
      if (!isUntold(known[table.key[0]])) return places.get(nameOf(table, known));
      contents ??= new Map(rows.map((row) => [contentOf(table, row), row]));
      return contents.get(contentOf(table, known));
    };
    const removed = [];
    for (const [sign, rowid, values, ...before] of marks.rows) {
      const known = values ? exhibit.laidOutRow(table, columns, rowid, values) : null;
      const row = known ? placed(known) : places.get(exhibit.cell.exact(rowid));
      const kind = kinds[sign];
      if (kind === "removed") {
        if (!row && known) removed.push(known);
      } else if (row) {
        const former = formerValues(row, columns, before);
        if (kind === "added" || former.size) found.set(row, { kind, before: former });
      }
    }
    for (const row of removed) found.set(row, { kind: "removed" });
    return { rows: exhibit.mergedRows(table, rows, removed), marks: found };
  };

  /** Its key; of a row that nothing tells from others all of its values. */
  const nameOf = (table, row) =>
    table.key.length && !isUntold(row[table.key[0]]) ? exhibit.databases.rowName(table, row) : contentOf(table, row);

  const contentOf = (table, row) =>
    row.slice(table.columns[0]?.isRowid ? 1 : 0).map((value) => value === null ? "NULL" : exhibit.cell.exact(value)).join("\n");

  const isUntold = (value) => Array.isArray(value) && value[0] === "?";

  /** Told values in the places that the table has for them; `rowid` is `null` where there is none. */
  exhibit.laidOutRow = (table, columns, rowid, values) => {
    const row = table.columns.map(() => ["?"]);
    columns.forEach((column, index) => { if (column >= 0 && index < values.length) row[column] = values[index]; });
    if (table.columns[0]?.isRowid && rowid !== null) row[0] = rowid;
    return row;
  };

  const formerValues = (row, columns, pairs) => {
    const former = new Map();
    for (let index = 0; index < pairs.length; index += 2) {
      const column = columns[pairs[index]];
      const value = pairs[index + 1];
      if (column === undefined || column < 0) continue;
      // A state before the change still has the former value.
      if (value === null ? row[column] === null : row[column] !== null && exhibit.cell.exact(row[column]) === exhibit.cell.exact(value)) continue;
      former.set(column, value);
    }
    return former;
  };

  /** Rows with others among them by their key where that is a number, else at the end. */
  exhibit.mergedRows = (table, rows, others) => {
    if (!others.length) return rows;
    const column = table.key.length === 1 ? table.key[0] : -1;
    const number = (row) => column >= 0 && typeof row[column] === "number" ? row[column] : Infinity;
    const sorted = [...others].sort((one, other) => number(one) - number(other) || 0);
    const all = [];
    let next = 0;
    for (const row of rows) {
      while (next < sorted.length && number(sorted[next]) < number(row)) { all.push(sorted[next]); next += 1; }
      all.push(row);
    }
    return all.concat(sorted.slice(next));
  };
})();
