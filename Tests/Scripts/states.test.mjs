import assert from "node:assert/strict";
import test from "node:test";
import { exhibit, Timeline } from "./page.mjs";

const [row, dropped, made, barrier] = [0, 1, 2, 3];

/** A step of connection 1 that is seen by all at once. */
const step = (number, others = {}) => {
  const { text = `step ${number}`, connection = 1, committed = number, taken = -1, bound = 0 } = others;
  return [number, text, connection, number, committed, taken, bound, 1];
};

/** A timeline of one table, whose rows are found by their rowid; `events` name their steps. */
const timeline = (steps, events, { captured = steps.length, showsOpen = 0, first = -1, isCaptured = 1, unseen = -1, bound = "" } = {}) =>
  new Timeline([1, captured, showsOpen, bound, first, steps,
    [["item", ["a"], 1, isCaptured, "", unseen, events.map(([number, ...rest]) => [steps.findIndex(([each]) => each === number), -1, ...rest])]]]);

const state = (of, view) => {
  const { bound, exists, holdsCaptured, rows } = of.state("item", view);
  return bound || { exists, holdsCaptured, rows: Object.fromEntries(rows) };
};

const three = () => timeline([step(1), step(2), step(3)],
  [[1, row, null, 5, null, ["a"]], [2, row, 5, 5, ["a"], ["b"]], [3, row, 5, null, ["b"], null]]);

test("what came after a step is taken back, newest first", () => {
  assert.deepEqual(state(three(), 3).rows, {});
  assert.deepEqual(state(three(), 2).rows, { 5: ["b"] });
  assert.deepEqual(state(three(), 1).rows, { 5: ["a"] });
  assert.deepEqual(state(three(), 0).rows, { 5: null });
  assert.deepEqual(state(three(), null), { exists: true, holdsCaptured: true, rows: {} });
});

test("a row that gets another key is none by the old one", () => {
  const moved = timeline([step(1), step(2)], [[2, row, 5, 6, ["a"], ["a"]]]);
  assert.deepEqual(state(moved, 1).rows, { 5: ["a"], 6: null });
});

test("what was taken back later is made again", () => {
  const rolled = timeline([step(1, { committed: -1, taken: 3 }), step(2, { committed: -1, taken: 3 }), step(3)],
    [[1, row, null, 5, null, ["a"]], [2, row, 5, null, ["a"], null]]);
  assert.deepEqual(state(rolled, 1).rows, { 5: ["a"] });
  assert.deepEqual(state(rolled, 2).rows, { 5: null });
  assert.deepEqual(state(rolled, 3).rows, {});
});

test("another connection does not see what is not committed", () => {
  const open = timeline([step(1, { committed: 3 }), step(2, { connection: 2 }), step(3)], [[1, row, null, 5, null, ["a"]]]);
  assert.deepEqual([1, 2, 3].map((view) => Object.keys(state(open, view).rows).length ? "without" : "with"), ["with", "without", "with"]);
});

test("the captured file may hold what was not committed", () => {
  const open = (showsOpen) => timeline([step(1), step(2, { committed: -1 })], [[2, row, null, 5, null, ["a"]]], { showsOpen });
  assert.deepEqual(state(open(1), 1).rows, { 5: null });
  assert.deepEqual(state(open(0), 1).rows, {});
  assert.deepEqual(state(open(0), 2).rows, { 5: ["a"] });
});

test("a table that is made was not there before, and one that is dropped is not after", () => {
  const born = timeline([step(1), step(2)], [[2, made], [2, row, null, 5, null, ["a"]]]);
  assert.deepEqual(state(born, 1), { exists: false, holdsCaptured: false, rows: {} });
  const gone = timeline([step(1), step(2), step(3)], [[1, made], [1, row, null, 5, null, ["a"]], [3, dropped, "It was dropped."]], { isCaptured: 0 });
  assert.equal(state(gone, 2), "It was dropped.");
  assert.deepEqual(state(gone, 3), { exists: false, holdsCaptured: false, rows: {} });
  const again = timeline([step(1, { committed: -1, taken: 2 }), step(2)], [[1, made], [1, row, null, 5, null, ["a"]]]);
  assert.deepEqual(state(again, 1), { exists: true, holdsCaptured: false, rows: { 5: ["a"] } });
});

