import assert from "node:assert/strict";
import test from "node:test";
import { exhibit, serve } from "./page.mjs";

const tables = (note) => [{
  name: "buyer", kind: "ordinary", rows: 2, rowid: false, key: [0], columns: [["id", "INTEGER", 0], ["mail", "TEXT", 0]],
  parts: [[0, 0, 2]], note,
}];

/** A report of three tests: two have one database, the third has a database that cannot be read. */
const files = {
  "data/values.js": () => exhibit.values({
    tests: [
      ["tests/one.html", "one", [["1", "same", "shop.sqlite"]], [[7, 1, "INSERT INTO buyer VALUES (1, 'ada@example.org')", "ada@example.org"], [8, 0, "SELECT 'Ada@Example.org'"]]],
      ["tests/two.html", "two", [["2", "same", "copy.sqlite"]], []],
      ["failures/1001.html#t-1002", "three", [["1", "lost", "x.sqlite"]], [[1, 1, "DELETE FROM buyer WHERE mail = 'ada@example.org'"]]],
    ],
    omitted: 3, cut: 0,
  }),
  "data/rows/same/head.js": () => exhibit.rows("same", { format: 1, tables: tables() }),
  "data/rows/same/0.js": () => exhibit.rows("same", 0, [[0, 0, [[1, "ada@example.org"], [2, 'a:b "c"']]]]),
};

test("a value is found in rows and steps of all failures, and each result leads there", async () => {
  serve(files);
  const { found, note } = await exhibit.findValues("ADA@example", () => true);
  assert.deepEqual(found.map(({ href }) => href), [
    "tests/one.html#step-7", "tests/one.html", "failures/1001.html#t-1002", "tests/one.html#db=1&table=buyer&row=1&column=mail",
  ]);
  assert.deepEqual(found.map(({ where }) => where), [
    "one · step 7", "one · step 8, which its page counts only", "three · step 1", "one, and 1 other · buyer 1 · mail · shop.sqlite",
  ]);
  assert.equal(found[3].title, "ada@example.org");
  assert.equal(note, "1 database cannot be read: data/rows/lost/head.js cannot be read; 3 steps left out");
});

test("what a filter would take for a sign is a text", async () => {
  serve(files);
  const { found } = await exhibit.findValues('a:b "c"', () => true);
  assert.deepEqual(found.map(({ where }) => where), ["one, and 1 other · buyer 2 · mail · shop.sqlite"]);
  assert.deepEqual((await exhibit.findValues("!nothing", () => true)).found, []);
});

test("who goes on typing stops the search", async () => {
  const { found } = await exhibit.findValues("ada", () => false);
  assert.ok(found.every(({ where }) => where.includes("step")));
});

let reports = 0;

/** What is said of a search in a report of one test with one database. */
const noteOn = async (text, { steps = [], note, rows = [[1, "bob"], [2, "eve"]], cut = 0 } = {}) => {
  const id = `report-${reports += 1}`;
  const values = { tests: [["tests/one.html", "one", [["1", id, "shop.sqlite"]], steps]], omitted: 0, cut };
  serve({
    "data/values.js": () => exhibit.values(values),
    [`data/rows/${id}/head.js`]: () => exhibit.rows(id, { format: 1, tables: tables(note) }),
    [`data/rows/${id}/0.js`]: () => exhibit.rows(id, 0, [[0, 0, rows]]),
  });
  // A page reads it once.
  exhibit.values(values);
  return exhibit.findValues(text, () => true);
};

test("what was not looked at is said, so that nothing found does not mean nothing there", async () => {
  assert.equal((await noteOn("zoe")).note, "");
  const part = await noteOn("zoe", { note: "2 of 50,000 rows are here", rows: [[1, "bob"]] });
  assert.deepEqual([part.found.length, part.note], [0, "1 table in part"]);
  assert.equal((await noteOn("zoe", { rows: [[1, ["t", "long", 20000]], [2, "eve"]] })).note, "1 long value in part");
  assert.equal((await noteOn("zoe", { cut: 2 })).note, "2 steps in part");
  // A file of rows is lost.
  const lost = await noteOn("zoe", { rows: [[1, "bob"]] });
  assert.equal(lost.note, "1 table in part");
});

test("steps beyond the first ones that hold it are counted", async () => {
  const steps = Array.from({ length: 200 }, (_, place) => [place + 1, 1, "SELECT 'ada'"]);
  const { found, note } = await noteOn("'ada'", { steps });
  assert.deepEqual([found.length, note], [60, "140 more steps with it"]);
});
