import assert from "node:assert/strict";
import test from "node:test";
import { exhibit, go } from "./page.mjs";

const empty = { db: "", state: "", table: "", row: "", column: "", filter: "", sort: "", changed: "", sql: "" };

test("an anchor is no place", () => {
  location.hash = "#step-3";
  assert.deepEqual(exhibit.place.get(), empty);
});

test("a place is read from the address", () => {
  location.hash = "#db=1&state=4&table=order+item&row=%27%27&filter=total%3C0&q=x";
  assert.deepEqual(exhibit.place.get(), { ...empty, db: "1", state: "4", table: "order item", row: "''", filter: "total<0" });
});

test("a link has what is said, in one order", () => {
  assert.equal(exhibit.place.link({ table: "a&b", row: "", db: "2" }), "#db=2&table=a%26b");
});

test("noting a place keeps what others keep in the address", () => {
  location.hash = "#asked=1&db=1&filter=x";
  exhibit.place.set({ filter: "", table: "t" });
  assert.equal(location.hash, "#db=1&table=t&asked=1");
});

test("who listens hears of links, not of what is noted", () => {
  const heard = [];
  exhibit.place.listen(({ db }) => heard.push(db));
  exhibit.place.set({ db: "7" });
  go("#db=8");
  assert.deepEqual(heard, ["8"]);
});

test("an address that the browser refuses stays as it was", () => {
  const { take } = history;
  history.take = () => { throw new Error("too many"); };
  exhibit.place.set({ db: "9" });
  history.take = take;
  assert.equal(exhibit.place.get().db, "8");
});
