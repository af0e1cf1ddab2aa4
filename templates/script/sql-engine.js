/* SQLite in the page: WebAssembly in viewer.js, which is read when a statement is first run. */
(() => {
  exhibit.sql = {};

  const ok = 0;
  const code = exhibit.sql.code = { readOnly: 8, interrupted: 9, readError: 10, noMemory: 7, noDatabase: 26 };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();

  /** By number, what the databases' bytes come from: `{ size, copy(bytes, offset) }`, where `copy` is false for bytes
      that have to be read first. */
  const sources = new Map();
  let lastNumber = 0;
  let loading = null;
  /** Milliseconds that a single function may go on after the deadline: it can only be broken off with all of SQLite. */
  const patience = 1000;

  /** What is shared with the connections: SQLite's functions; the source that a read failed for, and where; when a
      statement has to stop, in the page's milliseconds; and whether a single function of it did not. */
  const engine = exhibit.sql.engine = { sqlite: null, missing: null, deadline: Infinity, isOverdue: false };

  exhibit.sql.bytes = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
    return bytes;
  };

  // ---- Loading ----

  let program = null;

  /** Called by viewer.js. */
  exhibit.viewer = (base64) => { program = exhibit.sql.bytes(base64); };

  /** Reads viewer.js once; what SQLite broke off in is left behind for a new one. */
  exhibit.sql.load = (path) => {
    loading ??= begin(path).catch((error) => { loading = null; throw error; });
    return loading;
  };

  const begin = async (path) => {
    if (!program) await exhibit.readFile(path);
    if (!program) throw new Error(`${path} holds no SQLite`);
    const { instance } = await WebAssembly.instantiate(program, { viewer: given, Math: mathematics });
    engine.sqlite = instance.exports;
    if (engine.sqlite.sqlite3_initialize() !== ok) throw new Error("SQLite does not begin");
  };

  /** After SQLite broke off its memory is not to be trusted. */
  exhibit.sql.abandon = () => {
    loading = null;
    engine.sqlite = null;
    engine.missing = null;
    sources.clear();
  };

  const memory = () => new Uint8Array(engine.sqlite.memory.buffer);

  const given = {
    viewer_size: (number) => sources.get(number)?.size ?? -1,
    viewer_read: (number, place, count, offset) => {
      const source = sources.get(number);
      if (source.copy(memory().subarray(place >>> 0, (place >>> 0) + count), offset)) return 0;
      engine.missing = { source, offset };
      return 1;
    },
    viewer_now: () => Date.now(),
    viewer_zone: (seconds) => -new Date(seconds * 1000).getTimezoneOffset() || 0,
    viewer_random: (place, count) => { crypto.getRandomValues(memory().subarray(place >>> 0, (place >>> 0) + count)); },
    viewer_stops: () => performance.now() > engine.deadline ? 1 : 0,
    viewer_breaks: () => {
      engine.isOverdue = performance.now() > engine.deadline + patience;
      return engine.isOverdue ? 1 : 0;
    },
  };

  const mathematics = { fmod: (a, b) => a % b };
  for (const name of Object.getOwnPropertyNames(Math)) mathematics[name] ??= Math[name];

  // ---- Texts ----

  const text = (place, count) => {
    const start = place >>> 0;
    if (!start) return "";
    const bytes = memory();
    return decoder.decode(bytes.subarray(start, count === undefined ? bytes.indexOf(0, start) : start + count));
  };

  const allocate = (count) => {
    const place = engine.sqlite.sqlite3_malloc64(BigInt(count)) >>> 0;
    if (!place) throw new exhibit.sql.Failure("out of memory", code.noMemory);
    return place;
  };

  const place = (bytes) => {
    const start = allocate(bytes.length + 1);
    memory().set(bytes, start);
    memory()[start + bytes.length] = 0;
    return start;
  };

  // ---- Failures ----

  /** What SQLite says; `offset` counts characters of the statements. */
  exhibit.sql.Failure = class extends Error {
    constructor(message, code, offset = -1) {
      super(message);
      Object.assign(this, { code, offset });
    }
  };

  Object.assign(engine, { memory, text, allocate, place, encoder, decoder });

  /** Names a source for SQLite: its number. */
  engine.enter = (source) => {
    lastNumber += 1;
    sources.set(lastNumber, source);
    return lastNumber;
  };

  engine.leave = (number) => sources.delete(number);
})();
