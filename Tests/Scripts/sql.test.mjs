import assert from "node:assert/strict";
import test from "node:test";
import { engine, exhibit, serve, table } from "./page.mjs";

const { sql } = exhibit;
const chunk = 1 << 20;
const files = {};

/** A database of so many bytes, each of which says where it is, and what is read of it. */
const pages = (name, size, { lost = -1 } = {}) => {
  const all = Uint8Array.from({ length: size }, (_, place) => place * 31 % 251);
  const read = [];
  for (let number = 0; number * chunk < size; number += 1) {
    files[`data/pages/${name}-${number}.js`] = () => {
      read.push(number);
      const part = all.subarray(number * chunk, (number + 1) * chunk);
      exhibit.pages(name, number, Buffer.from(number === lost ? part.subarray(1) : part).toString("base64"));
    };
  }
  serve(files);
  return { all, read, source: sql.pages(`data/pages/${name}`, size) };
};

test("bytes are there once their chunk is read", async () => {
  const { all, read, source } = pages("one", chunk * 2 + 5);
  const bytes = new Uint8Array(10);
  assert.equal(source.copy(bytes, chunk - 5), false);
  await source.load(0);
  assert.equal(source.copy(bytes, chunk - 5), false, "half of them are in the next chunk");
  await source.load(chunk);
  assert.equal(source.copy(bytes, chunk - 5), true);
  assert.deepEqual(bytes, all.slice(chunk - 5, chunk + 5));
  await source.loadAll();
  assert.deepEqual(read, [0, 1, 2], "each is read once");
  assert.equal(source.copy(new Uint8Array(5), chunk * 2), true);
  assert.equal(source.copy(new Uint8Array(6), chunk * 2), false, "there is no more");
});

test("the more often chunks are asked for, the more are read at once", async () => {
  const { read, source } = pages("many", chunk * 12);
  for (const [number, count] of [[10, 1], [0, 2], [1, 3], [2, 5], [4, 9], [9, 12]]) {
    await source.load(number * chunk);
    assert.equal(read.length, count);
  }
});

test("a chunk of another database is none", async () => {
  const { source } = pages("cut", 10, { lost: 0 });
  await assert.rejects(source.load(0), /data\/pages\/cut-0\.js holds no pages of this database/);
  assert.equal(source.copy(new Uint8Array(1), 0), false);
});

test("a database is what another one and its differences from that make", async () => {
  const base = pages("captured", chunk + 5);
  const difference = pages("before", chunk + 9);
  const source = sql.difference(difference.source, base.source);
  const bytes = new Uint8Array(6);
  assert.equal(source.copy(bytes, chunk), false);
  await source.load(chunk);
  assert.equal(source.copy(bytes, chunk), true);
  assert.deepEqual([...bytes], [...difference.all.slice(chunk, chunk + 6)].map((byte, place) => place < 5 ? 0 : byte),
    "behind the end of the other one they stand as they are");
  await source.loadAll();
  assert.deepEqual([base.read, difference.read], [[1, 0], [1, 0]]);
  assert.equal(source.size, chunk + 9);
  assert.equal(source.copy(bytes, chunk + 4), false, "there is no more");
});

/** A WAL of pages of 512 bytes; each frame has its page's number, what its bytes are, and the database's pages at a commit. */
const wal = (frames, { magic = 0x377f0683, damage = () => {} } = {}) => {
  const bytes = new Uint8Array(32 + frames.length * 536);
  const view = new DataView(bytes.buffer);
  const isLittle = magic === 0x377f0682;
  let [first, second] = [0, 0];
  const add = (from, to) => {
    for (let place = from; place < to; place += 8) {
      first = (first + view.getUint32(place, isLittle) + second) >>> 0;
      second = (second + view.getUint32(place + 4, isLittle) + first) >>> 0;
    }
  };
  [magic, 3007000, 512, 0, 11, 22].forEach((word, index) => view.setUint32(index * 4, word));
  add(0, 24);
  frames.forEach(([page, fill, size], index) => {
    const start = 32 + index * 536;
    [page, size, 11, 22].forEach((word, place) => view.setUint32(start + place * 4, word));
    bytes.fill(fill, start + 24, start + 536);
    add(start, start + 8);
    add(start + 24, start + 536);
    view.setUint32(start + 16, first);
    view.setUint32(start + 20, second);
  });
  damage(bytes);
  return inMemory(bytes);
};

const inMemory = (bytes) => ({
  size: bytes.length, load: async () => {}, loadAll: async () => {},
  copy: (into, offset) => { into.set(bytes.subarray(offset, offset + into.length)); return true; },
});

const frames = [[1, 1, 2], [2, 2, 0], [1, 3, 3], [3, 4, 3]];

/** The first byte of each page after some transactions. */
const firstBytes = async (transactions, options) => {
  const state = await sql.walState(inMemory(new Uint8Array(1024).fill(9)), wal(frames, options), transactions);
  const bytes = new Uint8Array(state.size);
  assert.ok(state.copy(bytes, 0));
  return [...bytes].filter((_, place) => place % 512 === 0);
};

for (const magic of [0x377f0682, 0x377f0683]) {
  test(`the database after each transaction of a WAL, ${magic.toString(16)}`, async () => {
    assert.deepEqual(await firstBytes(0, { magic }), [9, 9]);
    assert.deepEqual(await firstBytes(1, { magic }), [1, 9]);
    assert.deepEqual(await firstBytes(2, { magic }), [3, 2, 0]);
    assert.deepEqual(await firstBytes(3, { magic }), [3, 2, 4]);
  });
}

