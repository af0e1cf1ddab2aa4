/* What an address names: a test that has no page of its own, or a part that is folded. */
(() => {
  const panel = document.getElementById("chosen");

  /** Shows a test, or nothing; tells whether it did. */
  exhibit.choose = (test) => {
    if (!panel) return false;
    panel.hidden = !test;
    document.body.classList.toggle("has-chosen", Boolean(test));
    if (!test) return false;
    const meta = exhibit.element("p", "meta", exhibit.element("span", "", exhibit.element("bdi", "", test.place.title)));
    if (test.seconds !== null) meta.append(exhibit.element("span", "", exhibit.duration(test.seconds)));
    const facts = [exhibit.badge(test.outcome), exhibit.element("h2", "", exhibit.element("bdi", "", test.title)), meta];
    if (test.message) facts.push(exhibit.element("p", "remark", exhibit.element("bdi", "", test.message)));
    for (const text of [rerun(test), test.id]) {
      facts.push(exhibit.element("p", "", exhibit.element("code", "command", text)));
    }
    panel.replaceChildren(...facts);
    exhibit.addCopyButtons(panel);
    return true;
  };

  /** What an address names is unfolded, with all that it is folded in, and stands in sight. */
  const unfold = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (!named?.closest("details")) return;
    exhibit.unfold(named);
    named.scrollIntoView({ block: "start", behavior: "instant" });
  };
  window.addEventListener("hashchange", unfold);
  // Whoever has folded it again and follows the same link wants to be led there again.
  document.addEventListener("click", ({ target }) => { if (target.closest?.("a")?.hash === location.hash) unfold(); });
  unfold();

  /** The command as the pages of failed tests give it. */
  const rerun = (test) => {
    const path = test.place.path ? `${test.place.path}/${test.name}` : test.name;
    const pattern = `${test.place.module}.${path}`.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
    // Swift Testing's names have parentheses and are followed by the place of the test.
    const end = test.name.endsWith(")") ? "/" : "$";
    return `swift test --filter '${`^${pattern}${end}`.replaceAll("'", "'\\''")}'`;
  };
})();
