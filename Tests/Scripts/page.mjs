// The scripts of the report's pages in node: the files of templates/script themselves, in the order of templates.c, in a
// page that has no elements.
import { readFileSync } from "node:fs";
import { Script } from "node:vm";

const templates = new URL("../../templates/", import.meta.url);

/** The files of the bundle, in their order. */
export const files = [...readFileSync(new URL("templates.c", templates), "utf8").matchAll(/^#embed "script\/(.+)" suffix\(,\)$/gm)]
  .map(([, name]) => name);

/** Listeners by event, of the window and the document alike. */
const listeners = new Map();
const addEventListener = (name, listener) => listeners.set(name, [...listeners.get(name) ?? [], listener]);

/** Goes to another address of the page, as a link does. */
export const go = (hash) => {
  location.hash = hash;
  for (const listener of listeners.get("hashchange") ?? []) listener({});
};

class Watching {
  observe() {}
}

Object.assign(globalThis, {
  window: globalThis, parent: globalThis, addEventListener, ResizeObserver: Watching, IntersectionObserver: Watching, CSS: { escape: String },
  location: { hash: "", href: "https://example.org/report/index.html", protocol: "https:" },
  history: {
    state: null, length: 1,
    replaceState(state, title, address) { this.take(state, address); },
    pushState(state, title, address) { this.take(state, address); },
    take(state, address) {
      this.state = state;
      if (address !== undefined) location.hash = address === "#" ? "" : address;
    },
  },
  document: {
    addEventListener, currentScript: { nonce: "", src: "" }, body: { classList: { contains: () => false } },
    getElementById: () => null, querySelector: () => null, querySelectorAll: () => [],
    createElement: () => ({ getContext: () => ({}), remove() {} }),
  },
  // As ScriptCodes.swift writes them, with words of these tests.
  codes: {
    outcomes: [
      { style: "crashed", word: "crashed", symbol: "!", failure: true }, { style: "failed", word: "failed", symbol: "x", failure: true },
      { style: "passed", word: "passed", symbol: "o", failure: false }, { style: "skipped", word: "skipped", symbol: "-", failure: false },
    ],
    has: { flaky: 1, new: 2, still: 4, fixed: 8, changes: 16 },
    housekeeping: { names: ["grdb_migrations"], prefixes: ["sqlite_"] },
    sentences: {
      missing: "Steps before # are missing.", unseen: "Unseen before #.", unseenAtEnd: "Unseen at the end.",
      inserted: "Inserted by #.", before: "Before #.", untold: "Untold: #", nowhere: "From nowhere.",
    },
  },
});

for (const name of files) {
  const path = new URL(`script/${name}`, templates);
  new Script(readFileSync(path, "utf8"), { filename: path.pathname }).runInThisContext();
}

/** What the scripts share. */
export const { exhibit, cells, csv, databases, engine, Timeline } = new Script("({ exhibit, cells, csv, databases, engine, Timeline })").runInThisContext();

/** Has files of the report's folder be these, by their paths: each does what its script would; others cannot be read. */
export const serve = (served) => {
  exhibit.readFile = async (path) => {
    if (!served[path]) throw new Error(`${path} cannot be read`);
    served[path]();
  };
};

/** A table with some columns, as a database has it. */
export const table = (columns, others = {}) => ({
  name: "item", key: [], foreignKeys: [], note: "",
  columns: columns.map((name) => typeof name === "string" ? { name, type: "" } : { type: "", ...name }), ...others,
});