test("a WAL ends where a frame is not whole", async () => {
  await assert.rejects(firstBytes(4), /The WAL holds 3 transactions that are whole/);
  const damage = (place) => ({ damage: (bytes) => { bytes[place] ^= 1; } });
  await assert.rejects(firstBytes(2, damage(32 + 536 + 100)), /holds 1 transaction that are whole/);
  await assert.rejects(firstBytes(1, damage(32 + 10)), /holds 0 transactions/);
  await assert.rejects(firstBytes(1, damage(0)), /header is damaged/);
  await assert.rejects(firstBytes(1, damage(9)), /header is damaged/);
});

test("how many rows a statement gives is said", () => {
  const said = (result) => sql.summary({ columns: ["a"], rows: [[1n]], count: 1, milliseconds: 12, ...result });
  assert.equal(said({}), "1 row in 12 ms.");
  assert.equal(said({ columns: [] }), "Done: the statement gives no rows.");
  assert.equal(said({ count: 2000 }), "The first 1 row of 2,000 rows in 12 ms.");
  assert.equal(said({ count: 2000, isStopped: true }), "The first 1 row of over 2,000 rows; stopped after 12 ms.");
  assert.equal(said({ parameters: 2 }), "1 row in 12 ms. 2 parameters without a value, which is NULL.");
});

test("what went wrong is said, with its place", () => {
  const said = (error, statement = "", isStopped = false) => sql.explain(error, statement, { limit: 5000, isStopped });
  const failure = (message, code, offset) => new engine.Failure(message, code, offset);
  assert.equal(said(failure('near "X": syntax error', 1, 9), "SELECT\n\tX"), 'near "X": syntax error.\nLine 2, column 3:\n\tX\n\t ^');
  assert.equal(said(failure("attempt to write", 8)), "attempt to write. What was captured is only read.");
  assert.equal(said(failure("interrupted", 9)), "Stopped. It ran for 5.0 s. A condition or a LIMIT makes it shorter.");
  assert.equal(said(failure("interrupted", 9), "", true), "Stopped.");
  assert.match(said(failure("no such function: x", 1)), /^no such function: x\. What an app registers/);
  assert.match(said(new RangeError("stack")), /^SQLite broke off/);
  assert.equal(said(new Error("no file")), "no file");
});

/** The statements that lead to a state of one table. */
const statements = async (shape, told, state) => {
  const asked = new Promise((resolve) => { sql.setState = (number, chosen) => resolve(chosen); });
  exhibit.askAt({
    step: { number: 2 }, browser: { number: "1", database: { table: () => shape } },
    timeline: { tables: new Map([["a b", { columns: ["x"], hasRowid: true, captured: true, bound: "", events: [{}], ...told }]]), state: () => state },
  });
  return asked;
};

const changed = (rows, others = {}) => ({ exists: true, holdsCaptured: true, rows: new Map(Object.entries(rows)), bound: "", ...others });

test("statements lead from the captured database to another state", async () => {
  const hidden = table([{ name: "rowid", isRowid: true }, "x"]);
  assert.deepEqual(await statements(hidden, {}, changed({ 5: ["new"], 6: null })), {
    name: "after step 2",
    statements: [
      { sql: 'DELETE FROM "a b" WHERE rowid = ?', values: [5n] }, { sql: 'DELETE FROM "a b" WHERE rowid = ?', values: [6n] },
      { sql: 'INSERT INTO "a b" (rowid, "x") VALUES (?, ?)', values: [5n, "new"] },
    ],
  });
  const keyed = await statements(table(["x"], { key: [0] }), { hasRowid: false }, changed({ '["k","a"]': ["a"] }, { holdsCaptured: false }));
  assert.deepEqual(keyed.statements, [
    { sql: 'DELETE FROM "a b"' }, { sql: 'DELETE FROM "a b" WHERE "x" IS ?', values: ["a"] },
    { sql: 'INSERT INTO "a b" ("x") VALUES (?)', values: ["a"] },
  ]);
  const own = await statements(table(["x"], { key: [0] }), {}, changed({ 5: [5] }));
  assert.deepEqual(own.statements[1], { sql: 'INSERT INTO "a b" ("x") VALUES (?)', values: [5n] }, "a rowid that is a column");
  assert.deepEqual((await statements(hidden, { bound: "Not told." }, changed({ 5: null }))).statements, []);
  assert.deepEqual((await statements(hidden, {}, changed({}, { exists: false }))).statements, [{ sql: 'DROP TABLE "a b"' }]);
  assert.match((await statements(table([{ name: "rowid", isRowid: true }, "rowid"]), { columns: ["ROWID"] }, changed({ 5: null }))).statements[0].sql, /_rowid_ = \?/);
});

test("why no statements lead to a state", async () => {
  const shape = table(["x"]);
  const reason = async (...given) => (await statements(...given)).reason;
  assert.equal(await reason(shape, {}, changed({}, { bound: "A VACUUM." })), "what was in a b after step 2 is not told. A VACUUM.");
  assert.equal(await reason(shape, {}, changed({ 5: [["t", "cut", 20000]] })), "a value is not told whole.");
  assert.equal(await reason(undefined, {}, changed({})), "a b is not in it.");
  assert.equal(await reason(shape, { columns: ["rowid", "_rowid_", "oid"] }, changed({ 5: null })), "the rows of a b cannot be told from each other.");
  const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, key) => [key, null]));
  assert.equal(await reason(shape, {}, changed(many)), "too many rows were others then.");
});
