/* The pages of databases, in chunks that are read from disk when SQLite asks for them. */
(() => {
  /** Bytes of a chunk; DatabasePages.swift writes them. */
  const chunkSize = 1 << 20;
  /** After so many chunks one by one, several are read at once. */
  const patience = 3;

  /** By the name of a chunk, who wants its bytes.
      @type {Map<string, (bytes: Uint8Array) => void>} */
  const waiting = new Map();

  exhibit.pages = (name, number, bytes) =>
    waiting.get(`${name}-${number}`)?.(typeof bytes === "string" ? exhibit.bytes(bytes) : bytes);

  exhibit.sql.Pages = class {
    path; size; name; count;
    misses = 0;
    /** @type {Uint8Array[]} */
    chunks = [];

    /** The path of its chunks begins with `path`, the last part of which is its name.
        @param {string} path @param {number} size */
    constructor(path, size) {
      this.path = path;
      this.size = size;
      this.name = path.slice(path.lastIndexOf("/") + 1);
      this.count = Math.ceil(size / chunkSize);
    }

    /** Fills bytes from an offset; false where some were not read yet.
        @param {Uint8Array} bytes @param {number} offset */
    copy(bytes, offset) {
      for (let filled = 0; filled < bytes.length;) {
        const place = offset + filled;
        const start = place % chunkSize;
        const part = this.chunks[Math.floor(place / chunkSize)]?.subarray(start, start + bytes.length - filled);
        if (!part?.length) return false;
        bytes.set(part, filled);
        filled += part.length;
      }
      return true;
    }

    /** Reads what holds the offset, and more the more often it is asked.
        @param {number} offset */
    async load(offset) {
      this.misses += 1;
      const wanted = this.misses <= patience ? 1 : 2 ** (this.misses - patience);
      const first = Math.floor(offset / chunkSize);
      const numbers = Array.from({ length: this.count }, (_, step) => (first + step) % this.count);
      await Promise.all(numbers.filter((number) => !this.chunks[number]).slice(0, wanted).map((number) => this.read(number)));
    }

    async loadAll() {
      for (let number = 0; number < this.count; number += 1) if (!this.chunks[number]) await this.read(number);
    }

    /** @param {number} number */
    async read(number) {
      const path = `${this.path}-${number}.js`;
      const key = `${this.name}-${number}`;
      waiting.set(key, (bytes) => { this.chunks[number] = bytes; });
      await exhibit.readFile(path).finally(() => waiting.delete(key));
      if (this.chunks[number]?.length === Math.min(chunkSize, this.size - number * chunkSize)) return;
      delete this.chunks[number];
      throw new Error(`${path} holds no pages of this database`);
    }
  };

  exhibit.sql.Difference = class {
    difference; base; size;

    /** @param {PageSource} difference @param {PageSource} base */
    constructor(difference, base) {
      this.difference = difference;
      this.base = base;
      this.size = difference.size;
    }

    /** @param {Uint8Array} bytes @param {number} offset */
    copy(bytes, offset) {
      const others = new Uint8Array(Math.max(0, Math.min(bytes.length, this.base.size - offset)));
      if (!this.base.copy(others, offset) || !this.difference.copy(bytes, offset)) return false;
      for (let place = 0; place < others.length; place += 1) bytes[place] ^= others[place];
      return true;
    }

    /** @param {number} offset */
    async load(offset) {
      await this.difference.load(offset);
      if (offset < this.base.size) await this.base.load(offset);
    }

    async loadAll() {
      await this.difference.loadAll();
      await this.base.loadAll();
    }
  };
})();
