import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { exhibit, files } from "./page.mjs";

test("each script is in the bundle, once", () => {
  const scripts = readdirSync(new URL("../../templates/script/", import.meta.url)).filter((name) => name.endsWith(".js"));
  assert.deepEqual([...files].sort(), scripts.sort());
});

test("a page without elements has what the files in data/ call", () => {
  const called = ["add", "addFailures", "addIssues", "addStates", "rows", "marks", "pages", "viewer"];
  assert.deepEqual(called.filter((name) => typeof exhibit[name] !== "function"), []);
});
