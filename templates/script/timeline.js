/* The time line of the run by keys: each row of it is a slider over its tests, and names the one that it is at. */
(() => {
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };

  const addKeys = (row, said) => {
    const svg = row.querySelector("svg");
    const bars = [...svg.querySelectorAll("rect")].filter((bar) => bar.querySelector("title"))
      .sort((left, right) => left.x.baseVal.value - right.x.baseVal.value);
    // Of very many tests the bars have no names.
    if (!bars.length) return;
    let at = 0;

    const go = (index) => {
      bars[at].classList.remove("at");
      at = Math.max(0, Math.min(bars.length - 1, index));
      const words = bars[at].querySelector("title").textContent;
      svg.setAttribute("aria-valuenow", at + 1);
      svg.setAttribute("aria-valuetext", words);
      return words;
    };

    const show = (index) => {
      said.textContent = go(index);
      bars[at].classList.add("at");
    };

    svg.removeAttribute("aria-hidden");
    svg.removeAttribute("focusable");
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "slider");
    svg.setAttribute("aria-label", `Tests of ${row.querySelector(".what bdi").textContent}`);
    svg.setAttribute("aria-valuemin", 1);
    svg.setAttribute("aria-valuemax", bars.length);
    go(0);
    svg.addEventListener("focus", () => show(at));
    svg.addEventListener("blur", () => bars[at].classList.remove("at"));
    svg.addEventListener("click", ({ target }) => { if (bars.includes(target)) show(bars.indexOf(target)); });
    svg.addEventListener("keydown", (event) => {
      const by = steps[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      show(at + by);
    });
  };

  for (const chart of document.querySelectorAll(".timeline .chart")) {
    const said = exhibit.element("p", "at-test", "← and → go through the tests of a row.");
    chart.append(said);
    for (const row of chart.querySelectorAll("li")) addKeys(row, said);
    if (!chart.querySelector("[role=slider]")) said.remove();
  }
})();
