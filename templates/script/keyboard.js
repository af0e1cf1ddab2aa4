/* Keys, and their help. */
(() => {
  const storage = "exhibit-keys";
  /** @type {Map<string, { words: string, action: () => void }>} */
  const keys = new Map();
  let isOn = exhibit.recall("localStorage", storage) !== "off";

  exhibit.keys = {
    add(key, words, action) { keys.set(key, { words, action }); },
  };

  /** One file has all pages, and shows one.
      @param {string} selector */
  const seen = (selector) => [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());

  /** By links until the list is read.
      @param {number} by */
  const step = (by) => {
    if (exhibit.list?.isRead) exhibit.list.step(by);
    else seen(`.neighbours a[rel=${by > 0 ? "next" : "prev"}]`)?.click();
  };

  const way = "exhibit-way";

  /** Counts on from the page that led here; 0 where another site's did. */
  const before = () => {
    const { depth, length } = exhibit.parsed(exhibit.recall("sessionStorage", way)) ?? {};
    return length + 1 === history.length ? depth + 1 : 0;
  };

  /** Places of this report visited in a row.
      @type {number} */
  let depth = history.state?.depth ?? before();
  history.replaceState({ ...history.state, depth }, "");
  window.addEventListener("pagehide", () =>
    exhibit.keep("sessionStorage", way, JSON.stringify({ depth, length: history.length })));

  window.addEventListener("hashchange", () => {
    if (history.state?.depth === undefined) history.replaceState({ ...history.state, depth: depth + 1 }, "");
    depth = history.state.depth;
  });

  /** Steps that the browser has not taken yet. */
  let under = 0;
  window.addEventListener("popstate", () => { under = Math.max(0, under - 1); });

  const back = () => {
    // `popstate` comes later; a new entry has no depth until then.
    if ((history.state?.depth ?? depth + 1) - under > 0) {
      under += 1;
      return history.back();
    }
    const crumb = seen(".crumbs a");
    location.assign(exhibit.view?.index() ?? (crumb instanceof HTMLAnchorElement ? crumb.href : "#"));
  };

  /** Words behind = are one example. */
  const grammar = {
    "=order total": "both words, in the name, the suite or the message", '="two words"': "as they stand",
    "failed crashed unfinished known skipped passed flaky": "how it ended; failed includes crashed and unfinished",
    "new still fixed": "since the baseline, or by the history",
    "suite:Store module:App name:insert message:busy": "only there", "#tag": "tests with this tag",
    ">1s <20ms": "how long it took",
    "has:changes has:findings has:database has:evidence has:message has:warning": "what there is of it",
    "!skipped": "anything, turned round",
  };

  /** @type {(name: "kbd" | "code", texts: string[], words: string) => HTMLElement} */
  const entry = (name, texts, words) => exhibit.element("div", "",
    exhibit.element("dt", "", ...texts.flatMap((text) => [exhibit.element(name, "", text), " "])), exhibit.element("dd", "", words));

  /** @type {Record<string, string>} */
  const signs = { ArrowDown: "↓", ArrowUp: "↑" };

  const help = () => {
    const told = exhibit.byName([...keys].filter(([, { words }]) => words), ([, { words }]) => words);
    const box = exhibit.element("input", {
      type: "checkbox", checked: isOn,
      change: () => {
        isOn = box.checked;
        exhibit.keep("localStorage", storage, isOn ? "on" : "off");
      },
    });
    /** @type {HTMLDialogElement} */
    const dialog = exhibit.element("dialog", { id: "keys", "aria-labelledby": "keys-title", close: () => dialog.remove() },
      exhibit.element("h2", { id: "keys-title" }, "Keys"),
      exhibit.element("dl", "", ...[...told].map(([words, all]) => entry("kbd", all.map(([key]) => signs[key] ?? key), words)),
        entry("kbd", ["↓", "↑"], "through the list, from the search too"),
        entry("kbd", ["→", "←"], "through a row of buttons, the lines of the test, the tables of a database"),
        entry("kbd", ["Enter"], "in the search: open the first result"),
        entry("kbd", ["Esc"], "empty the search and leave it")),
      exhibit.element("h2", "", "What the search understands"),
      exhibit.element("dl", "grammar", ...Object.entries(grammar).map(([text, words]) =>
        entry("code", text.startsWith("=") ? [text.slice(1)] : text.split(" "), words))),
      exhibit.element("p", "", exhibit.element("label", "", box, " Use these keys")),
      exhibit.element("p", "", exhibit.button("close", "Close", () => dialog.close())));
    document.body.append(dialog);
    dialog.showModal();
    // Focus scrolled to its end.
    dialog.scrollTop = 0;
  };

  for (const key of ["j", "n"]) exhibit.keys.add(key, "next test of the list", () => step(1));
  for (const key of ["k", "p"]) exhibit.keys.add(key, "previous test of the list", () => step(-1));
  exhibit.keys.add("/", "search", () => exhibit.search?.focus());
  exhibit.keys.add("f", "fold or unfold the places of the list", () => exhibit.list?.foldAll());
  exhibit.keys.add("o", "overview of the run", () => { if (exhibit.glance) location.assign(exhibit.glance); });
  exhibit.keys.add("u", "back to where you came from, at last to the index", back);
  exhibit.keys.add("?", "these keys", help);

  /** @param {KeyboardEvent} event */
  const walk = (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const isSearch = event.target === exhibit.search?.input;
    if (!by || !exhibit.list || (isSearch ? by < 0 : !exhibit.around(event, "#list [data-index]"))) return false;
    if (!exhibit.list.focus(by) && by < 0) exhibit.search?.focus();
    event.preventDefault();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    const key = keys.get(event.key);
    if (exhibit.isModified(event) || walk(event) || exhibit.isTyping(event) || !isOn || !key || event.defaultPrevented) return;
    event.preventDefault();
    key.action();
  });

  const button = document.querySelector("button.keys");
  if (button) exhibit.set(button, { hidden: false, click: help });
})();
