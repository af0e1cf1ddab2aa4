/* The rows of captured databases: docs/rows-data.md. */
const databases = (() => {
  const formats = [1];
  /** @type {Map<string, DatabaseHead>} */
  const heads = new Map();
  /** @type {Map<string, RowPart[]>} */
  const chunks = new Map();
  /** @type {Map<string, Record<string, MarksData>>} */
  const marks = new Map();
  /** @type {Map<string, Promise<CapturedDatabase>>} */
  const opened = new Map();

  exhibit.rows = (id, first, parts) => {
    if (typeof first === "object") heads.set(id, first);
    else if (parts) chunks.set(`${id}/${first}`, parts);
  };

  exhibit.marks = (page, evidence) => marks.set(page, evidence);

  /** @type {(page: string | undefined, evidence: string, base?: string) => Promise<DatabaseMarks | null>} */
  const readMarks = async (page, evidence, base = "") => {
    if (!page) return null;
    const path = `data/marks/${page}.js`;
    if (!marks.has(page)) await exhibit.readFile(base + path);
    const all = marks.get(page);
    if (!all) throw new Error(`${path} is not whole`);
    if (!all[evidence]) return null;
    const [since, tables] = all[evidence];
    return {
      since, tables: new Map(tables.map(([name, added, changed, removed, columns, rows]) =>
        [name, { added, changed, removed, columns, rows }])),
    };
  };

  /** @type {(table: Table, name: string) => number} */
  const column = (table, name) => {
    const exact = table.columns.findIndex((each) => each.name === name);
    return exact >= 0 ? exact : table.columns.findIndex((each) => fold(each.name) === fold(name));
  };

  /** `null` where a value is NULL.
      @type {(row: Row, columns: number[]) => string | null} */
  const keyOf = (row, columns) => {
    if (columns.some((column) => row[column] === null)) return null;
    const texts = columns.map((column) => cells.exact(row[column]));
    return texts.length === 1 ? texts[0] : JSON.stringify(texts);
  };

  /** Empty without a key, so the empty text is `''`.
      @type {(table: Pick<Table, "key">, row: Row) => string} */
  const rowName = (table, row) => {
    const key = table.key.length ? keyOf(row, table.key) : null;
    if (key === null) return "";
    return /^'*$/.test(key) ? `'${key}'` : key;
  };

  /** @type {(id: string, base: string) => Promise<CapturedDatabase>} */
  const open = async (id, base) => {
    const path = `data/rows/${id}`;
    await exhibit.readFile(`${base}${path}/head.js`);
    const head = heads.get(id);
    if (!head) throw new Error(`${path}/head.js is not whole`);
    if (!formats.includes(head.format)) throw new Error(`${path} has a format of another version`);
    try {
      const entities = Object.fromEntries(head.entities ?? []);
      return new CapturedDatabase(id, base, head.tables.map((each, index) => table(each, index, entities)));
    } catch {
      throw new Error(`${path}/head.js is damaged`);
    }
  };

  /** A hidden rowid comes first.
      @type {(head: TableHead, index: number, entities?: Record<string, string>) => Table} */
  const table = (head, index, entities) => {
    /** @type {Column[]} */
    const columns = head.columns.map(([name, type, flags]) =>
      ({ name, type, isReal: (flags & 1) !== 0, isGenerated: (flags & 2) !== 0, isRowid: false,
        entities: flags & 4 ? entities : undefined }));
    const shift = head.rowid ? 1 : 0;
    if (head.rowid) columns.unshift({ name: "rowid", type: "INTEGER", isReal: false, isGenerated: false, isRowid: true });
    return {
      index, name: head.name, kind: head.kind, rowCount: head.rows, columns, parts: head.parts, note: head.note ?? "",
      key: head.rowid ? [0] : head.key,
      foreignKeys: (head.foreignKeys ?? []).map(([own, parent, parents]) =>
        ({ columns: own.map((column) => column + shift), table: parent, parents })),
    };
  };

  class CapturedDatabase {
    /** @type {Map<Table, Promise<Row[]>>} */
    read = new Map();
    /** @type {Map<number, Promise<RowPart[]>>} */
    files = new Map();
    /** @type {Map<string, Promise<Map<string | null, Row[]>>>} */
    places = new Map();

    /** @param {string} id @param {string} base @param {Table[]} tables */
    constructor(id, base, tables) {
      this.id = id;
      this.base = base;
      this.tables = tables;
    }

    /** @param {string} name */
    table(name) {
      return this.tables.find((table) => table.name === name) ?? this.tables.find((table) => fold(table.name) === fold(name));
    }

    /** @param {Table} table */
    rows(table) { return exhibit.once(this.read, table, () => this.readRows(table)); }

    /** @param {Table} table */
    async readRows(table) {
      const files = new Set((table.parts ?? []).map(([file]) => file));
      const results = await Promise.allSettled([...files].map((number) =>
        exhibit.once(this.files, number, () => this.readFile(number))));
      const parts = results.flatMap((result) => result.status === "fulfilled" ? result.value : [])
        .filter(([index]) => index === table.index).sort((one, other) => one[1] - other[1]);
      const rows = parts.flatMap(([, , list]) => list);
      const missing = exhibit.promised(table) - rows.length;
      if (missing) {
        const lost = results.flatMap((result) => result.status === "rejected" ? [result.reason] : []);
        const reason = lost.length ? exhibit.reason(lost[0]) : `data/rows/${this.id} holds files of another report`;
        table.problem = `${exhibit.counted(Math.abs(missing), "row")} cannot be read: ${reason}.`;
      }
      cells.learn(table, rows);
      return rows;
    }

    /** @param {number} number */
    async readFile(number) {
      const path = `data/rows/${this.id}/${number}.js`;
      await exhibit.readFile(this.base + path);
      const parts = chunks.get(`${this.id}/${number}`);
      if (!parts) throw new Error(`${path} is not whole`);
      chunks.delete(`${this.id}/${number}`);
      return parts;
    }

    /** @param {Table} table @param {number[]} columns */
    index(table, columns) {
      return exhibit.once(this.places, `${table.index} ${columns.join()}`, async () =>
        exhibit.byName(await this.rows(table), (row) => keyOf(row, columns)));
    }

    /** @param {Table} table */
    leadingTo(table) {
      return this.tables.flatMap((from) => from.foreignKeys
        .filter((key) => fold(key.table) === fold(table.name)).map((key) => ({ from, key })));
    }

    /** @param {ForeignKey} key */
    parents(key) {
      const table = this.table(key.table);
      const columns = table ? key.parents.map((name) => column(table, name)) : [];
      return table && columns.length && columns.every((each) => each >= 0) ? { table, columns } : null;
    }
  }

  exhibit.promised = (table) => table.parts?.reduce((sum, [, , count]) => sum + count, 0) ?? -1;

  /** As SQLite compares names.
      @param {string} name */
  const fold = (name) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

  return {
    /** @param {string} id */
    get: (id, base = "") => exhibit.once(opened, id, () => open(id, base)),
    marks: readMarks, column, key: keyOf, rowName,
  };
})();
