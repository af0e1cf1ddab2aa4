import assert from "node:assert/strict";
import test from "node:test";
import { exhibit, table } from "./page.mjs";

const blob = (text) => ["b", Buffer.from(text).toString("base64"), text.length];

const sorted = (values, direction = 1, places = Uint32Array.from(values.keys())) =>
  [...exhibit.tableRows(table(["value"]), values.map((value) => [value])).sorted(places, 0, direction)];

test("SQLite's order: NULL, numbers, texts, blobs, and last what was not told", () => {
  const values = [["?"], blob("a"), "b", "", 2, ["i", "9007199254740993"], null, ["r", "-inf"], "B", ["t", "a", 20000]];
  assert.deepEqual(sorted(values), [6, 7, 4, 5, 3, 8, 9, 2, 1, 0]);
  assert.deepEqual(sorted(values, -1), [0, 1, 2, 9, 8, 3, 5, 4, 7, 6]);
});

test("the same values stay in the order that they had, in both directions", () => {
  const values = [1, "a", ["r", "1.0"], "a", ["r", "-0.0"], 0, null, null];
  assert.deepEqual(sorted(values), [6, 7, 4, 5, 0, 2, 1, 3]);
  assert.deepEqual(sorted(values, -1), [1, 3, 0, 2, 4, 5, 6, 7]);
});

test("whole numbers beyond those of a script are told from each other", () => {
  assert.deepEqual(sorted([["i", "9007199254740993"], ["i", "9007199254740993"]], -1), [0, 1]);
  assert.deepEqual(sorted([["i", "9007199254740995"], ["i", "9007199254740993"], 9007199254740992, ["i", "-9007199254740993"]]), [3, 2, 1, 0]);
});

test("some of the rows are sorted as all are", () => {
  assert.deepEqual(sorted([3, 1, 2, 0], 1, Uint32Array.of(0, 2, 3)), [3, 2, 0]);
});

for (const [words, valueOf] of Object.entries({
  numbers: (at) => (at * 48271 % 60013 - 30000) / 7, integers: (at) => at % 300,
  texts: (at) => `name ${at * 48271 % 60013}`, "alike texts": (at) => `the same beginning of ${"x".repeat(70)} ${at % 40} ${String.fromCodePoint(0x1f600 + at % 3)}`,
  "long texts": (at) => `${at % 7} is followed by many letters, and ${at * 48271 % 60013}`,
  "few texts": (at) => ["", "a", "b", "aa"][at % 4],
})) {
  test(`many ${words}`, () => {
    const values = Array.from({ length: 70_000 }, (_, at) => valueOf(at));
    const expected = [...values.keys()].sort((one, other) => exhibit.compare(values[one], values[other]) || one - other);
    assert.deepEqual(sorted(values), expected);
    assert.deepEqual(sorted(values, -1), [...values.keys()].sort((one, other) => exhibit.compare(values[other], values[one]) || one - other));
  });
}
