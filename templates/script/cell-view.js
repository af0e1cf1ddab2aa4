/* A cell as a table shows it, and where foreign keys lead. */
(() => {
  /** What a cell shows whose foreign key leads to no row. */
  exhibit.brokenReference = "no such row";

  /** Letters of a text that a table's cell has; the panel has all. */
  const mostLetters = 300;

  const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
  const names = ["NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"];

  /** On one line, with what hides, moves or controls text as a sign: as the pages write texts from outside. */
  exhibit.visible = (text) => text.replace(hidden, (letter) => {
    if (letter === "\n") return "⏎";
    if (letter === "\t") return " ";
    const code = letter.charCodeAt(0);
    return `⟨${names[code] ?? (code === 0x7f ? "DEL" : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`)}⟩`;
  });

  const uuid = /^([\da-f]{6})([\da-f]{2}-(?:[\da-f]{4}-){3}[\da-f]{8})([\da-f]{4})$/i;

  /** `6aa6e2…c2f1` of a UUID, others as they are: what is seen of a text. */
  exhibit.shortUUID = (text) => text.replace(uuid, "$1…$3");

  /** The text of a cell; of a UUID the middle is there to be copied and to be read out alone. */
  exhibit.textElement = (text) => {
    const parts = uuid.exec(text);
    if (!parts) return exhibit.element("bdi", "", text);
    const [, start, middle, end] = parts;
    const element = exhibit.element("bdi", "uuid", start, exhibit.element("span", "", middle), end);
    element.title = text;
    return element;
  };

  /** @param link what a foreign key leads to: `{href, name}`, or `{isBroken}` */
  exhibit.cellElement = (value, column, link) => {
    const kind = exhibit.cell.kindOf(value);
    const meaning = exhibit.cell.meaning(value, column);
    const text = meaning ?? exhibit.cell.text(value, column);
    const cell = exhibit.element("div", `cell ${meaning === null ? kind : "meaning"}`);
    const shown = { null: "NULL", empty: "empty text", untold: "not told" }[kind]
      ?? exhibit.visible(text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text);
    if (link?.href) {
      const anchor = exhibit.element("a", "", exhibit.textElement(shown));
      anchor.href = link.href;
      anchor.tabIndex = -1;
      cell.append(anchor);
      if (link.name) cell.append(" ", exhibit.element("bdi", "other", link.name));
    } else {
      cell.append(exhibit.textElement(shown));
    }
    if (Array.isArray(value) && value[0] === "u") cell.append(" ", exhibit.element("span", "broken", "not UTF-8"));
    if (link?.isBroken) cell.append(" ", exhibit.element("span", "broken", exhibit.brokenReference));
    if (meaning !== null) cell.title = `stored: ${exhibit.cell.text(value, column)}`;
    return cell;
  };

  /** The column by whose text a row is called: a name, a title, or the first text that is no key. */
  exhibit.nameColumn = (table) => {
    if (table.nameColumn !== undefined) return table.nameColumn;
    const refers = new Set([...(table.key ?? []), ...(table.foreignKeys ?? []).flatMap(({ columns }) => columns)]);
    // A date calls no row.
    const isText = (index) => (table.columns[index].sample ?? []).some((value) => typeof value === "string" && !/^\d{4}-\d\d/.test(value));
    const candidates = [...table.columns.keys()].filter((index) => !refers.has(index) && isText(index));
    const named = candidates.find((index) => /^z?(full|display|file)?_?(name|title|label|subject|email|code)$/i.test(table.columns[index].name));
    table.nameColumn = named ?? candidates[0] ?? -1;
    return table.nameColumn;
  };

  exhibit.rowTitle = (table, row) => {
    const column = exhibit.nameColumn(table);
    const value = column < 0 ? null : row[column];
    return typeof value === "string" ? exhibit.visible(value.slice(0, 60)) : "";
  };

  /** Whether all rows of a table are here, so that one that is not found is missing in the database. */
  exhibit.isWhole = (table) =>
    !table.note && !table.problem && table.parts?.reduce((sum, [, , count]) => sum + count, 0) === table.rowCount;

  /** The column in whose cells a foreign key's link stands: one that no other key has, where there is one. */
  exhibit.linkColumn = (table, key) => {
    const isShared = (column) => table.foreignKeys.some((other) => other !== key && other.columns.includes(column));
    return key.columns.find((column) => !isShared(column)) ?? key.columns[0];
  };

  /** Finds out where the foreign keys of a grid's rows lead, then draws them. */
  exhibit.readLinks = (grid) => {
    if (grid.database && grid.table.foreignKeys?.length && !grid.links.size) grid.linksRead = readLinks(grid);
    return grid.linksRead;
  };

  const readLinks = async (grid) => {
    const { database, table } = grid;
    const leads = await exhibit.readReferences(database, table);
    const shown = await exhibit.shownReferences(database, table);
    if (grid.table !== table) return;
    grid.references = shown;
    for (const [key, reference] of leads) {
      const link = (row) => {
        const found = reference.target(row);
        if (!found) return found === null ? null : { isBroken: reference.isWhole };
        return { href: grid.link(reference.table, found), name: exhibit.rowTitle(reference.table, found) };
      };
      grid.links.set(exhibit.linkColumn(table, key), link);
      grid.keyLinks.set(key, link);
    }
    grid.lay();
  };

  const references = new WeakMap();

  /**
   * Where the foreign keys of a table's rows lead: by key the other `table`, whether all rows of it are here (`isWhole`), and
   * for a row the `target`, which is `null` where it refers to none and `undefined` where that is not found.
   */
  exhibit.readReferences = (database, table) => {
    if (!references.has(table)) references.set(table, readReferences(database, table));
    return references.get(table);
  };

  const readReferences = async (database, table) => {
    const found = new Map();
    for (const key of table.foreignKeys ?? []) {
      const parent = database.parents(key);
      if (!parent) continue;
      const rows = await database.rows(parent.table);
      if (!parent.table.columns[0]?.sample) exhibit.cell.learn(parent.table, rows);
      const places = await database.index(parent.table, parent.columns);
      const target = (row) => {
        const text = exhibit.databases.key(row, key.columns);
        return text === null ? null : places.get(text)?.[0];
      };
      found.set(key, { table: parent.table, isWhole: exhibit.isWhole(parent.table), target });
    }
    return found;
  };

  /** By column, what its cells show beside their values: the reference that stands there. */
  exhibit.shownReferences = async (database, table) => {
    const all = await exhibit.readReferences(database, table);
    return new Map([...all].map(([key, reference]) => [exhibit.linkColumn(table, key), reference]));
  };

  /** What refers to a row: `{table, key, rows}` for each foreign key that does. */
  exhibit.referringTo = async (database, table, row) => {
    const found = [];
    for (const { from, key } of database.leadingTo(table)) {
      const parent = database.parents(key);
      const text = parent && exhibit.databases.key(row, parent.columns);
      if (!parent || text === null) continue;
      const rows = (await database.index(from, key.columns)).get(text) ?? [];
      if (rows.length) found.push({ table: from, key, rows });
    }
    return found;
  };
})();
