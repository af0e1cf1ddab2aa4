/* The run's time line by keys. */
(() => {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };

  /** @param {Element} bar */
  const words = (bar) => bar.querySelector("title")?.textContent ?? "";

  /** @type {(row: HTMLElement, said: HTMLElement) => void} */
  const addKeys = (row, said) => {
    const svg = row.querySelector("svg");
    const bars = [...svg?.querySelectorAll("rect") ?? []].filter(words)
      .sort((left, right) => left.x.baseVal.value - right.x.baseVal.value);
    // Of very many tests the bars have no names.
    if (!svg || !bars.length) return;
    let at = 0;

    /** @param {number} index */
    const go = (index) => {
      bars[at].classList.remove("at");
      at = Math.max(0, Math.min(bars.length - 1, index));
      exhibit.set(svg, { "aria-valuenow": at + 1, "aria-valuetext": words(bars[at]) });
    };

    /** @param {number} index */
    const show = (index) => {
      go(index);
      said.textContent = words(bars[at]);
      bars[at].classList.add("at");
    };

    exhibit.set(svg, {
      "aria-hidden": null, focusable: null, tabindex: 0, role: "slider", "aria-valuemin": 1, "aria-valuemax": bars.length,
      "aria-label": `Tests of ${exhibit.one(".what bdi", row).textContent}`,
      focus: () => show(at),
      blur: () => bars[at].classList.remove("at"),
      click: ({ target }) => { if (bars.some((bar) => bar === target)) show(bars.findIndex((bar) => bar === target)); },
      keydown: (event) => {
        const by = steps[event.key];
        if (!by || exhibit.isModified(event)) return;
        event.preventDefault();
        show(at + by);
      },
    });
    go(0);
  };

  for (const chart of document.querySelectorAll(".timeline .chart")) {
    const said = exhibit.element("p", "at-test", "← and → go through the tests of a row.");
    chart.append(said);
    for (const row of chart.querySelectorAll("li")) addKeys(row, said);
    if (!chart.querySelector("[role=slider]")) said.remove();
  }
})();
