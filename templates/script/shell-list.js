/* The list beside the page. */
(() => {
  const nav = document.getElementById("list");
  const isSingle = document.body.classList.contains("single");
  // One file may have no room for the tests.
  if (!nav || nav.dataset.tests === "0" || (isSingle && !document.querySelector("script[data-tests]"))) return;
  const { view, element } = exhibit;
  const folded = new Set();
  const status = element("p", { class: "found", role: "status" });
  const clear = exhibit.button("", "Clear the search", () => exhibit.search?.set(""));
  const nothing = new Text();
  const none = element("p", { class: "none", hidden: true }, nothing, clear);
  const hints = element("p", { class: "hints", hidden: true });
  const rows = element("ul", { class: "rows", role: "list" });
  const box = element("div", { class: "box", role: "region", "aria-label": "Found tests" }, rows);
  /** @type {HTMLSelectElement} */
  const sort = element("select", { "aria-label": "Sort", change: () => exhibit.list?.change({ sort: sort.value }) });
  const count = { failures: Number(nav.dataset.failures), tests: Number(nav.dataset.tests), files: Number(nav.dataset.files) };
  const read = { failures: false, tests: false };
  /** Results that are no tests.
      @type {HitGroup[]} */
  let hits = [];

  const standings = ["new", "still", "fixed"];

  /** @param {string} text */
  const bdi = (text) => element("bdi", "", text);

  /** @param {PlaceRow} group */
  const heading = ({ title, key, tests }) => {
    const button = exhibit.button("", bdi(title), () => toggle(key), { "data-key": key, "aria-expanded": String(!folded.has(key)) });
    return element("li", "place", element("div", { class: "title", role: "heading", "aria-level": 2 }, button),
      element("span", "tally", exhibit.grouped(tests)));
  };

  /** @param {Test} test */
  const strip = ({ past }) => {
    const outcomes = [...past].map((digit) => exhibit.outcomes[Number(digit)]);
    const label = `Failed in ${outcomes.filter(({ failure }) => failure).length} of its last ${exhibit.counted(outcomes.length, "run")}`;
    return element("span", "past", element("span", { class: "strip", role: "img", "aria-label": label },
      ...outcomes.map(({ style, symbol }) => element("span", style, symbol))));
  };

  /** @param {Test} test */
  const line = (test) => {
    const { style, word, symbol } = exhibit.outcomes[test.outcome];
    const name = element("span", "name", bdi(test.title));
    if (test.argument) name.append(element("span", "argument", " with ", bdi(test.argument)));
    const link = element("a", { href: address(test), "data-key": test.id, "aria-current": isCurrent(test) ? "page" : null },
      exhibit.sign(`symbol ${style}`, symbol), element("span", "unseen", `${word}: `), name);
    const standing = standings.find((each) => test.bits & exhibit.has[each]);
    if (standing) link.append(element("span", `label standing ${standing}`, standing));
    if (test.alike) link.append(element("span", "likes", `${test.alike} alike`));
    if (test.past) link.append(strip(test));
    link.append(element("span", "glance", bdi(below(test, word))));
    return element("li", "entry", link);
  };

  /** @param {Test} test @param {string} word */
  const below = (test, word) => {
    const isByPlace = view.sort === "place";
    // As in the pages, without the usual first words.
    const message = test.message.replace(/^(?:XCTAssert\w* failed|Expectation failed): +(?=.)/, "");
    const [duration, place] = [exhibit.duration(test.seconds), test.place.title];
    return (isByPlace ? message ? [message] : [word, duration] : [duration, place, message]).filter(Boolean).join(" · ");
  };

  /** @param {Hit} hit */
  const hit = ({ title, where, href }) => element("li", "entry", element("a", { href, "data-key": href },
    element("span", "name", bdi(title)), element("span", "glance", bdi(where))));

  const list = new VirtualList(box, rows,
    (row) => "tests" in row ? heading(row) : "place" in row ? line(row) : hit(row), (row) => "tests" in row);

  /** @param {Test} test */
  const address = (test) => test.page ? (isSingle ? test.page : exhibit.base + test.page) : view.index(test.id);

  /** @param {Test} test */
  const isCurrent = (test) => test.id === view.test || (!view.test && test.page !== "" && test.page === currentPage());

  const targeted = ".part:target, .part:has(:target)";
  const isShared = document.querySelector("main.shared") !== null;

  /** The open page, as the data name it. */
  const currentPage = () => {
    const part = (isSingle || isShared) && document.querySelector(`${targeted}, .part.at-place`);
    if (part) return `${isSingle ? "" : nav.dataset.page}#${part.id}`;
    return (isSingle ? undefined : nav.dataset.page) ?? (isSingle || view.isIndex ? exhibit.failures[0]?.page : "");
  };

  /** @type {Record<string, (left: Test, right: Test) => number>} */
  const orders = {
    duration: (left, right) => (right.seconds ?? -1) - (left.seconds ?? -1),
    outcome: (left, right) => left.outcome - right.outcome,
    name: (left, right) => exhibit.compare(left.title, right.title),
  };

  /** Failures first: most searches are for one.
      @param {TestQuery} query */
  const find = (query) => {
    if (!query.conditions.length) return count.failures ? exhibit.failures : exhibit.tests;
    const found = exhibit.failures.filter(query.matches);
    if (query.isOfFailures) return found;
    for (const test of exhibit.tests) if (!exhibit.fails(test) && query.matches(test)) found.push(test);
    return found;
  };

  /** The search comes from another page, unchanged. */
  let isKept = true;

  /** First the opened test, if a kept search misses it.
      @type {(found: Test[], query: TestQuery) => Test[]} */
  const withOpened = (found, query) => {
    if (!isKept || !query.conditions.length) return found;
    if (view.isIndex && !(isSingle && document.querySelector(targeted)) && !view.test) return found;
    const opened = exhibit.failures.find(isCurrent) ?? exhibit.tests.find(isCurrent);
    return opened && !found.includes(opened) ? [opened, ...found] : found;
  };

  const show = (keepsPlace = false) => {
    const query = exhibit.query(view.query);
    const matches = find(query);
    const found = withOpened(matches, query);
    const order = orders[view.sort];
    const shown = order ? [...found].sort(order) : byPlace(found);
    for (const { title, found } of hits) {
      shown.push({ title, key: `hits ${title}`, tests: found.length });
      if (!folded.has(`hits ${title}`)) shown.push(...found);
    }
    const isAsked = query.conditions.length > 0 || query.hints.length > 0;
    nav.classList.toggle("filtered", isAsked);
    tell(query, matches.length, isAsked);
    if (!exhibit.failures.length && !exhibit.tests.length && !isAsked) return;
    nav.classList.add("made");
    list.set(shown, keepsPlace);
    const targets = /** @type {Test[]} */ (shown.filter((row) => "place" in row));
    exhibit.showNeighbours(isAsked ? targets : [], targets.findIndex(isCurrent), address);
  };

  /** @type {(query: TestQuery, found: number, isAsked: boolean) => void} */
  const tell = (query, found, isAsked) => {
    const isWhole = query.isOfFailures ? read.failures : read.tests;
    const all = query.conditions.length ? `${exhibit.grouped(found)} of ${exhibit.counted(count.tests, "test")}`
      : count.failures ? exhibit.counted(count.failures, "failure") : exhibit.counted(count.tests, "test");
    status.textContent = all + (isAsked && !isWhole ? ", reading on …" : "");
    none.hidden = !(isAsked && isWhole && found === 0 && hits.length === 0);
    const elsewhere = exhibit.search?.providers.length ? "Values are looked for in the databases of the page that is open. " : "";
    nothing.data = `No test matches “${view.query}”. ${elsewhere}`;
    const wanted = /(?:^|\s)!?(?:new|still|fixed)(?=\s|$)/.test(view.query) && nav.dataset.baseline === undefined
      ? ["new, still and fixed need a report made with --compare-with, --baseline or a history."] : [];
    hints.textContent = [...query.hints, ...wanted].join(" ");
    hints.hidden = hints.textContent === "";
  };

  /** Neighbours of one place come sorted.
      @param {Test[]} tests */
  const byPlace = (tests) => {
    /** @type {ListRow[]} */
    const flat = [];
    const hasOlder = tests.some((test) => exhibit.fails(test) && !(test.bits & exhibit.has.new));
    let place = { title: "", key: "", tests: 0 };
    for (const test of tests) {
      const isNew = hasOlder && (test.bits & exhibit.has.new) !== 0;
      const key = `${isNew ? "new" : exhibit.fails(test) ? "failed" : "other"} ${test.place.key}`;
      if (place.key !== key) flat.push(place = { title: (isNew ? "New: " : "") + test.place.title, key, tests: 0 });
      place.tests += 1;
      if (!folded.has(key)) flat.push(test);
    }
    return flat;
  };

  /** @param {string} key */
  const toggle = (key) => {
    if (!folded.delete(key)) folded.add(key);
    show(true);
  };

  /** @type {Promise<void> | undefined} */
  let reading;

  const readTests = () => reading ??= exhibit.read(count.files, () => {
    if (isSingle) exhibit.failures = exhibit.tests.filter(exhibit.fails);
    if (view.query || !count.failures) show(true);
  }).then(() => { read.tests = true; read.failures ||= isSingle; show(true); }, failed);

  /** @param {unknown} error */
  const failed = (error) => { status.textContent = `The list of tests is incomplete: ${exhibit.reason(error)}.`; };

  const readFailures = async () => {
    if (isSingle) return readTests();
    const files = Math.ceil(count.failures / 500);
    return exhibit.readFailures(files, Number(nav.dataset.chunk ?? 0), showAgain).then(() => { read.failures = true; }, failed);
  };

  /** Restores the list's place, with the current test in sight. */
  const reveal = () => {
    if (view.scrollTop && isUntouched) box.scrollTop = view.scrollTop;
    const index = list.rows.findIndex((row) => "place" in row && row.page && isCurrent(row));
    if (index >= 0 && isUntouched) list.reveal(index);
  };

  const showAgain = () => { show(true); reveal(); };

  /** The reader has not moved the list. */
  let isUntouched = true;

  const need = () => {
    const query = exhibit.query(view.query);
    if ((query.conditions.length && !query.isOfFailures) || !count.failures || view.test) readTests();
  };

  exhibit.list = {
    count, readTests,
    change(changes) {
      hits = [];
      isKept = false;
      view.change(changes);
      exhibit.choose(null);
      need();
      show();
    },
    show: showAgain,
    add(groups) { hits = groups; show(true); },
    get targets() { return /** @type {(Test | Hit)[]} */ (list.rows.filter((row) => !("tests" in row))); },
    get isRead() { return read.failures; },
    open: (row) => location.assign(exhibit.link("place" in row ? address(row) : row.href).href),
    step(by) {
      const { targets } = this;
      const current = targets.findIndex((row) => "place" in row && isCurrent(row));
      const next = current < 0 ? targets.at(by > 0 ? 0 : -1) : targets[current + by];
      if (next) this.open(next);
    },
    focus(by) {
      const next = list.focused + by;
      if (next < 0 || next >= list.rows.length) return false;
      list.focus(next);
      return true;
    },
    foldAll() {
      if (folded.size) folded.clear();
      else for (const row of list.rows) if ("tests" in row) folded.add(row.key);
      show();
    },
  };

  const follow = async () => {
    isKept = true;
    const isKnown = view.follow();
    exhibit.search?.take();
    need();
    show(true);
    if (isKnown && view.test) {
      await readTests();
      if (exhibit.choose(exhibit.tests.find(({ id }) => id === view.test))) scrollTo(0, 0);
    } else if (isKnown) {
      exhibit.choose(null);
    }
    reveal();
  };

  exhibit.beginList = () => {
    const words = { place: "by place", outcome: "worst first", duration: "slowest first", name: "by name" };
    sort.append(...Object.entries(words).map(([value, words]) => new Option(words, value)));
    if (!view.isIndex) nav.append(element("p", "to-glance", exhibit.link(exhibit.glance, "Overview: all tests, time line, slowest")));
    nav.append(element("div", "head", status, sort), hints, none, box);
    for (const event of ["wheel", "pointerdown", "keydown", "touchstart"]) {
      nav.addEventListener(event, () => { isUntouched = false; }, { passive: true });
    }
    window.addEventListener("hashchange", () => {
      isUntouched = true;
      if (view.isIndex) follow().then(() => show(true));
      else if (isShared) showAgain();
    });
    window.addEventListener("pagehide", () => view.leave(box.scrollTop));
    view.follow();
    sort.value = view.sort;
    follow();
    exhibit.failuresRead = readFailures();
    exhibit.failuresRead.then(showAgain);
  };
})();
