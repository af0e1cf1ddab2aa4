import assert from "node:assert/strict";
import test from "node:test";
import { databases, exhibit, serve, table } from "./page.mjs";

const head = {
  format: 1,
  tables: [
    { name: "customer", kind: "ordinary", rows: 3, rowid: true, key: [], columns: [["name", "TEXT", 0], ["Mail", "TEXT", 2]], parts: [[0, 0, 2], [1, 2, 1]] },
    {
      name: "sale", kind: "ordinary", rows: 2, rowid: false, key: [0], columns: [["id", "INTEGER", 0], ["of", "REAL", 1]],
      foreignKeys: [[[1], "CUSTOMER", ["rowid"]], [[0], "customer", ["nowhere"]], [[0], "nothing", ["id"]]], parts: [[1, 0, 2]],
    },
  ],
};

const files = (id) => ({
  [`data/rows/${id}/head.js`]: () => exhibit.rows(id, head),
  [`data/rows/${id}/0.js`]: () => exhibit.rows(id, 0, [[0, 0, [[1, "Ada", null], [2, "Grace", null]]]]),
  [`data/rows/${id}/1.js`]: () => exhibit.rows(id, 1, [[1, 0, [[10, 1], [11, 9]]], [0, 2, [[3, "Emmy", null]]]]),
});

test("the rows of a table are those of all its parts, in order", async () => {
  serve(files("whole"));
  const database = await databases.get("whole");
  const customer = database.table("customer");
  assert.equal(database.table("Customer"), customer, "as SQLite compares names");
  assert.equal(database.table("ĆUSTOMER"), undefined);
  assert.deepEqual(customer.columns.map(({ name, isRowid, isGenerated }) => [name, isRowid, isGenerated]),
    [["rowid", true, false], ["name", false, false], ["Mail", false, true]]);
  assert.deepEqual((await database.rows(customer)).map(([, name]) => name), ["Ada", "Grace", "Emmy"]);
  assert.equal(customer.problem, undefined);
  assert.deepEqual((await database.index(customer, [1])).get("Grace"), [[2, "Grace", null]]);
  assert.equal(databases.column(customer, "mail"), 2);
});

test("a foreign key leads to its row, and back", async () => {
  const database = await databases.get("whole");
  const [customer, sale] = database.tables;
  const [[key, reference], ...others] = await exhibit.readReferences(database, sale);
  const rows = await database.rows(sale);
  assert.equal(key.table, "CUSTOMER");
  assert.deepEqual(others, [], "what leads nowhere is none");
  assert.deepEqual(reference.target(rows[0]), [1, "Ada", null]);
  assert.equal(reference.target(rows[1]), undefined);
  assert.equal(reference.target([12, null]), null);
  assert.equal(reference.isWhole, true);
  assert.deepEqual([...(await exhibit.shownReferences(database, sale)).keys()], [1]);
  const [referring] = await exhibit.referringTo(database, customer, [1, "Ada", null]);
  assert.deepEqual([referring.table.name, referring.rows], ["sale", [[10, 1]]]);
  assert.deepEqual(await exhibit.referringTo(database, customer, [3, "Emmy", null]), []);
});

test("rows that cannot be read are counted, with the reason", async () => {
  serve({ ...files("lost"), "data/rows/lost/0.js": undefined });
  const database = await databases.get("lost");
  const [customer] = database.tables;
  assert.deepEqual((await database.rows(customer)).map(([, name]) => name), ["Emmy"]);
  assert.equal(customer.problem, "2 rows cannot be read: data/rows/lost/0.js cannot be read.");
});

test("files that are none of this database are named", async () => {
  serve({ ...files("other"), "data/rows/other/0.js": () => {} });
  const database = await databases.get("other");
  await database.rows(database.tables[0]);
  assert.match(database.tables[0].problem, /data\/rows\/other\/0\.js is not whole/);
  serve({ "data/rows/a/head.js": () => {}, "data/rows/b/head.js": () => exhibit.rows("b", { format: 2 }), "data/rows/c/head.js": () => exhibit.rows("c", { format: 1, tables: [{}] }) });
  await assert.rejects(databases.get("a"), /head\.js is not whole/);
  await assert.rejects(databases.get("b"), /another version/);
  await assert.rejects(databases.get("c"), /head\.js is damaged/);
});

