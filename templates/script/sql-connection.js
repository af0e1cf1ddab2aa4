/* Connections to databases, and results. */
const SQLConnection = (() => {
  const { code, Failure, memory, text, allocate, place, encoder, decoder } = engine;
  const [ok, row, done] = [0, 100, 101];
  /** Bytes. */
  const [longestValue, mostBytes] = [64 * 1024, 16 << 20];
  /** Cells that a browser lays out in a second. */
  const mostCells = 50_000;
  /** Milliseconds between the page's turns. */
  const turn = 12;

  const interrupted = () => new Failure("interrupted", code.interrupted);

  class Connection {
    rest = new Uint8Array();

    /** @param {number} handle @param {number} number */
    constructor(handle, number) {
      if (!handle) throw new Failure("out of memory", code.noMemory);
      this.handle = handle;
      this.number = number;
    }

    close() {
      engine.sqlite?.sqlite3_close_v2(this.handle);
      engine.leave(this.number);
    }

    /** `before` is the text before it.
        @param {string | null} before */
    failure(before = null) {
      if (engine.missing) return new Error("bytes of the database are not there yet");
      const offset = before === null ? -1 : engine.sqlite.sqlite3_error_offset(this.handle);
      const characters = offset < 0 ? -1 : (before ?? "").length + decoder.decode(this.rest.subarray(0, offset)).length;
      return new Failure(text(engine.sqlite.sqlite3_errmsg(this.handle)), engine.sqlite.sqlite3_errcode(this.handle), characters);
    }

    /** The result of the last statement with columns. `milliseconds` limits SQLite's own time; `pause` returns
        whether to stop.
        @param {string} statements
        @param {RunOptions} options
        @returns {Promise<SQLResult>} */
    async run(statements, { values = [], rows = 1000, milliseconds = 5000, pause = async () => false } = {}) {
      const clock = { left: milliseconds, pause };
      /** @type {SQLResult | null} */
      let result = null;
      let paused = performance.now();
      for (let before = ""; ;) {
        const began = performance.now();
        if (began - paused > turn) {
          if (clock.left <= 0 || await pause()) throw interrupted();
          paused = performance.now();
        }
        const bytes = encoder.encode(statements.slice(before.length));
        clock.left -= performance.now() - began;
        const one = await this.again(clock, () => this.step(bytes, before, values, rows, clock));
        if (!one) return result ?? { columns: [], rows: [], count: 0, milliseconds: milliseconds - clock.left };
        if (one.columns.length || !result) result = { ...one, milliseconds: milliseconds - clock.left };
        if (one.isStopped) return result;
        before = statements.slice(0, before.length + one.length);
      }
    }

    /** Loads missing bytes, and tries again.
        @template T
        @param {Clock} clock
        @param {() => Promise<T>} action
        @returns {Promise<T>} */
    async again(clock, action) {
      for (;;) {
        try {
          return await action();
        } catch (error) {
          // RangeError: the stack is too deep.
          if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) engine.abandon();
          const { missing } = engine;
          if (!missing) throw error;
          engine.missing = null;
          await missing.source.load(missing.offset);
          if (await clock.pause()) throw interrupted();
        }
      }
    }

    /** `null` where there is no statement.
        @param {Uint8Array} bytes @param {string} before @param {SQLValue[]} values @param {number} most @param {Clock} clock */
    async step(bytes, before, values, most, clock) {
      this.rest = bytes;
      const began = performance.now();
      engine.deadline = began + clock.left;
      const statement = this.prepare(bytes, before);
      clock.left -= performance.now() - began;
      if (!statement) return null;
      const { handle, length } = statement;
      try {
        values.forEach((value, index) => { if (bind(handle, index + 1, value) !== ok) throw this.failure(); });
        const columns = names(handle);
        const parameters = handle && engine.sqlite.sqlite3_bind_parameter_count(handle) - values.length;
        /** @type {Found} */
        const found = { columns, rows: [], count: 0, length, parameters, room: mostBytes };
        await this.rows(handle, found, Math.min(most, Math.ceil(mostCells / Math.max(1, columns.length))), clock);
        return found;
      } finally {
        engine.sqlite?.sqlite3_finalize(handle);
      }
    }

    /** Rows before a stop are kept.
        @param {number} statement @param {Found} found @param {number} most @param {Clock} clock */
    async rows(statement, found, most, clock) {
      try {
        while (!this.batch(statement, found, most, clock)) if (await clock.pause()) throw interrupted();
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== code.interrupted || !found.rows.length) throw error;
        found.isStopped = true;
      }
    }

    /** @param {Uint8Array} bytes @param {string} before */
    prepare(bytes, before) {
      const start = place(bytes);
      const result = allocate(8);
      try {
        const status = engine.sqlite.sqlite3_prepare_v2(this.handle, start, bytes.length + 1, result, result + 4);
        if (status !== ok || engine.missing) throw this.failure(before);
        const view = new DataView(engine.sqlite.memory.buffer);
        const handle = view.getUint32(result, true);
        const end = view.getUint32(result + 4, true) - start;
        // A comment makes no statement; a zero ends all.
        if (!handle && (end === 0 || end >= bytes.length)) return null;
        return { handle, length: decoder.decode(bytes.subarray(0, end)).length };
      } finally {
        engine.sqlite.sqlite3_free(start);
        engine.sqlite.sqlite3_free(result);
      }
    }

    /** True at the end.
        @param {number} statement @param {Found} found @param {number} most @param {Clock} clock */
    batch(statement, found, most, clock) {
      const began = performance.now();
      engine.deadline = began + clock.left;
      if (!statement) return true;
      if (clock.left <= 0) throw interrupted();
      try {
        while (performance.now() - began < turn) {
          const status = engine.sqlite.sqlite3_step(statement);
          // SQLite may go on without what it could not read.
          if ((status !== row && status !== done) || engine.missing) throw this.failure();
          if (status === done) return true;
          found.count += 1;
          if (found.rows.length >= most || found.room <= 0) continue;
          const values = found.columns.map((_, column) => valueOf(statement, column));
          found.rows.push(values.map(([value]) => value));
          for (const [, bytes] of values) found.room -= bytes;
        }
        return false;
      } finally {
        clock.left -= performance.now() - began;
      }
    }
  }

  /** @type {(statement: number, parameter: number, value: SQLValue) => number} */
  const bind = (statement, parameter, value) => {
    const { sqlite } = engine;
    if (value === null) return ok;
    if (typeof value === "bigint") return sqlite.sqlite3_bind_int64(statement, parameter, value);
    if (typeof value === "number") return sqlite.sqlite3_bind_double(statement, parameter, value);
    const isText = typeof value === "string";
    const bytes = isText ? encoder.encode(value) : value;
    const start = place(bytes);
    try {
      // -1 is SQLITE_TRANSIENT: SQLite takes a copy.
      return (isText ? sqlite.sqlite3_bind_text : sqlite.sqlite3_bind_blob)(statement, parameter, start, bytes.length, -1);
    } finally {
      sqlite.sqlite3_free(start);
    }
  };

  /** @param {number} statement */
  const names = (statement) => Array.from({ length: statement && engine.sqlite.sqlite3_column_count(statement) },
    (_, column) => text(engine.sqlite.sqlite3_column_name(statement, column)));

  /** A value, cut where it is long, and its bytes.
      @type {(statement: number, column: number) => [SQLCell, number]} */
  const valueOf = (statement, column) => {
    const { sqlite } = engine;
    const type = sqlite.sqlite3_column_type(statement, column);
    if (type === 1) return [sqlite.sqlite3_column_int64(statement, column), 8];
    if (type === 2) return [sqlite.sqlite3_column_double(statement, column), 8];
    if (type !== 3 && type !== 4) return [null, 1];
    const start = (type === 3 ? sqlite.sqlite3_column_text : sqlite.sqlite3_column_blob)(statement, column);
    const bytes = sqlite.sqlite3_column_bytes(statement, column);
    const kept = Math.min(bytes, longestValue);
    const part = type === 3 ? text(start, kept) : memory(start, kept).slice();
    return [kept < bytes ? { part, bytes } : part, kept];
  };

  exhibit.sql.open = async (source) => {
    // SQLite reads the header once.
    if (!source.copy(new Uint8Array(Math.min(100, source.size)), 0)) await source.load(0);
    const number = engine.enter(source);
    const name = place(encoder.encode(String(number)));
    try {
      return new Connection(engine.sqlite.viewer_open(name), number);
    } finally {
      engine.sqlite.sqlite3_free(name);
    }
  };

  exhibit.sql.copy = async (source, statements) => {
    await source.loadAll();
    const start = allocate(source.size);
    source.copy(memory(start, source.size), 0);
    const connection = new Connection(engine.sqlite.viewer_copy(start, source.size), 0);
    try {
      await connection.run("BEGIN");
      for (const { sql, values } of statements) await connection.run(sql, { values });
      await connection.run("COMMIT; PRAGMA query_only = 1");
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  };

  return Connection;
})();
