import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { csv } from "./page.mjs";

const column = { name: "a", type: "" };

test("fields are what reporter inspect writes too", () => {
  const examples = JSON.parse(readFileSync(new URL("../Fixtures/CSV/fields.json", import.meta.url), "utf8"));
  assert.ok(examples.length > 30);
  for (const { value, field } of examples) assert.equal(csv.field(csv.plain(value, column)), field, JSON.stringify(value));
});

test("what a statement gave is written alike", () => {
  const values = [null, 7n, 7, 0.5, "7", Uint8Array.of(0, 255), { part: "be", bytes: 9 }];
  assert.deepEqual(values.map(csv.field), ["", "7", "7.0", "0.5", '"7"', "X'00ff'", '"be"']);
});

test("whole numbers of a column of real ones are real", () => {
  assert.equal(csv.field(csv.plain(3, { ...column, isReal: true })), "3.0");
  assert.equal(csv.field(csv.plain(2 ** 60, { ...column, isReal: true })), "1.152921504606847e+18");
});

test("rows end with CRLF, and what is cut is counted", async () => {
  const rows = [[1n, "a"], [2n, { part: "be", bytes: 20000 }], [undefined, null]];
  const { parts, rows: count, cut } = await csv.write(["id", 'the "name"'], rows);
  assert.equal(parts.join(""), '"id","the ""name"""\r\n1,"a"\r\n2,"be"\r\n,\r\n');
  assert.deepEqual([count, cut], [3, 2]);
});

test("many rows are written in pieces", async () => {
  const { parts, rows } = await csv.write(["id"], Array.from({ length: 5000 }, (_, index) => [BigInt(index)]));
  assert.ok(parts.length > 3 && rows === 5000);
  assert.equal(parts.join("").split("\r\n").length, 5002);
});

test("a file is called by its table, without what a path or a shell would obey", () => {
  const names = { orders: "orders.csv", "../../etc/passwd": "etc_passwd.csv", "Müller & Söhne": "Müller_Söhne.csv", "…": "table.csv" };
  for (const [name, file] of Object.entries(names)) assert.equal(csv.fileName(name), file);
  assert.equal(csv.fileName("a".repeat(200)), `${"a".repeat(80)}.csv`);
});