test("rows are named by their key", () => {
  const name = (key, row) => databases.rowName({ key }, row);
  assert.equal(name([0], [7]), "7");
  assert.equal(name([0], [""]), "''");
  assert.equal(name([0], ["'"]), "'''");
  assert.equal(name([0, 1], [7, "a"]), '["7","a"]');
  assert.equal(name([0, 1], [7, null]), "");
  assert.equal(name([], [7]), "");
});

test("a text is another value than the number that looks like it, in rows without a key too", () => {
  const rows = [["1"], [1], ["NULL"], [null]];
  const { marks } = exhibit.markedRows(table(["a"], { key: [] }), rows, { columns: ["a"], rows: [["+", null, [1]], ["+", null, ["NULL"]]] });
  assert.deepEqual([...marks.keys()], [rows[1], rows[2]]);
  const changed = exhibit.markedRows(table(["id", "a"], { key: [0] }), [[1, "2"]], { columns: ["id", "a"], rows: [["~", 1, [1, "2"], 1, 2]] });
  assert.deepEqual([...changed.marks.values()].map(({ before }) => [...before]), [[[1, 2]]]);
});

test("what the test changed is marked, and rows that it removed stand in their places", () => {
  const items = table(["id", "status", "total"], { key: [0] });
  const rows = [[1, "paid", 20], [3, "sent", 30], [4, "new", 40]];
  const { rows: shown, marks } = exhibit.markedRows(items, rows, {
    columns: ["id", "status", "total"],
    rows: [["+", null, [4, "new", 40]], ["~", 3, 0, 1, "paid", 2, 30], ["−", null, [2, "gone", 25]], ["~", 1, 0, 1, "paid"]],
  });
  assert.deepEqual(shown.map(([id]) => id), [1, 2, 3, 4]);
  assert.deepEqual([...marks].map(([[id], { kind, before }]) => [id, kind, before && [...before]]),
    [[4, "added", []], [3, "changed", [[1, "paid"]]], [2, "removed", undefined]]);
  assert.equal(exhibit.markedRows(items, rows, null).rows, rows);
});

test("a value that is as it was is none that changed", () => {
  const changes = (own, former) => exhibit.markedRows(table(["id", "a"], { key: [0] }), [[1, own]], {
    columns: ["id", "a"], rows: [["~", 1, 0, 1, former]],
  }).marks.size;
  assert.deepEqual([changes("x", null), changes(null, "x"), changes("x", "y")], [1, 1, 1]);
  assert.deepEqual([changes(null, null), changes("x", "x"), changes(1, ["r", "1.0"])], [0, 0, 0]);
});

test("rows that nothing tells from others are known by what is in them", () => {
  const items = table([{ name: "rowid", isRowid: true }, "a"], { key: [0] });
  const rows = [[1, "x"], [2, "y"]];
  const { marks } = exhibit.markedRows(items, rows, { columns: ["a"], rows: [["+", null, ["y"]]] });
  assert.deepEqual([...marks.keys()], [rows[1]]);
});

test("rows are merged by their key where that is a number, else at the end", () => {
  const merged = (key, rows, others) => exhibit.mergedRows(table(["id"], { key }), rows, others).map(([id]) => id);
  assert.deepEqual(merged([0], [[1], [4]], [[5], [3], [0]]), [0, 1, 3, 4, 5]);
  assert.deepEqual(merged([0], [["b"]], [["a"]]), ["b", "a"]);
  assert.deepEqual(merged([], [[4]], [[3]]), [4, 3]);
});

test("tables of SQLite and of frameworks are no app's", () => {
  const isOwn = (name, kind = "ordinary") => exhibit.isOwnTable({ name, kind });
  assert.deepEqual([isOwn("item"), isOwn("sqlite_stat1"), isOwn("grdb_migrations"), isOwn("text_data", "shadow")], [true, false, false, false]);
});
