import assert from "node:assert/strict";
import test from "node:test";
import { exhibit, table, cells } from "./page.mjs";

const cell = cells;
const blob = (...bytes) => ["b", Buffer.from(bytes).toString("base64"), bytes.length];

test("kinds of values", () => {
  const values = [null, 0, "", "a", ["i", "9"], ["r", "1.0"], ["t", "a", 20000], ["u", "a", 1, "/w=="], blob(1), ["?"], ["new", 1]];
  assert.deepEqual(values.map(cell.kindOf), ["null", "number", "empty", "text", "number", "number", "text", "text", "blob", "untold", "untold"]);
  assert.deepEqual(values.map(exhibit.isBlob), values.map((value) => Array.isArray(value) && value[0] === "b"));
  assert.deepEqual(values.filter(exhibit.isNumber), [0, ["i", "9"], ["r", "1.0"]]);
});

test("numbers, also those that a script's numbers do not hold", () => {
  const values = [7, ["i", "9007199254740993"], ["r", "1.0"], ["r", "inf"], ["r", "-inf"]];
  assert.deepEqual(values.map(cell.number), [7, 9007199254740993n, 1, Infinity, -Infinity]);
});

test("values as SQLite prints them", () => {
  const values = [null, 0.5, "a", ["i", "9007199254740993"], ["r", "-0.0"], ["r", "-inf"], ["t", "cut", 20000], blob(0, 255), ["?"], ["new", 1]];
  assert.deepEqual(values.map((value) => cell.text(value)), ["NULL", "0.5", "a", "9007199254740993", "-0.0", "-Inf", "cut", "00ff", "not told", "not told"]);
  assert.equal(cell.text(3, { isReal: true }), "3.0");
  assert.equal(cell.text(3.5, { isReal: true }), "3.5");
  assert.equal(cell.text(1e15, { isReal: true }), "1000000000000000");
});

test("of a long blob the beginning, and all of it where that is asked for", () => {
  const bytes = Array.from({ length: 40 }, (_, byte) => byte);
  assert.equal(cell.text(blob(...bytes)), `${Buffer.from(bytes).toString("hex").slice(0, 76)}…`);
  assert.equal(cell.allDigits(blob(...bytes)), Buffer.from(bytes).toString("hex"));
  assert.equal(cell.digits(blob(...bytes)).length, 76);
});

test("values are the same by their size, texts and blobs by their kind", () => {
  assert.equal(cell.exact(["r", "1.0"]), cell.exact(1));
  assert.equal(cell.exact(["r", "1.0"]), cell.exact(["i", "1"]));
  assert.notEqual(cell.exact(blob(0x61)), cell.exact("61"));
  assert.notEqual(cell.exact(["t", "a", 20000]), cell.exact(["t", "a", 20001]));
  assert.notEqual(cell.exact(["?"]), cell.exact("?"));
});

test("values that are not here as a whole", () => {
  const values = ["text", ["t", "a", 20000], blob(1, 2), ["b", "AAAA", 70000], ["u", "a", 1, "/w=="], null, 5];
  assert.deepEqual(values.map(cell.isCut), [false, true, false, true, false, false, false]);
});

const learnt = (name, type, values) => {
  const one = table([{ name, type }]);
  cell.learn(one, values.map((value) => [value]));
  return one.columns[0];
};

test("columns that count time", () => {
  const of = (name, type, value) => cell.meaning(value, learnt(name, type, [value]));
  assert.equal(of("created", "INTEGER", 1_700_000_000), "2023-11-14 22:13:20");
  assert.equal(of("updatedAt", "INTEGER", 1_700_000_000_123), "2023-11-14 22:13:20.123");
  assert.equal(of("date", "INTEGER", 1_700_000_000_000_000), "2023-11-14 22:13:20");
  assert.equal(of("ZDATE", "TIMESTAMP", 0.5), "2001-01-01 00:00:00.500");
  assert.equal(of("ZDATE", "TIMESTAMP", -1), "2000-12-31 23:59:59");
  assert.equal(of("ZDATE", "INTEGER", 1_700_000_000), "2023-11-14 22:13:20");
  assert.equal(of("total", "INTEGER", 1_700_000_000), null);
  assert.equal(of("created", "INTEGER", 12), null);
  assert.equal(learnt("created", "INTEGER", [1_700_000_000, 12]).clock, null);
});

test("a UUID in 16 bytes", () => {
  const bytes = Array.from({ length: 16 }, (_, byte) => byte * 17);
  assert.equal(cell.meaning(blob(...bytes), { name: "id" }), "00112233-4455-6677-8899-AABBCCDDEEFF");
  assert.equal(cell.meaning(blob(1, 2), { name: "id" }), null);
});

test("a column of numbers is one whatever is NULL in it", () => {
  assert.equal(learnt("n", "", [null, 1, ["i", "2"]]).isNumeric, true);
  assert.equal(learnt("n", "", [1, "2"]).isNumeric, false);
  assert.equal(learnt("n", "", [null]).isNumeric, false);
  assert.deepEqual(learnt("n", "", [null, 1]).sample, [1]);
});

test("what hides, moves or controls text is a sign", () => {
  assert.equal(exhibit.visible("a\tb\nc\rd\u0000\u007f\u202e\u0085é"), "a b⏎c⟨CR⟩d⟨NUL⟩⟨DEL⟩⟨U+202E⟩⟨U+0085⟩é");
});

test("of a UUID as text its ends", () => {
  assert.equal(exhibit.shortUUID("6aa6e2d1-0000-4000-8000-00000000c2f1"), "6aa6e2…c2f1");
  assert.equal(exhibit.shortUUID("no uuid"), "no uuid");
});

test("a row is called by a column for that, else by its first text that is no key", () => {
  const rows = [["k", "2024-01-01", "first", "Ada"]];
  const title = (names, others = {}) => {
    const one = table(names, { key: [0], ...others });
    cell.learn(one, rows);
    return exhibit.rowTitle(one, rows[0]);
  };
  assert.equal(title(["id", "day", "note", "name"]), "Ada");
  assert.equal(title(["id", "day", "note", "other"]), "first");
  assert.equal(title(["id", "day", "note", "other"], { foreignKeys: [{ columns: [2], table: "t", parents: ["a"] }] }), "Ada");
  assert.equal(title(["id"]), "");
});

test("the number of an entity is its name, which Core Data's stores tell", () => {
  const column = { name: "Z_ENT", type: "INTEGER", entities: { 1: "Book" } };
  assert.equal(cell.meaning(1, column), "Book");
  assert.equal(cell.meaning(2, column), null);
});
