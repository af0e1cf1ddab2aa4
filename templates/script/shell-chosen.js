/* Shows what an address names: a test without a page, or a folded part. */
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

  const unfold = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (!named?.closest("details")) return;
    exhibit.unfold(named);
    exhibit.bringIntoSight(named, "start");
  };
  window.addEventListener("hashchange", unfold);
  // The reader may have folded it again.
  document.addEventListener("click", (event) => { if (exhibit.linkOf(event)?.hash === location.hash) unfold(); });
  unfold();

  /** @param {Test} test */
  const rerun = ({ name, place: { module, path } }) => {
    const pattern = exhibit.pattern(`${module}.${path ? `${path}/` : ""}${name}`);
    // Swift Testing puts a test's place behind the parentheses.
    return `swift test --filter ${exhibit.shellQuoted(`^${pattern}${name.endsWith(")") ? "/" : "$"}`)}`;
  };
})();
