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
    omitted: 3,
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
