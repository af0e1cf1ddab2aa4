import assert from "node:assert/strict";
import test from "node:test";
import { exhibit } from "./page.mjs";

const made = (name, outcome, others = {}) => ({
  name, title: name, outcome, seconds: 1, message: "", bits: 0, tags: [], likes: 0,
  place: { lower: { module: "apptests", path: "store" } }, text: `apptests.store/${name}`.toLowerCase(), ...others,
});

const tests = [
  made("insert", 1, { message: "Order is missing", text: "apptests.store/insert\norder is missing", bits: 2, likes: 3 }),
  made("crash", 0, { seconds: null, tags: ["Slow"] }), made("pass", 2, { seconds: 0.01, bits: 1 | 16 }), made("skip", 3, { seconds: 90 }),
];

const found = (text) => {
  const { matches } = exhibit.query(text);
  return tests.filter(matches).map(({ name }) => name).join(" ");
};

for (const [text, names] of Object.entries({
  "": "insert crash pass skip", failed: "insert crash", crashed: "crash", passed: "pass", skipped: "skip", flaky: "pass",
  new: "insert", still: "", "!failed": "pass skip", "order missing": "insert", '"is missing"': "insert", '"missing order"': "",
  "name:ins": "insert", "message:ORDER": "insert", "suite:store": "insert crash pass skip", "module:other": "", "tag:slow": "crash",
  "#slow": "crash", ">1s": "skip", ">1min": "skip", "<20ms": "pass", ">500ms": "insert skip", "has:changes": "pass",
  "has:message": "insert", "alike:3": "insert", "!has:changes failed": "insert crash", '"failed"': "", "foo:bar": "",
})) test(`${text || "nothing"} finds ${names || "nothing"}`, () => assert.equal(found(text), names));

test("what is meant otherwise than it looks is said", () => {
  const hints = (text) => exhibit.query(text).hints;
  assert.deepEqual(hints("suite:"), ["suite: needs a value."]);
  assert.deepEqual(hints('suite:""'), ['suite:"" needs a value.']);
  assert.deepEqual(hints("has:wings"), ["has:wings is not understood."]);
  assert.deepEqual(hints("foo:bar"), ["foo: is no filter, so “foo:bar” is searched for as it stands."]);
  assert.deepEqual(hints("Error: order"), []);
});

test("words that are no filter are looked for in databases", () => {
  assert.deepEqual(exhibit.query('failed ada !grace "two words" name:x').words, ["ada", "two words"]);
});

test("only what failures alone match needs no other tests", () => {
  const isOfFailures = ["failed", "new order", "alike:3", "!failed", "passed", '"failed"', "order"].map((text) => exhibit.query(text).isOfFailures);
  assert.deepEqual(isOfFailures, [true, true, true, false, false, false, false]);
});
