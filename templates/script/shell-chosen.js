/* What an address names: a test that has no page of its own, or a part that is folded. */
(() => {
  const panel = document.getElementById("chosen");

  exhibit.choose = (test) => {
    if (!panel) return false;
    panel.hidden = !test;
    document.body.classList.toggle("has-chosen", Boolean(test));
    if (!test) return false;
    const { element } = exhibit;
    const meta = element("p", "meta", element("span", "", element("bdi", "", test.place.title)));
    if (test.seconds !== null) meta.append(element("span", "", exhibit.duration(test.seconds)));
    panel.replaceChildren(exhibit.badge(test.outcome), element("h2", "", element("bdi", "", test.title)), meta,
      ...test.message ? [element("p", "remark", element("bdi", "", test.message))] : [],
      ...[rerun(test), test.id].map((text) => element("p", "", element("code", "command", text))));
    exhibit.addCopyButtons(panel);
    return true;
  };

  /** What an address names is unfolded, with all that it is folded in, and stands in sight. */
  const unfold = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (!named?.closest("details")) return;
    exhibit.unfold(named);
    exhibit.bringIntoSight(named, "start");
  };
  window.addEventListener("hashchange", unfold);
  // Whoever has folded it again and follows the same link wants to be led there again.
  document.addEventListener("click", (event) => { if (exhibit.linkOf(event)?.hash === location.hash) unfold(); });
  unfold();

  /** The command as the pages of failed tests give it.
      @param {Test} test */
  const rerun = ({ name, place: { module, path } }) => {
    const pattern = exhibit.pattern(`${module}.${path ? `${path}/` : ""}${name}`);
    // Swift Testing's names have parentheses and are followed by the place of the test.
    return `swift test --filter ${exhibit.shellQuoted(`^${pattern}${name.endsWith(")") ? "/" : "$"}`)}`;
  };
})();
