/* The issues beyond a page's first hundred. */
(() => {
  /** @type {(rows: IssueRow[]) => void} */
  let take = () => {};

  exhibit.addIssues = (rows) => take(rows);

  for (const further of document.querySelectorAll(".further[data-issues]")) {
    const button = exhibit.button("more", "Show them", async () => {
      button.disabled = true;
      take = (rows) => show(rows, further);
      try {
        await exhibit.readFile(further.dataset.issues ?? "");
      } catch (error) {
        button.disabled = false;
        further.append(exhibit.element("p", "remark", exhibit.reason(error)));
      }
    });
    further.append(button);
  }

  /** Some at a time, so that the page stays quick.
      @type {(rows: IssueRow[], further: HTMLElement) => void} */
  const show = (rows, further) => {
    further.before(...rows.splice(0, 500).map(issue));
    if (rows.length === 0) return further.remove();
    exhibit.one(".remark", further).textContent = `${exhibit.counted(rows.length, "more issue")}.`;
    const next = exhibit.button("more", "Show more", () => show(rows, further));
    exhibit.one("button", further).replaceWith(next);
    next.focus();
  };

  /** @param {IssueRow} row */
  const issue = ([style, title, place, message]) => {
    const location = place ? [exhibit.element("code", "location", place)] : [];
    return exhibit.element("article", `issue ${style}`, exhibit.element("header", "", exhibit.element("h3", "", title), ...location),
      exhibit.element("pre", "message", message));
  };
})();
