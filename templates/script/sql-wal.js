/* A database after a transaction that its WAL holds: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
(() => {
  const [headerBytes, frameHeaderBytes] = [32, 24];
  const magics = [0x377f0682, 0x377f0683];

  /** The sums go on from frame to frame.
      @param {number[]} sums @param {DataView} view @param {number} start @param {number} end @param {boolean} isLittle */
  const sum = ([first, second], view, start, end, isLittle) => {
    for (let place = start; place < end; place += 8) {
      first = (first + view.getUint32(place, isLittle) + second) >>> 0;
      second = (second + view.getUint32(place + 4, isLittle) + first) >>> 0;
    }
    return [first, second];
  };

  /** The newest pages after some transactions.
      @type {(view: DataView, transactions: number, size: number) => { pageSize: number, places: Map<number, number>, size: number }} */
  const indexed = (view, transactions, size) => {
    const magic = view.byteLength < headerBytes ? 0 : view.getUint32(0);
    const pageSize = magics.includes(magic) ? view.getUint32(8) : 0;
    if (pageSize < 512 || pageSize > 65536) throw new Error("The WAL’s header is damaged.");
    const isLittle = magic === magics[0];
    let sums = sum([0, 0], view, 0, 24, isLittle);
    const places = new Map();
    /** @type {typeof places} */
    const pending = new Map();
    let found = 0;
    for (let frame = headerBytes; found < transactions; frame += frameHeaderBytes + pageSize) {
      const end = frame + frameHeaderBytes + pageSize;
      if (end > view.byteLength) break;
      if (view.getUint32(frame + 8) !== view.getUint32(16) || view.getUint32(frame + 12) !== view.getUint32(20)) break;
      sums = sum(sum(sums, view, frame, frame + 8, isLittle), view, frame + frameHeaderBytes, end, isLittle);
      if (sums[0] !== view.getUint32(frame + 16) || sums[1] !== view.getUint32(frame + 20)) break;
      pending.set(view.getUint32(frame), frame + frameHeaderBytes);
      const pages = view.getUint32(frame + 4);
      if (!pages) continue;
      for (const [page, place] of pending) places.set(page, place);
      pending.clear();
      size = pages * pageSize;
      found += 1;
    }
    if (found < transactions) throw new Error(`The WAL holds ${exhibit.counted(found, "transaction")} that are whole.`);
    return { pageSize, places, size };
  };

  exhibit.sql.walState = async (database, wal, transactions) => {
    await wal.loadAll();
    const held = new Uint8Array(wal.size);
    wal.copy(held, 0);
    const { pageSize, places, size } = indexed(new DataView(held.buffer), transactions, database.size);
    return {
      ...database, size,
      copy(bytes, offset) {
        for (let filled = 0; filled < bytes.length;) {
          const place = offset + filled;
          const start = place % pageSize;
          const part = bytes.subarray(filled, filled + pageSize - start);
          const inWAL = places.get(Math.floor(place / pageSize) + 1);
          if (inWAL !== undefined) part.set(held.subarray(inWAL + start, inWAL + start + part.length));
          else if (place < database.size && !database.copy(part, place)) return false;
          filled += part.length;
        }
        return true;
      },
    };
  };
})();
