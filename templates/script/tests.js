/* Exhibit's report: what a browser adds to pages that are complete without it. Text from outside only ever becomes
   textContent. */
"use strict";

/** What the parts of this script and the files in data/ share. */
const exhibit = {
  /** All tests read so far, in the report's order. */
  tests: [],
  /** The failures among them that are read so far, in the same order; objects of their own. */
  failures: [],
  /** Words and signs of the outcomes, worst first; `codes` stands before this script and is written with the data. */
  outcomes: codes.outcomes,
  /** Bits of what a test has. */
  has: codes.has,
  /** What leads from this page to the report's folder. */
  base: document.getElementById("list")?.dataset.base ?? "",
};

(() => {
  const nonce = document.currentScript.nonce;
  const chunks = [];
  const failures = [];

  /** Called by data/tests-N.js. */
  exhibit.add = (number, chunk) => { chunks[number] = chunk; };

  /** Called by data/failures-N.js. */
  exhibit.addFailures = (number, chunk) => { failures[number] = take(chunk); };

  const inPage = (number) => document.querySelector(`script[data-tests="${number}"]`);

  /** Reads the files one after the other, so that the page stays quick; `progress` hears of each. */
  exhibit.read = async (count, progress) => {
    for (let number = 0; number < count; number += 1) {
      if (inPage(number)) chunks[number] = JSON.parse(inPage(number).textContent);
      else await exhibit.readFile(`${exhibit.base}data/tests-${number}.js`);
      if (!chunks[number]) throw new Error(`data/tests-${number}.js holds no tests`);
      for (const test of take(chunks[number])) exhibit.tests.push(test);
      chunks[number] = null;
      progress();
    }
  };

  /** Reads the failures, those of one file before the others; in one file they are among the tests. */
  exhibit.readFailures = async (count, first, progress) => {
    const order = [...Array(count).keys()].sort((left, right) => (right === first) - (left === first));
    for (const number of order) {
      await exhibit.readFile(`${exhibit.base}data/failures-${number}.js`);
      if (!failures[number]) throw new Error(`data/failures-${number}.js holds no failures`);
      exhibit.failures = failures.flat();
      progress();
    }
  };

  /** Runs a file of the report's folder; the one file has some of them in itself. */
  exhibit.readFile = (path) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.nonce = nonce;
    const embedded = document.querySelector(`script[data-file="${CSS.escape(path)}"]`);
    if (embedded) {
      script.textContent = embedded.textContent;
      document.head.append(script);
      script.remove();
      resolve();
      return;
    }
    script.src = path;
    script.onload = () => { script.remove(); resolve(); };
    script.onerror = () => reject(new Error(`${path} cannot be read`));
    document.head.append(script);
  });

  const take = ({ suites, tests }) => {
    const places = suites.map(place);
    return tests.map((row) => test(row, places[row[0]]));
  };

  const places = new Map();

  /** A module and its suites; a suite that goes on in the next file stays one object. */
  const place = ([module, path]) => {
    const key = `${module}\n${path}`;
    if (!places.has(key)) {
      const title = path ? `${module} / ${path.replaceAll("/", " / ")}` : module;
      places.set(key, { module, path, key, title, lower: { module: module.toLowerCase(), path: path.toLowerCase() } });
    }
    return places.get(key);
  };

  const test = ([, outcome, micros, name, page, message, display, argument, ordinal, bits, tags, likes, alike], place) => {
    const title = display || name;
    const suffix = (argument ? ` (${argument})` : "") + (ordinal ? ` #${ordinal + 1}` : "");
    const id = `${place.module}.${place.path ? place.path + "/" : ""}${name}${suffix}`;
    return {
      id, place, name, title, argument: argument || "", outcome, seconds: micros < 0 ? null : micros / 1e6,
      page: page || "", message: message || "", bits: bits || 0, tags: tags || [], likes: likes || 0, alike: alike || 0,
      text: `${id}\n${display || ""}\n${message || ""}`.toLowerCase(),
    };
  };

  /** Whether a test crashed, failed or did not end. */
  exhibit.fails = (test) => exhibit.outcomes[test.outcome].failure;

  /** `234 ms`, as the pages write it. */
  exhibit.duration = (seconds) => {
    if (seconds === null) return "";
    if (seconds < 0.00995) return `${(seconds * 1000).toFixed(1)} ms`;
    if (seconds < 0.9995) return `${(seconds * 1000).toFixed(0)} ms`;
    if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
    const whole = Math.round(seconds);
    const hours = Math.floor(whole / 3600);
    return `${hours ? `${hours} h ` : ""}${Math.floor(whole / 60) % 60} min ${whole % 60} s`;
  };

  /** `1,234`. */
  exhibit.grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

  /** `1 test`, `1,234 tests`. */
  exhibit.counted = (count, singular) => `${exhibit.grouped(count)} ${singular}${count === 1 ? "" : "s"}`;

  /** An element with a class and children; texts become text nodes. */
  exhibit.element = (name, style, ...children) => {
    const element = document.createElement(name);
    if (style) element.className = style;
    element.append(...children);
    return element;
  };

  /** Opens an element that folds, and all that it is folded in. */
  exhibit.unfold = (element) => {
    for (let around = element.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  };

  /** A button with words and what it does. */
  exhibit.button = (style, words, action) => {
    const button = exhibit.element("button", style, words);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  };

  /** The outcome as word and sign. */
  exhibit.badge = (outcome) => {
    const { style, word, symbol } = exhibit.outcomes[outcome];
    const sign = exhibit.element("span", "symbol", symbol);
    sign.setAttribute("aria-hidden", "true");
    return exhibit.element("span", `outcome ${style}`, sign, word);
  };
})();
