/* The issues beyond a page's first hundred, read when they are asked for. */
(() => {
  let take = () => {};

  /** Called by data/issues/NAME.js. */
  exhibit.addIssues = (rows) => take(rows);

  for (const further of document.querySelectorAll(".further[data-issues]")) {
    const button = exhibit.element("button", "more", "Show them");
    button.type = "button";
    button.addEventListener("click", async () => {
      button.disabled = true;
      take = (rows) => show(rows, further);
      try {
        await exhibit.readFile(further.dataset.issues);
      } catch (error) {
        button.disabled = false;
        further.append(exhibit.element("p", "remark", error.message));
      }
    });
    further.append(button);
  }

  /** Some at a time, so that the page stays quick. */
  const show = (rows, further) => {
    const shown = rows.splice(0, 500).map(issue);
    further.before(...shown);
    const button = further.querySelector("button");
    if (rows.length === 0) {
      further.remove();
    } else {
      further.querySelector(".remark").textContent = `${exhibit.counted(rows.length, "more issue")}.`;
      const next = exhibit.element("button", "more", "Show more");
      next.type = "button";
      next.addEventListener("click", () => show(rows, further));
      button.replaceWith(next);
      next.focus();
    }
  };

  const issue = ([style, title, place, message]) => {
    const article = exhibit.element("article", `issue ${style}`);
    const header = document.createElement("header");
    header.append(exhibit.element("h3", "", title));
    if (place) header.append(exhibit.element("code", "location", place));
    article.append(header, exhibit.element("pre", "message", message));
    return article;
  };
})();
