/* Exhibit's report: what a browser adds to pages that are complete without it. Text from outside only ever becomes
   textContent. */
"use strict";

/** What the parts of this script and the files in data/ share. */
const exhibit = {
  /** All tests read so far, in the report's order. */
  tests: [],
  /** Words and signs of the outcomes, worst first; `codes` stands before this script and is written with the data. */
  outcomes: codes.outcomes,
  /** Bits of what a test has. */
  has: codes.has,
};

(() => {
  const nonce = document.currentScript.nonce;
  const chunks = [];
  let announce = () => {};

  /** Called by data/tests-N.js. */
  exhibit.add = (number, chunk) => { chunks[number] = chunk; };

  /** Reads the files one after the other, so that the page stays quick; `progress` hears of each. */
  exhibit.read = async (count, progress) => {
    announce = progress;
    for (let number = 0; number < count; number += 1) {
      const inPage = document.querySelector(`script[data-tests="${number}"]`);
      if (inPage) chunks[number] = JSON.parse(inPage.textContent);
      else await exhibit.readFile(`data/tests-${number}.js`);
      if (!chunks[number]) throw new Error(`data/tests-${number}.js holds no tests`);
      take(chunks[number]);
      chunks[number] = null;
      announce();
    }
  };

  exhibit.readFile = (path) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.nonce = nonce;
    script.src = path;
    script.onload = () => { script.remove(); resolve(); };
    script.onerror = () => reject(new Error(`${path} cannot be read`));
    document.head.append(script);
  });

  const take = ({ suites, tests }) => {
    const places = suites.map(place);
    for (const row of tests) exhibit.tests.push(test(row, places[row[0]]));
  };

  let lastPlace = null;

  /** A module and its suites; a suite that goes on in the next file stays one object. */
  const place = ([module, path]) => {
    if (lastPlace && lastPlace.module === module && lastPlace.path === path) return lastPlace;
    lastPlace = { module, path, key: `${module}\n${path}` };
    return lastPlace;
  };

  const test = ([, outcome, micros, name, page, message, display, argument, ordinal, bits, tags], place) => {
    const title = display || name;
    const suffix = (argument ? ` (${argument})` : "") + (ordinal ? ` #${ordinal + 1}` : "");
    const id = `${place.module}.${place.path ? place.path + "/" : ""}${name}${suffix}`;
    return {
      id, place, name, title, argument: argument || "", outcome, seconds: micros < 0 ? null : micros / 1e6,
      page: page || "", message: message || "", bits: bits || 0, tags: tags || [],
      text: `${id}\n${display || ""}\n${message || ""}`.toLowerCase(),
    };
  };

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

  /** `1 test`, `1,234 tests`. */
  exhibit.counted = (count, singular) =>
    `${String(count).replace(/\B(?=(\d{3})+$)/g, ",")} ${singular}${count === 1 ? "" : "s"}`;

  /** An element with a class and children; texts become text nodes. */
  exhibit.element = (name, style, ...children) => {
    const element = document.createElement(name);
    if (style) element.className = style;
    element.append(...children);
    return element;
  };

  /** The outcome as word and sign. */
  exhibit.badge = (outcome) => {
    const { style, word, symbol } = exhibit.outcomes[outcome];
    const sign = exhibit.element("span", "symbol", symbol);
    sign.setAttribute("aria-hidden", "true");
    return exhibit.element("span", `outcome ${style}`, sign, word);
  };
})();
