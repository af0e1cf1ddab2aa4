import assert from "node:assert/strict";
import test from "node:test";
import { exhibit, serve } from "./page.mjs";

const chunk = {
  suites: [["AppTests", ""], ["AppTests", "Store/Orders"]],
  tests: [
    [0, 1, 234_000, "testPay()", "tests/pay.html", "total is 0", "Pays", "EUR", 1, 3, ["slow"], 2, 4],
    [1, 2, -1, "testShip()"],
  ],
};

test("tests are read from their files, in order", async () => {
  serve({
    "data/tests-0.js": () => exhibit.add(0, chunk),
    "data/tests-1.js": () => exhibit.add(1, { suites: [["AppTests", "Store/Orders"]], tests: [[0, 0, 1, "testEnd()"]] }),
  });
  let heard = 0;
  await exhibit.read(2, () => { heard += 1; });
  const [pay, ship, end] = exhibit.tests;
  assert.equal(heard, 2);
  assert.deepEqual({ ...pay, place: pay.place.title, text: "" }, {
    id: "AppTests.testPay() (EUR) #2", place: "AppTests", name: "testPay()", title: "Pays", argument: "EUR", outcome: 1,
    seconds: 0.234, page: "tests/pay.html", message: "total is 0", bits: 3, tags: ["slow"], likes: 2, alike: 4, past: "", text: "",
  });
  assert.match(pay.text, /^apptests\.testpay\(\) \(eur\) #2\npays\ntotal is 0$/);
  assert.deepEqual([ship.id, ship.place.title, ship.seconds, ship.tags], ["AppTests.Store/Orders/testShip()", "AppTests / Store / Orders", null, []]);
  assert.equal(ship.place, end.place, "a suite that goes on in the next file stays one object");
  assert.deepEqual(exhibit.tests.map(exhibit.fails), [true, false, true]);
});

test("a file that holds nothing is named", async () => {
  serve({ "data/tests-0.js": () => {} });
  await assert.rejects(exhibit.read(1, () => {}), /data\/tests-0\.js holds no tests/);
});

test("the failures of the page's own file come first, and stand in order", async () => {
  const read = [];
  const file = (number) => () => {
    read.push(number);
    exhibit.addFailures(number, { suites: [["T", ""]], tests: [[0, 1, 0, `test${number}`]] });
  };
  serve({ "data/failures-0.js": file(0), "data/failures-1.js": file(1), "data/failures-2.js": file(2) });
  const seen = [];
  await exhibit.readFailures(3, 1, () => seen.push(exhibit.failures.map(({ name }) => name).join()));
  assert.deepEqual(read, [1, 0, 2]);
  assert.deepEqual(seen, ["test1", "test0,test1", "test0,test1,test2"]);
});

test("times and counts are written as the pages write them", () => {
  const times = [null, 0, 0.0042, 0.234, 0.9996, 1, 59.94, 59.96, 61, 3599.6, 7325];
  assert.deepEqual(times.map(exhibit.duration), ["", "0.0 ms", "4.2 ms", "234 ms", "1.0 s", "1.0 s", "59.9 s", "1 min 0 s",
    "1 min 1 s", "1 h 0 min 0 s", "2 h 2 min 5 s"]);
  assert.deepEqual([0, 999, 1000, 1234567].map(exhibit.grouped), ["0", "999", "1,000", "1,234,567"]);
  assert.deepEqual([1, 2, 1500].map((count) => exhibit.counted(count, "row")), ["1 row", "2 rows", "1,500 rows"]);
});

test("what is in texts stays what it is in a shell, in SQL and in a pattern", () => {
  assert.equal(exhibit.shellQuoted("it's"), `'it'\\''s'`);
  assert.equal(exhibit.sqlQuoted('a"b'), '"a""b"');
  const text = "a.b*(c)[d]{e}^$|\\?+";
  assert.ok(new RegExp(`^${exhibit.pattern(text)}$`).test(text));
});

test("bytes come back from base64, also of browsers without the function for it", () => {
  const native = Uint8Array.fromBase64;
  Uint8Array.fromBase64 = undefined;
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  assert.deepEqual(exhibit.bytes(Buffer.from(all).toString("base64")), all);
  Uint8Array.fromBase64 = native;
  assert.equal(exhibit.hexadecimal(all.subarray(8, 18)), "08090a0b0c0d0e0f1011");
  assert.equal(exhibit.hexadecimal(all.subarray(0, 3), " "), "00 01 02");
});
