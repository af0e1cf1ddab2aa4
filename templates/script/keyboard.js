/* Keys: j and k from failure to failure, / to search, f to fold, ? for help. */
(() => {
  const help = document.getElementById("keys");
  const isOn = help?.querySelector("input");
  const storage = "exhibit-keys";

  /** What is in sight: one file has all pages, and shows one of them. */
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());

  const failures = () => seen(".failure");

  const step = (by) => {
    const [link] = seen(`.neighbours a[rel=${by > 0 ? "next" : "prev"}]`);
    if (link) return link.click();
    const all = failures();
    const current = all.indexOf(document.activeElement?.closest(".failure"));
    const next = all[Math.min(all.length - 1, Math.max(0, current + by))];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "start" });
  };

  const open = () => document.activeElement?.closest(".failure")?.querySelector("h3 a")?.click();

  const fold = () => {
    const failure = document.activeElement?.closest(".failure");
    const details = failure ? [...failure.querySelectorAll("details.summary")]
      : [...document.querySelectorAll("details.summary")];
    const isOpen = details.some((element) => element.open);
    for (const element of details) element.open = !isOpen;
  };

  const up = () => seen(".crumbs a")[0]?.click();

  const search = () => exhibit.search ? exhibit.search() : up();

  const actions = {
    j: () => step(1), n: () => step(1), k: () => step(-1), p: () => step(-1), o: open, f: fold, u: up, "/": search,
    "?": () => help?.showModal(),
  };

  const isTyping = (target) => target.closest?.("input, select, textarea, dialog") !== null;

  document.addEventListener("keydown", (event) => {
    // An empty search is left; one with words is emptied by the browser first.
    if (event.key === "Escape" && event.target.matches?.("[data-part=query]") && !event.target.value) event.target.blur();
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (isOn && !isOn.checked) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (!action) return;
    event.preventDefault();
    action();
  });

  if (!help) return;
  // Pages on disk may be refused their storage; the keys are on then.
  try { isOn.checked = localStorage.getItem(storage) !== "off"; } catch { isOn.checked = true; }
  isOn.addEventListener("change", () => {
    try { localStorage.setItem(storage, isOn.checked ? "on" : "off"); } catch { /* for this page only, then */ }
  });
  const button = document.querySelector("button.keys");
  button.hidden = false;
  button.addEventListener("click", () => help.showModal());
  help.querySelector(".close").addEventListener("click", () => help.close());
})();
