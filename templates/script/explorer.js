/* The list of all tests: search, sort, tree, and the address that says it all. */
(() => {
  const explorer = document.getElementById("explorer");
  if (!explorer) return;
  const part = (name) => explorer.querySelector(`[data-part="${name}"]`);
  const [input, sort, fold, status, box, rows] =
    ["query", "sort", "fold", "status", "box", "rows"].map(part);
  const folded = new Set();
  const state = { query: "", sort: "suite", test: "" };
  const list = new exhibit.VirtualList(box, rows, (row, index) => row.tests ? heading(row) : line(row, index));
  let isRead = false;

  // ---- Rows ----

  const heading = (group) => {
    const button = exhibit.element("button", "",
      exhibit.element("bdi", "", group.title));
    button.type = "button";
    button.dataset.key = group.key;
    button.setAttribute("aria-expanded", String(!folded.has(group.key)));
    button.addEventListener("click", () => toggle(group.key));
    return exhibit.element("li", `group level-${group.level}`, button, exhibit.element("span", "tally", tally(group)));
  };

  const tally = ({ tests, failures }) =>
    exhibit.counted(tests, "test") + (failures ? `, ${failures} failed` : "");

  const line = (test) => {
    const link = exhibit.element("a", "name", exhibit.element("bdi", "", test.title));
    link.href = test.page || address({ ...state, test: test.id });
    link.dataset.key = test.id;
    const item = exhibit.element("li", test.id === state.test ? "chosen" : "", exhibit.badge(test.outcome), link);
    if (test.argument) link.append(exhibit.element("span", "argument", " with ", exhibit.element("bdi", "", test.argument)));
    for (const tag of test.tags) item.append(exhibit.element("span", "tag", exhibit.element("bdi", "", `#${tag}`)));
    if (state.sort !== "suite") item.append(exhibit.element("span", "where", exhibit.element("bdi", "", where(test))));
    if (test.message) item.append(exhibit.element("span", "remark", exhibit.element("bdi", "", test.message)));
    if (test.bits & exhibit.has.database) item.append(exhibit.element("span", "label", "database"));
    if (test.seconds !== null) item.append(exhibit.element("span", "duration", exhibit.duration(test.seconds)));
    return item;
  };

  const where = ({ place }) => place.path ? `${place.module} / ${place.path}` : place.module;

  // ---- What is shown ----

  const orders = {
    duration: (left, right) => (right.seconds ?? -1) - (left.seconds ?? -1),
    outcome: (left, right) => left.outcome - right.outcome,
    name: (left, right) => (left.title < right.title ? -1 : left.title > right.title ? 1 : 0),
  };

  const show = (keepsPlace) => {
    const query = exhibit.query(state.query);
    const found = query.conditions.length ? exhibit.tests.filter(query.matches) : exhibit.tests;
    const order = orders[state.sort];
    list.set(order ? [...found].sort(order) : tree(found), keepsPlace);
    const all = exhibit.counted(exhibit.tests.length, "test");
    status.textContent = (query.conditions.length ? `${found.length.toLocaleString("en")} of ${all}` : all)
      + (isRead ? "" : ", reading on …")
      + (query.unknown.length ? `. Not understood: ${query.unknown.join(" ")}` : "");
    fold.hidden = Boolean(order);
    fold.textContent = folded.size ? "Unfold all" : "Fold all";
  };

  /** Modules, suites and tests in one flat list; the tests come sorted. */
  const tree = (tests) => {
    const flat = [];
    let module = null;
    let suite = null;
    for (const test of tests) {
      if (!module || module.title !== test.place.module) {
        module = group(1, test.place.module, `module ${test.place.module}`);
        flat.push(module);
        suite = null;
      }
      if (!suite || suite.place !== test.place) {
        suite = group(2, test.place.path || "Free functions", `suite ${test.place.key}`);
        suite.place = test.place;
        if (!folded.has(module.key)) flat.push(suite);
      }
      for (const counter of [module, suite]) {
        counter.tests += 1;
        if (exhibit.outcomes[test.outcome].failure) counter.failures += 1;
      }
      if (!folded.has(module.key) && !folded.has(suite.key)) flat.push(test);
    }
    return flat;
  };

  const group = (level, title, key) => ({ level, title, key, tests: 0, failures: 0 });

  const toggle = (key) => {
    if (!folded.delete(key)) folded.add(key);
    show(true);
  };

  exhibit.foldAll = () => {
    if (folded.size) {
      folded.clear();
    } else {
      for (const test of exhibit.tests) folded.add(`suite ${test.place.key}`);
    }
    show();
  };

  // ---- One test ----

  const choose = () => {
    const panel = part("chosen");
    const test = state.test && exhibit.tests.find(({ id }) => id === state.test);
    panel.hidden = !test;
    if (!test) return;
    const facts = [exhibit.badge(test.outcome), exhibit.element("h3", "", exhibit.element("bdi", "", test.title))];
    const meta = exhibit.element("p", "meta", exhibit.element("span", "", exhibit.element("bdi", "", where(test))));
    if (test.seconds !== null) meta.append(exhibit.element("span", "", exhibit.duration(test.seconds)));
    facts.push(meta);
    if (test.message) facts.push(exhibit.element("p", "remark", exhibit.element("bdi", "", test.message)));
    facts.push(exhibit.element("p", "", exhibit.element("code", "command", test.id)));
    facts.push(exhibit.element("p", "", exhibit.element("code", "command", rerun(test))));
    panel.replaceChildren(...facts);
    exhibit.addCopyButtons(panel);
    const index = list.rows.indexOf(test);
    if (index >= 0) list.reveal(index);
  };

  /** The command as the pages of failed tests give it. */
  const rerun = (test) => {
    const path = test.place.path ? `${test.place.path}/${test.name}` : test.name;
    const pattern = `${test.place.module}.${path}`.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
    // Swift Testing's names have parentheses and are followed by the place of the test.
    const end = test.name.endsWith(")") ? "/" : "$";
    return `swift test --filter '${`^${pattern}${end}`.replaceAll("'", "'\\''")}'`;
  };

  // ---- The address ----

  const address = ({ query, sort, test }) => {
    const values = new URLSearchParams();
    if (query) values.set("q", query);
    if (sort !== "suite") values.set("sort", sort);
    if (test) values.set("test", test);
    const text = values.toString();
    return text ? `#${text}` : "#all";
  };

  const readAddress = () => {
    const text = location.hash.slice(1);
    const isState = /^(q|sort|test)=/.test(text);
    if (!isState && text !== "all" && text !== "") return false;
    const values = new URLSearchParams(isState ? text : "");
    state.query = values.get("q") ?? "";
    state.sort = Object.hasOwn(orders, values.get("sort") ?? "") ? values.get("sort") : "suite";
    state.test = values.get("test") ?? "";
    input.value = state.query;
    sort.value = state.sort;
    return isState;
  };

  const change = (changes) => {
    Object.assign(state, changes, { test: "" });
    history.replaceState(null, "", address(state));
    part("chosen").hidden = true;
    show();
  };

  // ---- Beginning ----

  input.addEventListener("input", () => change({ query: input.value.trim() }));
  sort.addEventListener("change", () => change({ sort: sort.value }));
  fold.addEventListener("click", exhibit.foldAll);
  explorer.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  for (const button of explorer.querySelectorAll("[data-query]")) {
    button.addEventListener("click", () => {
      input.value = button.dataset.query;
      change({ query: input.value });
    });
  }

  const follow = () => {
    if (!readAddress()) return;
    show();
    choose();
    explorer.closest("section").scrollIntoView();
  };
  window.addEventListener("hashchange", follow);

  /** Puts the cursor into the search field. */
  exhibit.search = () => {
    input.scrollIntoView({ block: "center" });
    input.focus({ preventScroll: true });
    input.select();
  };

  const read = async () => {
    try {
      await exhibit.read(Number(explorer.dataset.files), () => show(true));
    } catch (error) {
      status.textContent = `The list of tests is incomplete: ${error.message}.`;
      return;
    }
    isRead = true;
    show(true);
    follow();
  };

  explorer.hidden = false;
  document.getElementById("static-list").hidden = true;
  readAddress();
  read();
})();
