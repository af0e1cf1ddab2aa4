import assert from "node:assert/strict";
import test from "node:test";
import { exhibit, table, cells } from "./page.mjs";

const blob = (...bytes) => ["b", Buffer.from(bytes).toString("base64"), bytes.length];
const rows = [
  [1, "paid", 20, "Ada Lovelace", 1_700_000_000, blob(0, 255, 16, 17)],
  [2, "Draft", -5.5, "line\nbreak", 1_700_000_060, null],
  [3, null, ["i", "9007199254740993"], 'say "hi"', null, blob(1)],
  [4, "null", "12", "STRASSE ΟΔΟΣ", 1_800_000_000, null],
];
const items = table(["id", "status", "total", "full name", { name: "created", type: "INTEGER" }, "data"], { key: [0] });
cells.learn(items, rows);

const found = (text) => {
  const all = exhibit.tableRows(items, rows);
  return all.at(all.filter(exhibit.rowFilter(text, items.columns).conditions)).map(([id]) => id).join("");
};

for (const [text, ids] of Object.entries({
  "": "1234", ada: "1", lovelace: "1", "!ada": "234", "status:pai": "1", "STATUS=paid": "1", "status=PAID": "", "status=draft": "",
  "status:draft": "2", "status!=paid": "24", "status<>paid": "24", "status:null": "3", "status=null": "3", "status!=null": "124",
  '"status":"null"': "4", "!status:null": "124", "total<0": "2", "total>=20": "13", "total>10": "134", "total==20": "1",
  "total=12": "4", "total:20": "1", "total:2": "34", "total<13": "24", "total<5": "2",
  "9007199254740993": "3", "total=9007199254740993": "3", "total>9007199254740992": "3", '"full name":ada': "1",
  '"full name"="say ""hi"""': "3", "line⏎break": "2", '"line⏎break"': "2", "created>2023-11-14": "124", "created<2023-11-14T22:14": "1",
  "created:22:13": "1", "2023-11-14": "12", "data=x'01'": "3", "data=00ff1011": "1", "00ff10": "1", strasse: "4", οδος: "4", ΟΔΟΣ: "4",
  "ada total<0": "", "status:paid total>10": "1", "12": "4", "http://x": "", "12:30": "",
})) test(`${text || "nothing"} leaves ${ids || "none"}`, () => assert.equal(found(text), ids));

test("a filter that nobody understands says what may be meant", () => {
  const mistakes = (text) => exhibit.rowFilter(text, items.columns).mistakes;
  assert.deepEqual(mistakes("stauts:paid ada"), [{
    wrong: "There is no column stauts in this table.", instead: [{ words: "status", filter: "status:paid ada" }],
  }]);
  assert.deepEqual(mistakes("!full=x")[0].instead, [{ words: "full name", filter: '!"full name"=x' }]);
  assert.deepEqual(mistakes("wrong:thing")[0].instead, [{ words: '"wrong:thing"', filter: '"wrong:thing"' }]);
  assert.deepEqual(mistakes("di:1")[0].instead, [{ words: "id", filter: "id:1" }], "letters that are turned round");
  assert.deepEqual(mistakes("xy=1")[0].instead, []);
  assert.equal(mistakes("total<")[0].wrong, "total< needs a value.");
  assert.equal(mistakes("total<null")[0].wrong, "total<null needs a value other than NULL.");
  assert.deepEqual(exhibit.rowFilter("wrong:thing", items.columns).conditions, []);
});

test("the term that a value meets finds that value", () => {
  for (const [index, { name }] of items.columns.entries()) {
    for (const row of rows.filter((row) => row[index] !== null)) {
      assert.ok(found(exhibit.filterTerm(name, row[index])).includes(String(row[0])), `${name} ${row[index]}`);
    }
  }
  assert.equal(exhibit.filterTerm("full name", 'say "hi"'), '"full name"="say ""hi"""');
  assert.equal(exhibit.filterTerm("data", blob(1)), "data=x'01'");
  assert.equal(exhibit.filterTerm("status", "null"), 'status="null"');
});

test("the name of a row that a foreign key leads to is found as its value is", () => {
  const other = ["Grace"];
  const parents = table(["name"]);
  cells.learn(parents, [other]);
  const references = new Map([[0, { table: parents, isWhole: true, target: ([id]) => id === 1 ? other : id === 2 ? undefined : null }]]);
  const all = exhibit.tableRows(items, rows);
  const named = (text) => all.at(all.filter(exhibit.rowFilter(text, items.columns).conditions, references)).map(([id]) => id).join("");
  assert.equal(named("grace"), "1");
  assert.equal(named("!grace"), "234");
  assert.equal(named("id:grac"), "1");
  assert.equal(named("id=grace"), "1");
  assert.equal(named("id=grac"), "");
  assert.equal(named("id>grac"), "");
  assert.equal(named("no such row"), "2");
});

test("marked rows alone are left where that is wanted", () => {
  const all = exhibit.tableRows(items, rows);
  assert.deepEqual(all.at(all.filter([], new Map(), new Map([[rows[2], { kind: "added" }]]))), [rows[2]]);
});

test("many rows are looked at in pieces, and their texts told from each other", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => [index % 5000 === 4999 ? "İstanbul" : `row ${index}`]);
  const one = table(["text"]);
  const all = exhibit.tableRows(one, many);
  await all.prepare();
  assert.ok(all.isReady);
  const places = (text) => [...all.filter(exhibit.rowFilter(text, one.columns).conditions)];
  assert.deepEqual(places("istanbul"), []);
  assert.deepEqual(places("stanbul"), [4999, 9999]);
  assert.deepEqual(places('"row 4096"'), [4096]);
  assert.deepEqual(places('"row 999"'), [999, 9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998]);
});

test("a text is found in one value, never in two that follow each other", () => {
  const one = table(["text"]);
  const all = exhibit.tableRows(one, [["ab"], ["cd"], ["b\u0001c"], ["ab"], [null], [""]]);
  const places = (text) => [...all.filter(exhibit.rowFilter(text, one.columns).conditions)];
  assert.deepEqual(places("bc"), []);
  assert.deepEqual(places("b\u0001c"), [2]);
  assert.deepEqual(places("AB"), [0, 3]);
  assert.deepEqual(places("!ab"), [1, 2, 4, 5]);
  assert.deepEqual(places('text=""'), [5]);
});
