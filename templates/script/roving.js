/* Tab stops: one for a group, in which arrow keys lead on, and none for what has nothing to scroll. */
(() => {
  /** @type {Record<string, (at: number, last: number) => number>} */
  const moves = {
    ArrowRight: (at, last) => Math.min(at + 1, last), ArrowDown: (at, last) => Math.min(at + 1, last),
    ArrowLeft: (at) => Math.max(at - 1, 0), ArrowUp: (at) => Math.max(at - 1, 0),
    Home: () => 0, End: (_, last) => last,
  };

  exhibit.roving = (group, selector, first = "[aria-current=true]") => {
    const all = () => [...group.querySelectorAll(selector)];
    const seen = () => all().filter((item) => item.checkVisibility());
    /** @param {HTMLElement | undefined} stop */
    const choose = (stop) => { for (const item of all()) item.tabIndex = item === stop ? 0 : -1; };
    /** Keeps the stop where it is, as long as it is seen. */
    const settle = () => {
      const items = seen();
      const focused = items.find((item) => item === document.activeElement);
      choose(focused ?? items.find((item) => item.matches(first)) ?? items.find(({ tabIndex }) => tabIndex === 0) ?? items[0]);
    };
    group.addEventListener("focusin", (event) => {
      const item = exhibit.around(event, selector);
      if (item) choose(item);
    });
    group.addEventListener("keydown", (event) => {
      const items = seen();
      const at = items.findIndex((item) => item === event.target);
      const move = moves[event.key];
      if (at < 0 || !move || exhibit.isModified(event)) return;
      event.preventDefault();
      event.stopPropagation();
      items[move(at, items.length - 1)].focus();
    });
    new MutationObserver(settle).observe(group, {
      subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "open", "aria-current"],
    });
    settle();
  };

  for (const lines of document.querySelectorAll(".code-lines")) exhibit.roving(lines, "summary, a[href]");

  /** A region is a stop for the keys that scroll it. */
  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const scrolls = target.scrollHeight > target.clientHeight || target.scrollWidth > target.clientWidth;
      exhibit.set(target, { tabindex: scrolls ? 0 : null });
    }
  });
  // What a query returns has its box to itself.
  for (const region of document.querySelectorAll("main [role=group][tabindex='0']:not(.sql-box *), .part [role=group][tabindex='0']:not(.sql-box *)")) {
    sized.observe(region);
  }
})();
