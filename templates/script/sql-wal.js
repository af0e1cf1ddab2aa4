/* A database as it was after a transaction that its WAL holds: pages of the WAL before those of the file.

   Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
(() => {
  const [headerBytes, frameHeaderBytes] = [32, 24];
  const magics = [0x377f0682, 0x377f0683];

  /** The two sums that go on from frame to frame; words are little or big endian as the magic number says.
      @param {number[]} sums @param {DataView} view @param {number} start @param {number} end @param {boolean} isLittle */
  const sum = ([first, second], view, start, end, isLittle) => {
    for (let place = start; place < end; place += 8) {
      first = (first + view.getUint32(place, isLittle) + second) >>> 0;
      second = (second + view.getUint32(place + 4, isLittle) + first) >>> 0;
    }
    return [first, second];
  };

  exhibit.sql.WALState = class {
    database; wal; transactions; size;
    bytes = new Uint8Array();
    pageSize = 0;
    /** Where in the WAL a page is, by its number from 1.
        @type {Map<number, number>} */
    places = new Map();

    /** `database` and `wal` are pages as they lay on disk; `transactions` of the WAL count, 0 for none.
        @param {PageSource} database @param {PageSource} wal @param {number} transactions */
    constructor(database, wal, transactions) {
      this.database = database;
      this.wal = wal;
      this.transactions = transactions;
      this.size = database.size;
    }

    /** Reads the WAL. */
    async begin() {
      await this.wal.loadAll();
      this.bytes = new Uint8Array(this.wal.size);
      this.wal.copy(this.bytes, 0);
      this.index(new DataView(this.bytes.buffer));
      return this;
    }

    /** @param {DataView} view */
    index(view) {
      const magic = view.byteLength < headerBytes ? 0 : view.getUint32(0);
      this.pageSize = magics.includes(magic) ? view.getUint32(8) : 0;
      if (this.pageSize < 512 || this.pageSize > 65536) throw new Error("The WAL’s header is damaged.");
      const isLittle = magic === magics[0];
      let sums = sum([0, 0], view, 0, 24, isLittle);
      /** @type {typeof this.places} */
      const pending = new Map();
      let found = 0;
      for (let frame = headerBytes; found < this.transactions; frame += frameHeaderBytes + this.pageSize) {
        const end = frame + frameHeaderBytes + this.pageSize;
        if (end > view.byteLength) break;
        if (view.getUint32(frame + 8) !== view.getUint32(16) || view.getUint32(frame + 12) !== view.getUint32(20)) break;
        sums = sum(sum(sums, view, frame, frame + 8, isLittle), view, frame + frameHeaderBytes, end, isLittle);
        if (sums[0] !== view.getUint32(frame + 16) || sums[1] !== view.getUint32(frame + 20)) break;
        pending.set(view.getUint32(frame), frame + frameHeaderBytes);
        const pages = view.getUint32(frame + 4);
        if (!pages) continue;
        for (const [page, place] of pending) this.places.set(page, place);
        pending.clear();
        this.size = pages * this.pageSize;
        found += 1;
      }
      if (found < this.transactions) throw new Error(`The WAL holds ${exhibit.counted(found, "transaction")} that are whole.`);
    }

    /** @param {Uint8Array} bytes @param {number} offset */
    copy(bytes, offset) {
      for (let filled = 0; filled < bytes.length;) {
        const place = offset + filled;
        const start = place % this.pageSize;
        const part = bytes.subarray(filled, filled + this.pageSize - start);
        const inWAL = this.places.get(Math.floor(place / this.pageSize) + 1);
        if (inWAL !== undefined) part.set(this.bytes.subarray(inWAL + start, inWAL + start + part.length));
        else if (place < this.database.size && !this.database.copy(part, place)) return false;
        filled += part.length;
      }
      return true;
    }

    /** @param {number} offset */
    load(offset) { return this.database.load(offset); }

    loadAll() { return this.database.loadAll(); }
  };
})();
