/* Keys: through the list, to the search, and back; ? shows them and what the search understands. */
(() => {
  const storage = "exhibit-keys";
  const keys = new Map();
  let isOn = true;
  // Pages on disk may be refused their storage; the keys are on then.
  try { isOn = localStorage.getItem(storage) !== "off"; } catch { /* For this page only, then. */ }

  exhibit.keys = {
    /** Has a key do something; `words` tell it in the help, none where another key's words do. */
    add(key, words, action) { keys.set(key, { words, action }); },
  };

  /** What is in sight: one file has all pages, and shows one of them. */
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());

  /** Through the list as it is filtered; by the page's own links as long as that is not read. */
  const step = (by) => {
    if (exhibit.list?.isRead) return exhibit.list.step(by);
    seen(`.neighbours a[rel=${by > 0 ? "next" : "prev"}]`)[0]?.click();
  };

  // ---- The way back ----

  const way = "exhibit-way";

  /** The depth of the page that led here; 0 where another one did, and the browser's history has grown by more. */
  const before = () => {
    try {
      const { depth, length } = JSON.parse(sessionStorage.getItem(way)) ?? {};
      return length + 1 === history.length ? depth + 1 : 0;
    } catch { return 0; } // Pages on disk may be refused their storage.
  };

  /** How many places of this report were visited one after the other, as the browser's history keeps them. */
  let depth = history.state?.depth ?? before();
  history.replaceState({ ...history.state, depth }, "");
  window.addEventListener("pagehide", () => {
    try { sessionStorage.setItem(way, JSON.stringify({ depth, length: history.length })); } catch { /* The way ends here. */ }
  });

  window.addEventListener("hashchange", () => {
    if (history.state?.depth === undefined) history.replaceState({ ...history.state, depth: depth + 1 }, "");
    depth = history.state.depth;
  });

  /** Steps back that the browser has not taken yet. */
  let under = 0;
  window.addEventListener("popstate", () => { under = Math.max(0, under - 1); });

  const back = () => {
    // The entry's own state, as its event comes later than it; a new entry has none until then.
    if ((history.state?.depth ?? depth + 1) - under > 0) {
      under += 1;
      return history.back();
    }
    location.assign(exhibit.view?.index() ?? seen(".crumbs a")[0]?.href ?? "#");
  };

  // ---- The help ----

  const grammar = [
    ["order total", "both words, in the name, the suite or the message"], ['"two words"', "as they stand"],
    ["failed crashed unfinished known skipped passed flaky", "how it ended; failed includes crashed and unfinished"],
    ["new still fixed", "since the baseline, with --baseline"],
    ["suite:Store module:App name:insert message:busy", "only there"], ["#tag", "tests with this tag"],
    [">1s <20ms", "how long it took"],
    ["has:changes has:findings has:database has:evidence has:message has:warning", "what there is of it"],
    ["!skipped", "anything, turned round"],
  ];

  const entry = (name, texts, words) => exhibit.element("div", "",
    exhibit.element("dt", "", ...texts.flatMap((text) => [exhibit.element(name, "", text), " "])), exhibit.element("dd", "", words));

  const signs = { ArrowDown: "↓", ArrowUp: "↑" };

  const help = () => {
    const told = new Map();
    for (const [key, { words }] of keys) if (words) told.set(words, [...(told.get(words) ?? []), signs[key] ?? key]);
    const title = exhibit.element("h2", "", "Keys");
    title.id = "keys-title";
    const box = exhibit.element("input");
    box.type = "checkbox";
    box.checked = isOn;
    box.addEventListener("change", () => {
      isOn = box.checked;
      try { localStorage.setItem(storage, isOn ? "on" : "off"); } catch { /* For this page only, then. */ }
    });
    const dialog = exhibit.element("dialog", "", title,
      exhibit.element("dl", "", ...[...told].map(([words, signs]) => entry("kbd", signs, words)), entry("kbd", ["↓", "↑"], "through the list, from the search too"), entry("kbd", ["Enter"], "in the search: open the first result"), entry("kbd", ["Esc"], "empty the search and leave it")),
      exhibit.element("h2", "", "What the search understands"),
      exhibit.element("dl", "grammar", ...grammar.map(([text, words]) => entry("code", text.startsWith('"') || text === "order total" ? [text] : text.split(" "), words))),
      exhibit.element("p", "", exhibit.element("label", "", box, " Use these keys")),
      exhibit.element("p", "", exhibit.button("close", "Close", () => dialog.close())));
    dialog.id = "keys";
    dialog.setAttribute("aria-labelledby", "keys-title");
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    // The first thing to focus stands at its end.
    dialog.scrollTop = 0;
  };

  // ---- What they do ----

  exhibit.keys.add("j", "next test of the list", () => step(1));
  exhibit.keys.add("k", "previous test of the list", () => step(-1));
  exhibit.keys.add("n", "next test of the list", () => step(1));
  exhibit.keys.add("p", "previous test of the list", () => step(-1));
  exhibit.keys.add("/", "search", () => exhibit.search?.focus());
  exhibit.keys.add("f", "fold or unfold the places of the list", () => exhibit.list?.foldAll());
  exhibit.keys.add("u", "back to where you came from, at last to the index", back);
  exhibit.keys.add("?", "these keys", help);

  const isTyping = (target) => target.closest?.("input, select, textarea, dialog, [contenteditable]") !== null;

  /** ↓ and ↑ in the list, and from the search field into it and back. */
  const walk = (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const isSearch = event.target === exhibit.search?.input;
    if (!by || !exhibit.list || (isSearch && by < 0) || !(isSearch || event.target.closest?.("#list [data-index]"))) return false;
    if (!exhibit.list.focus(by) && by < 0) exhibit.search.focus();
    event.preventDefault();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || walk(event) || isTyping(event.target) || !isOn) return;
    const key = keys.get(event.key);
    if (!key || event.defaultPrevented) return;
    event.preventDefault();
    key.action();
  });

  const button = document.querySelector("button.keys");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", help);
})();
