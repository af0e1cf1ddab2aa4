/* Databases in chunks, loaded as SQLite reads. */
(() => {
  /** As DatabasePages.swift writes them. */
  const chunkSize = 1 << 20;
  /** Misses after which several chunks are read at once. */
  const patience = 3;

  /** By a chunk's name.
      @type {Map<string, (bytes: Uint8Array) => void>} */
  const waiting = new Map();

  exhibit.pages = (name, number, bytes) =>
    waiting.get(`${name}-${number}`)?.(typeof bytes === "string" ? exhibit.bytes(bytes) : bytes);

  exhibit.sql.pages = (path, size) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const count = Math.ceil(size / chunkSize);
    /** @type {Uint8Array[]} */
    const chunks = [];
    let misses = 0;

    /** @param {number} number */
    const read = async (number) => {
      const file = `${path}-${number}.js`;
      const key = `${name}-${number}`;
      waiting.set(key, (bytes) => { chunks[number] = bytes; });
      await exhibit.readFile(file).finally(() => waiting.delete(key));
      if (chunks[number]?.length === Math.min(chunkSize, size - number * chunkSize)) return;
      delete chunks[number];
      throw new Error(`${file} holds no pages of this database`);
    };

    return {
      size,
      copy(bytes, offset) {
        for (let filled = 0; filled < bytes.length;) {
          const place = offset + filled;
          const start = place % chunkSize;
          const part = chunks[Math.floor(place / chunkSize)]?.subarray(start, start + bytes.length - filled);
          if (!part?.length) return false;
          bytes.set(part, filled);
          filled += part.length;
        }
        return true;
      },
      // Doubles after some misses.
      async load(offset) {
        misses += 1;
        const wanted = misses <= patience ? 1 : 2 ** (misses - patience);
        const first = Math.floor(offset / chunkSize);
        const numbers = Array.from({ length: count }, (_, step) => (first + step) % count);
        await Promise.all(numbers.filter((number) => !chunks[number]).slice(0, wanted).map(read));
      },
      async loadAll() {
        for (let number = 0; number < count; number += 1) if (!chunks[number]) await read(number);
      },
    };
  };

  exhibit.sql.difference = (difference, base) => ({
    size: difference.size,
    copy(bytes, offset) {
      const others = new Uint8Array(Math.max(0, Math.min(bytes.length, base.size - offset)));
      if (!base.copy(others, offset) || !difference.copy(bytes, offset)) return false;
      for (let place = 0; place < others.length; place += 1) bytes[place] ^= others[place];
      return true;
    },
    async load(offset) {
      await difference.load(offset);
      if (offset < base.size) await base.load(offset);
    },
    async loadAll() {
      await difference.loadAll();
      await base.loadAll();
    },
  });
})();
