/* The rows of captured databases, read from data/rows when they are first needed; docs/rows-data.md describes them. */
(() => {
  const formats = [1];
  const heads = new Map();
  const chunks = new Map();
  const marks = new Map();
  const databases = new Map();

  /** Called by data/rows/ID/head.js with the tables, and by data/rows/ID/N.js with a number and rows. */
  exhibit.rows = (id, first, parts) => {
    if (parts) chunks.set(`${id}/${first}`, parts);
    else heads.set(id, first);
  };

  /** Called by data/marks/PAGE.js. */
  exhibit.marks = (page, evidence) => marks.set(page, evidence);

  exhibit.databases = {
    /** A database by what the page calls its rows. `base` leads to the report folder. */
    get(id, base = "") {
      if (!databases.has(id)) databases.set(id, open(id, base));
      return databases.get(id);
    },

    /** What a test changed, by the number of its evidence; nothing for a page without marks. */
    async marks(page, evidence, base = "") {
      if (!page) return null;
      if (!marks.has(page)) await exhibit.readFile(`${base}data/marks/${page}.js`);
      if (!marks.has(page)) throw new Error(`data/marks/${page}.js is not whole`);
      const found = marks.get(page)[evidence];
      if (!found) return null;
      const [since, tables] = found;
      return {
        since, tables: new Map(tables.map(([name, added, changed, removed, columns, rows]) =>
          [name, { added, changed, removed, columns, rows }])),
      };
    },
  };

  const open = async (id, base) => {
    await exhibit.readFile(`${base}data/rows/${id}/head.js`);
    const head = heads.get(id);
    if (!head) throw new Error(`data/rows/${id}/head.js is not whole`);
    if (!formats.includes(head.format)) throw new Error(`data/rows/${id} has a format of another version`);
    try {
      return new Database(id, base, head.tables.map(table));
    } catch {
      throw new Error(`data/rows/${id}/head.js is damaged`);
    }
  };

  /** A table of the head. A rowid that no column is comes first, as a column of its own. */
  const table = (head, index) => {
    const columns = head.columns.map(([name, type, flags]) =>
      ({ name, type, isReal: (flags & 1) !== 0, isGenerated: (flags & 2) !== 0, isRowid: false }));
    const shift = head.rowid ? 1 : 0;
    if (head.rowid) columns.unshift({ name: "rowid", type: "INTEGER", isReal: false, isGenerated: false, isRowid: true });
    return {
      index, name: head.name, kind: head.kind, rowCount: head.rows, columns, sql: head.sql ?? "",
      key: head.rowid ? [0] : head.key,
      foreignKeys: (head.foreignKeys ?? []).map(([own, parent, parents]) =>
        ({ columns: own.map((column) => column + shift), table: parent, parents })),
      parts: head.parts, note: head.note ?? "",
    };
  };

  class Database {
    constructor(id, base, tables) {
      Object.assign(this, { id, base, tables });
      this.read = new Map();
      this.files = new Map();
      this.places = new Map();
    }

    /** A table by its name, as SQLite compares names. */
    table(name) {
      return this.tables.find((table) => table.name === name)
        ?? this.tables.find((table) => fold(table.name) === fold(name));
    }

    /** All rows that are here, in the table's order; what cannot be read is said in the table's `problem`. */
    rows(table) {
      if (!this.read.has(table)) this.read.set(table, this.readRows(table));
      return this.read.get(table);
    }

    async readRows(table) {
      const files = [...new Set(table.parts.map(([file]) => file))];
      const results = await Promise.allSettled(files.map((file) => this.file(file)));
      const lost = results.filter(({ status }) => status === "rejected").map(({ reason }) => reason.message);
      const parts = results.flatMap(({ value }) => (value ?? []).filter(([index]) => index === table.index));
      parts.sort((one, other) => one[1] - other[1]);
      const rows = [];
      for (const [, , list] of parts) for (const row of list) rows.push(row);
      const promised = table.parts.reduce((sum, [, , count]) => sum + count, 0);
      if (promised !== rows.length) {
        const reason = lost[0] ?? `data/rows/${this.id} holds files of another report`;
        table.problem = `${exhibit.counted(Math.abs(promised - rows.length), "row")} cannot be read: ${reason}.`;
      }
      return rows;
    }

    file(number) {
      if (!this.files.has(number)) this.files.set(number, this.readFile(number));
      return this.files.get(number);
    }

    async readFile(number) {
      const path = `data/rows/${this.id}/${number}.js`;
      await exhibit.readFile(this.base + path);
      const parts = chunks.get(`${this.id}/${number}`);
      if (!parts) throw new Error(`${path} is not whole`);
      chunks.delete(`${this.id}/${number}`);
      return parts;
    }

    /** The rows by the text of some columns' values: how a key finds them. */
    async index(table, columns) {
      const name = `${table.index} ${columns.join()}`;
      if (!this.places.has(name)) {
        this.places.set(name, this.rows(table).then((rows) => {
          const places = new Map();
          for (const row of rows) {
            const key = exhibit.databases.key(row, columns);
            if (key === null) continue;
            const known = places.get(key);
            if (known) known.push(row);
            else places.set(key, [row]);
          }
          return places;
        }));
      }
      return this.places.get(name);
    }

    /** The foreign keys of all tables that lead to a table. */
    leadingTo(table) {
      return this.tables.flatMap((from) => from.foreignKeys
        .filter((key) => fold(key.table) === fold(table.name)).map((key) => ({ from, key })));
    }

    /** The columns that a foreign key refers to; `null` where the other table is not here or is another one. */
    parents(key) {
      const parent = this.table(key.table);
      const columns = parent ? key.parents.map((name) => column(parent, name)) : [];
      return parent && columns.length && columns.every((each) => each >= 0) ? { table: parent, columns } : null;
    }
  }

  const fold = (name) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

  const column = (table, name) => {
    const exact = table.columns.findIndex((each) => each.name === name);
    return exact >= 0 ? exact : table.columns.findIndex((each) => fold(each.name) === fold(name));
  };

  exhibit.databases.column = column;

  /** The values of some columns as one text, by which rows find each other; `null` where one is NULL. */
  exhibit.databases.key = (row, columns) => {
    if (columns.length === 1) return row[columns[0]] === null ? null : exhibit.cell.exact(row[columns[0]]);
    const texts = columns.map((each) => row[each] === null ? null : exhibit.cell.exact(row[each]));
    return texts.includes(null) ? null : JSON.stringify(texts);
  };

  /** The row's key as an address names it; empty where nothing tells it from others, so that the empty text is `''`. */
  exhibit.databases.rowName = (table, row) => {
    const key = table.key?.length ? exhibit.databases.key(row, table.key) : null;
    if (key === null) return "";
    return /^'*$/.test(key) ? `'${key}'` : key;
  };
})();
