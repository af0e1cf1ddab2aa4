/* Cells in tables, and where foreign keys lead. */
(() => {
  exhibit.brokenReference = "no such row";

  /** In a cell; the panel has all. */
  const mostLetters = 300;

  const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
  const names = ["NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"];

  exhibit.visible = (text) => text.replace(hidden, (letter) => {
    if (letter === "\n") return "⏎";
    if (letter === "\t") return " ";
    const code = letter.charCodeAt(0);
    return `⟨${names[code] ?? (code === 0x7f ? "DEL" : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`)}⟩`;
  });

  exhibit.bdi = (text, most = 300) => exhibit.element("bdi", "", exhibit.visible(text.slice(0, most)));

  const uuid = /^([\da-f]{6})([\da-f]{2}-(?:[\da-f]{4}-){3}[\da-f]{8})([\da-f]{4})$/i;

  exhibit.shortUUID = (text) => text.replace(uuid, "$1…$3");

  exhibit.textElement = (text) => {
    const parts = uuid.exec(text);
    if (!parts) return exhibit.element("bdi", "", text);
    return exhibit.element("bdi", { class: "uuid", title: text }, parts[1], exhibit.element("span", "", parts[2]), parts[3]);
  };

  exhibit.cellElement = (value, column, link) => {
    const kind = cells.kindOf(value);
    const meaning = cells.meaning(value, column);
    const text = meaning ?? cells.text(value, column);
    /** @type {Partial<Record<ValueKind, string>>} */
    const words = { null: "NULL", empty: "empty text", untold: "not told" };
    const shown = words[kind] ?? exhibit.visible(text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text);
    const cell = exhibit.element("div", {
      class: `cell ${meaning === null ? kind : "meaning"}`,
      title: meaning === null ? null : `stored: ${cells.text(value, column)}`,
    }, exhibit.textElement(shown));
    if (link?.href) {
      cell.replaceChildren(exhibit.set(exhibit.link(link.href, ...cell.childNodes), { tabindex: -1 }));
      if (link.name) cell.append(" ", exhibit.element("bdi", "other", link.name));
    }
    const broken = [Array.isArray(value) && value[0] === "u" ? "not UTF-8" : "", link?.isBroken ? exhibit.brokenReference : ""];
    for (const words of broken.filter(Boolean)) cell.append(" ", exhibit.element("span", "broken", words));
    return cell;
  };

  /** A name, title, or first text that is no key.
      @param {Table} table */
  const nameColumn = (table) => {
    const refers = new Set([...table.key, ...table.foreignKeys.flatMap(({ columns }) => columns)]);
    // Dates name no row.
    const candidates = table.columns.filter(({ sample }, index) => !refers.has(index)
      && sample?.some((value) => typeof value === "string" && !/^\d{4}-\d\d/.test(value)));
    const named = candidates.find(({ name }) => /^z?(full|display|file)?_?(name|title|label|subject|email|code)$/i.test(name));
    return table.columns.findIndex((column) => column === (named ?? candidates[0]));
  };

  exhibit.rowTitle = (table, row) => {
    const value = row[table.nameColumn ??= nameColumn(table)];
    return typeof value === "string" ? exhibit.visible(value.slice(0, 60)) : "";
  };

  exhibit.linkColumn = (table, key) => {
    /** @param {number} column */
    const isShared = (column) => table.foreignKeys.some((other) => other !== key && other.columns.includes(column));
    return key.columns.find((column) => !isShared(column)) ?? key.columns[0];
  };

  exhibit.readLinks = (grid) => {
    const { database, table } = grid;
    if (database && table.foreignKeys.length && !grid.links.size) grid.linksRead = readLinks(grid, database, table);
    return grid.linksRead;
  };

  /** @type {(grid: Grid, database: Database, table: Table) => Promise<void>} */
  const readLinks = async (grid, database, table) => {
    const leads = await exhibit.readReferences(database, table);
    if (grid.table !== table) return;
    grid.references = shown(table, leads);
    for (const [key, reference] of leads) {
      /** @param {Row} row */
      const link = (row) => {
        const found = reference.target(row);
        if (!found) return found === null ? null : { isBroken: reference.isWhole };
        return { href: grid.link?.(reference.table, found), name: exhibit.rowTitle(reference.table, found) };
      };
      grid.links.set(exhibit.linkColumn(table, key), link);
      grid.keyLinks.set(key, link);
    }
    grid.lay();
  };

  /** @type {WeakMap<Table, Promise<Map<ForeignKey, Reference>>>} */
  const references = new WeakMap();

  exhibit.readReferences = (database, table) => exhibit.once(references, table, async () => {
    /** @type {Map<ForeignKey, Reference>} */
    const found = new Map();
    for (const key of table.foreignKeys) {
      const parent = database.parents(key);
      if (!parent) continue;
      const places = await database.index(parent.table, parent.columns);
      // Then a row not found is missing in the database.
      const isWhole = !parent.table.note && !parent.table.problem && exhibit.promised(parent.table) === parent.table.rowCount;
      found.set(key, {
        table: parent.table, isWhole,
        target(row) {
          const text = databases.key(row, key.columns);
          return text === null ? null : places.get(text)?.[0];
        },
      });
    }
    return found;
  });

  /** @type {(table: Table, all: Map<ForeignKey, Reference>) => References} */
  const shown = (table, all) => new Map([...all].map(([key, reference]) => [exhibit.linkColumn(table, key), reference]));

  exhibit.shownReferences = async (database, table) => shown(table, await exhibit.readReferences(database, table));

  exhibit.referringTo = async (database, table, row) => {
    /** @type {Referring[]} */
    const found = [];
    for (const { from, key } of database.leadingTo(table)) {
      const parent = database.parents(key);
      const text = parent && databases.key(row, parent.columns);
      const rows = text === null ? [] : (await database.index(from, key.columns)).get(text) ?? [];
      if (rows.length) found.push({ table: from, key, rows });
    }
    return found;
  };
})();