test("why a state is not told", () => {
  const barred = timeline([step(1), step(2)], [[2, barrier, "A VACUUM."]]);
  assert.equal(state(barred, 1), "A VACUUM.");
  assert.deepEqual(state(barred, 2).rows, {});
  assert.equal(state(timeline([step(1), step(2)], [[2, dropped, "It was dropped."]]), 1), "It was dropped.");
  assert.equal(state(timeline([step(4)], [], { first: 4, captured: 4 }), 2), "Steps before 4 are missing.");
  assert.deepEqual([0, 4].map((view) => state(timeline([step(4)], [], { first: 4, captured: 4 }), view).rows), [{}, {}]);
  assert.deepEqual(state(timeline([step(1)], [], { captured: 1 }), 0).rows, {});
  const copied = timeline([step(1, { committed: -1, taken: 2 }), step(2)], [[1, made, "It was filled by a query."]]);
  assert.equal(state(copied, 1), "It was filled by a query.");
  assert.equal(state(timeline([step(1), step(2)], [], { unseen: 2 }), 1), "Unseen before 2.");
  assert.equal(state(timeline([step(1)], [], { unseen: -2 }), 1), "Unseen at the end.");
  assert.equal(state(timeline([step(1, { bound: "Its own." })], []), 1), "Its own.");
  assert.equal(state(timeline([step(1)], [], { bound: "All of it." }), 1), "All of it.");
});

test("what is seen from a step on that is not its own", () => {
  const fixed = new Timeline([1, 3, 0, "", -1, [step(1), step(2), step(3)],
    [["item", ["a"], 1, 1, "", -1, [[0, 2, row, null, 5, null, ["a"]]]]]]);
  assert.deepEqual([1, 2].map((view) => state(fixed, view).rows), [{ 5: null }, {}]);
});

test("what a step itself changed", () => {
  const { changed } = Timeline.prototype;
  assert.deepEqual([...changed.call(three(), "item", 2)], [["5", { old: ["a"], row: ["b"] }]]);
  assert.deepEqual([...changed.call(three(), "item", 3)], [["5", { old: ["b"], row: null }]]);
  assert.deepEqual([...changed.call(three(), "item", 1)], [["5", { old: null, row: ["a"] }]]);
});

test("steps without a text are none to choose", () => {
  assert.deepEqual(timeline([step(1), step(2, { text: 0 })], []).choices.map(({ number }) => number), [1]);
});

const past = (of, key, view = null) => {
  const { entries, origin } = of.past("item", key, view, true);
  return [...entries.map(({ step, kind }) => `${kind} ${step}`), origin];
};

test("the past of a row, newest first, back to where it came from", () => {
  assert.deepEqual(past(three(), 5, 2), ["updated 2", "inserted 1", "Inserted by 1."]);
  assert.deepEqual(past(three(), 5), ["deleted 3", "updated 2", "inserted 1", "Inserted by 1."]);
  const replaced = timeline([step(1), step(2)], [[1, row, null, 5, null, ["a"]], [2, row, 5, null, ["a"], null], [2, row, null, 5, null, ["b"]]]);
  assert.deepEqual(past(replaced, 5), ["replaced 2", "inserted 1", "Inserted by 1."]);
  const moved = timeline([step(1), step(2)], [[1, row, null, 5, null, ["a"]], [2, row, 5, 6, ["a"], ["a"]]]);
  assert.deepEqual(past(moved, 6), ["updated 2", "inserted 1", "Inserted by 1."]);
  const left = timeline([step(1), step(2), step(3)], [[1, row, null, 5, null, ["a"]], [2, row, 5, 6, ["a"], ["a"]], [3, row, 7, 7, ["x"], ["y"]]]);
  assert.deepEqual(past(left, 5), ["updated 2", "inserted 1", "Inserted by 1."], "another row has its key no more");
  assert.deepEqual(past(left, 9), ["Before null."]);
  assert.deepEqual(past(timeline([step(1)], [], { first: 1 }), 5), ["Before 1."]);
  assert.deepEqual(past(timeline([step(1)], [[1, barrier, "A VACUUM."]]), 5), ["Untold: A VACUUM."]);
  assert.deepEqual(past(timeline([step(1), step(2)], [[1, row, 5, 5, ["a"], ["b"]], [2, row, 5, 5, ["b"], ["c"]]], { unseen: 2 }), 5),
    ["updated 2", "Untold: Unseen before 2."]);
});

test("keys of several columns are found as rowids are", () => {
  assert.equal(exhibit.keyText(5), "5");
  assert.equal(exhibit.keyText(["k", 1, "a"]), '["k",1,"a"]');
});
