/* SQLite in the page, as WebAssembly from viewer.js. */
const engine = (() => {
  const code = { noMemory: 7, readOnly: 8, interrupted: 9 };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  /** @type {Map<number, PageSource>} */
  const sources = new Map();
  let lastNumber = 0;
  /** @type {Promise<void> | undefined} */
  let loading;
  /** Milliseconds that a single function may run over its deadline. */
  const patience = 1000;

  class Failure extends Error {
    /** `offset` counts characters.
        @param {string} message @param {number} code */
    constructor(message, code, offset = -1) {
      super(message);
      this.code = code;
      this.offset = offset;
    }
  }

  /** @type {Uint8Array | null} */
  let program = null;

  exhibit.viewer = (bytes) => { program = typeof bytes === "string" ? exhibit.bytes(bytes) : bytes; };

  /** @param {string} path */
  const begin = async (path) => {
    if (!program) await exhibit.readFile(path);
    if (!program) throw new Error(`${path} holds no SQLite`);
    const { instance } = await WebAssembly.instantiate(program, { viewer: given, Math: mathematics });
    engine.sqlite = /** @type {SQLite} */ (/** @type {unknown} */ (instance.exports));
    if (engine.sqlite.sqlite3_initialize() !== 0) throw new Error("SQLite does not begin");
  };

  /** Only until the memory grows.
      @param {number} place */
  const memory = (place, count = Infinity) => {
    const bytes = new Uint8Array(engine.sqlite.memory.buffer);
    return bytes.subarray(place >>> 0, (place >>> 0) + count);
  };

  /** @type {Record<string, (...numbers: number[]) => number | void>} */
  const given = {
    viewer_size: (number) => sources.get(number)?.size ?? -1,
    viewer_read: (number, place, count, offset) => {
      const source = /** @type {PageSource} */ (sources.get(number));
      if (source.copy(memory(place, count), offset)) return 0;
      engine.missing = { source, offset };
      return 1;
    },
    viewer_now: Date.now,
    viewer_zone: (seconds) => -new Date(seconds * 1000).getTimezoneOffset() || 0,
    viewer_random: (place, count) => { crypto.getRandomValues(memory(place, count)); },
    viewer_stops: () => performance.now() > engine.deadline ? 1 : 0,
    viewer_breaks: () => {
      engine.isOverdue = performance.now() > engine.deadline + patience;
      return engine.isOverdue ? 1 : 0;
    },
  };

  /** @type {Record<string, WebAssembly.ImportValue>} */
  const mathematics = { fmod: (/** @type {number} */ a, /** @type {number} */ b) => a % b };
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Math))) mathematics[name] ??= value;

  const engine = {
    code, Failure, encoder, decoder, memory,
    /** There between `load` and `abandon`. */
    sqlite: /** @type {SQLite} */ (/** @type {unknown} */ (undefined)),
    missing: /** @type {{ source: PageSource, offset: number } | null} */ (null),
    deadline: Infinity,
    isOverdue: false,

    /** Again after `abandon`.
        @param {string} path */
    load: (path) => loading ??= begin(path).catch((error) => { loading = undefined; throw error; }),

    /** Its memory cannot be trusted any more. */
    abandon() {
      loading = undefined;
      Object.assign(engine, { sqlite: undefined, missing: null });
      sources.clear();
    },

    /** @type {(place: number, count?: number) => string} */
    text(place, count) {
      if (!place) return "";
      const bytes = memory(place, count);
      return decoder.decode(count === undefined ? bytes.subarray(0, bytes.indexOf(0)) : bytes);
    },

    /** @param {number} count */
    allocate(count) {
      const place = engine.sqlite.sqlite3_malloc64(BigInt(count)) >>> 0;
      if (!place) throw new Failure("out of memory", code.noMemory);
      return place;
    },

    /** With a zero behind.
        @param {Uint8Array} bytes */
    place(bytes) {
      const start = engine.allocate(bytes.length + 1);
      memory(start).set(bytes);
      memory(start)[bytes.length] = 0;
      return start;
    },

    /** The number is the name for SQLite.
        @param {PageSource} source */
    enter(source) {
      lastNumber += 1;
      sources.set(lastNumber, source);
      return lastNumber;
    },

    /** @param {number} number */
    leave: (number) => sources.delete(number),
  };

  exhibit.sql = /** @type {SQL} */ ({});
  return engine;
})();
