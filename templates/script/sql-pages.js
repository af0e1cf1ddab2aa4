/* The pages of databases, in chunks that are read from disk when SQLite asks for them. */
(() => {
  /** Bytes of a chunk; DatabasePages.swift writes them. */
  const chunkSize = 1 << 20;
  /** After so many chunks one by one, several are read at once. */
  const patience = 3;

  const waiting = new Map();

  /** Called by data/pages/NAME-N.js. */
  exhibit.pages = (name, number, base64) => {
    waiting.get(`${name}-${number}`)?.(exhibit.sql.bytes(base64));
  };

  /** The bytes of one database. */
  exhibit.sql.Pages = class {
    /** The path of its chunks begins with `path`, the last part of which is its name. */
    constructor(path, size) {
      Object.assign(this, { path, size, chunks: [], misses: 0 });
      this.name = path.slice(path.lastIndexOf("/") + 1);
      this.count = Math.ceil(size / chunkSize);
    }

    /** Fills bytes from an offset; false where some were not read yet. */
    copy(bytes, offset) {
      for (let filled = 0; filled < bytes.length;) {
        const place = offset + filled;
        const chunk = this.chunks[Math.floor(place / chunkSize)];
        if (!chunk) return false;
        const start = place % chunkSize;
        const part = chunk.subarray(start, start + bytes.length - filled);
        if (!part.length) return false;
        bytes.set(part, filled);
        filled += part.length;
      }
      return true;
    }

    /** Reads what holds the offset, and more the more often it is asked. */
    async load(offset) {
      this.misses += 1;
      const wanted = this.misses <= patience ? 1 : 2 ** (this.misses - patience);
      const first = Math.floor(offset / chunkSize);
      const numbers = [];
      for (let step = 0; step < this.count && numbers.length < wanted; step += 1) {
        const number = (first + step) % this.count;
        if (!this.chunks[number]) numbers.push(number);
      }
      await Promise.all(numbers.map((number) => this.read(number)));
    }

    async loadAll() {
      for (let number = 0; number < this.count; number += 1) if (!this.chunks[number]) await this.read(number);
    }

    async read(number) {
      const path = `${this.path}-${number}.js`;
      const key = `${this.name}-${number}`;
      try {
        await new Promise((resolve, reject) => {
          waiting.set(key, (bytes) => { this.chunks[number] = bytes; });
          exhibit.readFile(path).then(resolve, reject);
        });
      } finally {
        waiting.delete(key);
      }
      const expected = Math.min(chunkSize, this.size - number * chunkSize);
      if (this.chunks[number]?.length !== expected) {
        this.chunks[number] = undefined;
        throw new Error(`${path} holds no pages of this database`);
      }
    }
  };
})();
