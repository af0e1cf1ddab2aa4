/* The list beside the page: failures by place, or whatever of all tests the search finds. */
(() => {
  const nav = document.getElementById("list");
  const isSingle = document.body.classList.contains("single");
  // One file may have had no room for the tests; its list of failures is in the page.
  if (!nav || nav.dataset.tests === "0" || (isSingle && !document.querySelector("script[data-tests]"))) return;
  const view = exhibit.view;
  const folded = new Set();
  const status = exhibit.element("p", "found");
  const none = exhibit.element("p", "none");
  const hints = exhibit.element("p", "hints");
  const box = exhibit.element("div", "box");
  const rows = exhibit.element("ul", "rows");
  const sort = exhibit.element("select");
  const count = { failures: Number(nav.dataset.failures), tests: Number(nav.dataset.tests), files: Number(nav.dataset.files) };
  const read = { failures: false, tests: false };
  /** Results of the search in other places than the list of tests: groups of a title and hits. */
  let hits = [];

  // ---- Rows ----

  const standings = [[exhibit.has.new, "new"], [exhibit.has.still, "still"], [exhibit.has.fixed, "fixed"]];

  const unseen = (text) => exhibit.element("span", "unseen", text);

  const heading = (group) => {
    const button = exhibit.button("", exhibit.element("bdi", "", group.title), () => toggle(group.key));
    button.dataset.key = group.key;
    button.setAttribute("aria-expanded", String(!folded.has(group.key)));
    const title = exhibit.element("div", "title", button);
    title.setAttribute("role", "heading");
    title.setAttribute("aria-level", "2");
    return exhibit.element("li", "place", title, exhibit.element("span", "tally", exhibit.grouped(group.tests)));
  };

  const line = (test) => {
    const { style, word, symbol } = exhibit.outcomes[test.outcome];
    const sign = exhibit.element("span", `symbol ${style}`, symbol);
    sign.setAttribute("aria-hidden", "true");
    const name = exhibit.element("span", "name", exhibit.element("bdi", "", test.title));
    if (test.argument) name.append(exhibit.element("span", "argument", " with ", exhibit.element("bdi", "", test.argument)));
    const link = exhibit.element("a", "", sign, unseen(`${word}: `), name);
    link.href = address(test);
    link.dataset.key = test.id;
    const [, standing] = standings.find(([bit]) => test.bits & bit) ?? [];
    if (standing) link.append(exhibit.element("span", "label standing", standing));
    if (test.alike) link.append(exhibit.element("span", "likes", `${test.alike} alike`));
    link.append(exhibit.element("span", "glance", exhibit.element("bdi", "", below(test, word))));
    const item = exhibit.element("li", "entry", link);
    if (isCurrent(test)) link.setAttribute("aria-current", "page");
    return item;
  };

  /** The second line: its place where the list is not by place, and what it said. */
  const below = (test, word) => {
    const parts = view.sort === "place" ? [] : [exhibit.duration(test.seconds), test.place.title];
    // As the pages write it: without the words with which most messages begin.
    if (test.message) parts.push(test.message.replace(/^(?:XCTAssert\w* failed|Expectation failed): +(?=.)/, ""));
    else if (view.sort === "place") parts.push(word, exhibit.duration(test.seconds));
    return parts.filter(Boolean).join(" · ");
  };

  const hit = ({ title, where, href }) => {
    const link = exhibit.element("a", "", exhibit.element("span", "name", exhibit.element("bdi", "", title)),
      exhibit.element("span", "glance", exhibit.element("bdi", "", where)));
    link.href = href;
    link.dataset.key = href;
    return exhibit.element("li", "entry", link);
  };

  const list = new exhibit.VirtualList(box, rows, (row) => row.tests !== undefined ? heading(row) : row.place ? line(row) : hit(row),
    (row) => row.tests !== undefined);

  const address = (test) => test.page ? (isSingle ? test.page : exhibit.base + test.page) : view.index(test.id);

  const isCurrent = (test) => test.id === view.test || (!view.test && test.page !== "" && test.page === currentPage());

  /** The page that is open, as the data name it; the index shows the first failure's. */
  const currentPage = () => {
    if (isSingle) return document.querySelector(".part:target, .part:has(:target), .part.at-place")?.id.replace(/^/, "#") ?? exhibit.failures[0]?.page;
    return nav.dataset.page ?? (view.isIndex ? exhibit.failures[0]?.page : "");
  };

  // ---- What is shown ----

  const orders = {
    duration: (left, right) => (right.seconds ?? -1) - (left.seconds ?? -1),
    outcome: (left, right) => left.outcome - right.outcome,
    name: (left, right) => (left.title < right.title ? -1 : left.title > right.title ? 1 : 0),
  };

  /** Failures come first: who searches mostly looks for one of them. */
  const find = (query) => {
    if (!query.conditions.length) return count.failures ? exhibit.failures : exhibit.tests;
    const found = exhibit.failures.filter(query.matches);
    if (query.isOfFailures) return found;
    for (const test of exhibit.tests) if (!exhibit.fails(test) && query.matches(test)) found.push(test);
    return found;
  };

  /** Whether the search comes from another page, and was not changed on this one. */
  let isKept = true;

  /** The test that an address led to stands first where a search that was kept does not find it. */
  const withOpened = (found, query) => {
    if (!isKept || !query.conditions.length) return found;
    const part = isSingle && document.querySelector(".part:target, .part:has(:target)");
    if (view.isIndex && !part && !view.test) return found;
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
    const targets = list.rows.filter((row) => row.place);
    exhibit.showNeighbours(isAsked ? targets : [], targets.findIndex(isCurrent), address);
  };

  const tell = (query, found, isAsked) => {
    const isWhole = query.isOfFailures ? read.failures : read.tests;
    const all = query.conditions.length ? `${exhibit.grouped(found)} of ${exhibit.counted(count.tests, "test")}`
      : count.failures ? exhibit.counted(count.failures, "failure") : exhibit.counted(count.tests, "test");
    status.textContent = all + (isAsked && !isWhole ? ", reading on …" : "");
    none.hidden = !(isAsked && isWhole && found === 0 && hits.length === 0);
    none.firstChild.textContent = `No test matches “${view.query}”. ${exhibit.search.providers.length ? "Values are looked for in the databases of the page that is open. " : ""}`;
    const wanted = /(?:^|\s)!?(?:new|still|fixed)(?=\s|$)/.test(view.query) && nav.dataset.baseline === undefined
      ? ["new, still and fixed need a report made with --baseline."] : [];
    hints.textContent = [...query.hints, ...wanted].join(" ");
    hints.hidden = hints.textContent === "";
  };

  /** Tests below the headings of their places; neighbours of one place come sorted. */
  const byPlace = (tests) => {
    const flat = [];
    let place = null;
    for (const test of tests) {
      const key = `${exhibit.fails(test) ? "failed" : "other"} ${test.place.key}`;
      if (place?.key !== key) {
        place = { title: test.place.title, key, tests: 0 };
        flat.push(place);
      }
      place.tests += 1;
      if (!folded.has(key)) flat.push(test);
    }
    return flat;
  };

  const toggle = (key) => {
    if (!folded.delete(key)) folded.add(key);
    show(true);
  };

  // ---- Reading ----

  let reading = null;

  const readTests = () => {
    reading ??= exhibit.read(count.files, () => {
      if (isSingle) exhibit.failures = exhibit.tests.filter(exhibit.fails);
      if (view.query || !count.failures) show(true);
    }).then(() => { read.tests = true; read.failures ||= isSingle; show(true); }, failed);
    return reading;
  };

  const failed = (error) => { status.textContent = `The list of tests is incomplete: ${error.message}.`; };

  const readFailures = async () => {
    if (isSingle) return readTests();
    const files = count.failures ? Math.ceil(count.failures / 500) : 0;
    try {
      await exhibit.readFailures(files, Number(nav.dataset.chunk ?? 0), () => { show(true); reveal(); });
      read.failures = true;
    } catch (error) {
      failed(error);
    }
  };

  /** Has the current test in sight, where the list does not stand where it was left. */
  const reveal = () => {
    if (view.scrollTop && isUntouched) box.scrollTop = view.scrollTop;
    const index = list.rows.findIndex((row) => row.page && isCurrent(row));
    if (index >= 0 && isUntouched) list.reveal(index);
  };

  /** As long as files are read, the list stands where the page has it, unless the reader moves it. */
  let isUntouched = true;

  /** Reads what the search needs that is not read yet. */
  const need = () => {
    const query = exhibit.query(view.query);
    return (query.conditions.length && !query.isOfFailures) || !count.failures || view.test ? readTests() : null;
  };

  // ---- For the search and the keys ----

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
    /** Shows it anew, as another test is in sight. */
    show() { show(true); reveal(); },
    /** Shows what else was found; groups of `{title, found}`. */
    add(groups) { hits = groups; show(true); },
    /** The tests, and results of other kinds, that one can go to. */
    get targets() { return list.rows.filter((row) => row.tests === undefined); },
    get isRead() { return read.failures; },
    open(row) {
      const link = exhibit.element("a", "");
      link.href = row.place ? address(row) : row.href;
      location.assign(link.href);
    },
    /** Goes so many steps on from the test that is open; from the first or the last where it is not listed. */
    step(by) {
      const targets = this.targets;
      const current = targets.findIndex((row) => row.place && isCurrent(row));
      const next = current < 0 ? targets.at(by > 0 ? 0 : -1) : targets[current + by];
      if (next) this.open(next);
    },
    /** Moves the focus by rows; `false` where there is no further one. */
    focus(by) {
      const next = list.focused + by;
      if (next < 0 || next >= list.rows.length) return false;
      list.focus(next);
      return true;
    },
    foldAll() {
      if (folded.size) folded.clear();
      else for (const row of list.rows) if (row.tests !== undefined) folded.add(row.key);
      show();
    },
  };

  // ---- Beginning ----

  const follow = async () => {
    isKept = true;
    const isKnown = view.follow();
    exhibit.search.take();
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
    for (const [value, words] of [["place", "by place"], ["outcome", "worst first"], ["duration", "slowest first"], ["name", "by name"]]) {
      sort.append(new Option(words, value));
    }
    sort.setAttribute("aria-label", "Sort");
    sort.addEventListener("change", () => exhibit.list.change({ sort: sort.value }));
    status.setAttribute("role", "status");
    none.append("", exhibit.button("", "Clear the search", () => exhibit.search.set("")));
    none.hidden = hints.hidden = true;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Found tests");
    box.tabIndex = 0;
    rows.setAttribute("role", "list");
    box.append(rows);
    nav.append(exhibit.element("div", "head", status, sort), hints, none, box);
    for (const event of ["wheel", "pointerdown", "keydown", "touchstart"]) {
      nav.addEventListener(event, () => { isUntouched = false; }, { passive: true });
    }
    window.addEventListener("hashchange", () => { isUntouched = true; if (view.isIndex) follow().then(() => show(true)); });
    window.addEventListener("pagehide", () => view.leave(box.scrollTop));
    view.follow();
    sort.value = view.sort;
    follow();
    readFailures().then(() => { show(true); reveal(); });
  };
})();
