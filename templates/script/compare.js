/* Two failures side by side, in frames that compare.html's address names. */
(() => {
  const main = document.querySelector("main.compare");
  // Another site may frame the report, too.
  const frameName = "exhibit-side";
  const isFramed = window.parent !== window && window.name === frameName;
  const { element } = exhibit;

  if (isFramed) {
    document.body.classList.add("framed");
    document.addEventListener("click", (event) => {
      const link = exhibit.linkOf(event);
      const isHere = link?.href.split("#")[0] === location.href.split("#")[0];
      // Another page replaces both: the address never names what is not shown.
      if (link && !isHere && !link.target) link.target = "_parent";
    }, true);
  }

  const nav = document.getElementById("list");
  const isSingle = document.body.classList.contains("single");

  /** @param {Element} test */
  const pageOf = (test) => {
    const part = test.closest("main.shared > .part");
    const page = nav?.dataset.page ?? exhibit.failures[0]?.page ?? "";
    return part ? `${page}#${part.id}` : page;
  };

  /** @param {Record<string, string>} pages */
  const fragment = (pages) => `#${new URLSearchParams(Object.entries(pages).filter(([, page]) => page))}`;

  exhibit.comparison = (left, right = "") => `${exhibit.base}compare.html${fragment({ left, right })}`;

  if (!main && !isFramed && !isSingle && nav && Number(nav.dataset.failures) > 1) {
    for (const test of document.querySelectorAll(".test")) {
      const actions = test.querySelector(":scope > .headline > .actions");
      actions?.append(exhibit.button("copy compare-with", "Compare with …", () => location.assign(exhibit.comparison(pageOf(test)))));
    }
  }
  if (!main || !nav) return;

  const names = /** @type {const} */ (["left", "right"]);
  /** @typedef {typeof names[number]} Name */
  const pair = exhibit.one(".pair", main);
  const hint = exhibit.one(".compare-hint", main);
  let next = /** @type {Name} */ ("right");

  /** Only a page of this report.
      @param {string | null} page */
  const known = (page) => page !== null && /^(?:tests|failures)\/[\w.-]+\.html(?:#[\w-]+)?$/.test(page) ? page : "";

  const chosen = () => {
    const address = exhibit.addressed();
    return { left: known(address.get("left")), right: known(address.get("right")) };
  };

  /** @param {string} page */
  const testOf = (page) => exhibit.failures.find((test) => test.page === page) ?? exhibit.tests.find((test) => test.page === page);

  /** @type {Record<Name, ReturnType<typeof side>>} */
  const sides = { left: side("left", "Left"), right: side("right", "Right") };

  /** @param {Name} name @param {string} words */
  function side(name, words) {
    const title = element("h2", "", words);
    const choose = exhibit.button("toggle", "Choose another", () => ask(name), { "aria-pressed": "false" });
    const frame = element("iframe", { title: `${words}: none yet`, hidden: true });
    const none = element("p", "remark", "None is chosen yet.");
    const section = element("section", { "aria-label": words }, element("div", "side-head", title, choose), none, frame);
    pair.append(section);
    return { words, title, choose, frame, none, page: "" };
  }

  /** @param {Name} name */
  const ask = (name) => {
    next = name;
    for (const each of names) exhibit.set(sides[each].choose, { "aria-pressed": String(each === name) });
    hint.textContent = `A click in the list of failures, or the search, chooses the ${name} one.`;
  };

  const show = () => {
    const pages = chosen();
    for (const name of names) {
      const one = sides[name];
      const page = pages[name];
      const test = page ? testOf(page) : undefined;
      const title = test?.title ?? page;
      one.title.replaceChildren(...page ? [exhibit.link(page, element("bdi", "", title))] : [one.words]);
      exhibit.set(one.none, { hidden: page !== "" });
      if (one.page !== page) {
        // Changing its source would be a step of history.
        const frame = element("iframe", { src: page || null, name: frameName });
        one.frame.replaceWith(frame);
        Object.assign(one, { frame, page });
      }
      exhibit.set(one.frame, { hidden: page === "", title: `${one.words}: ${title || "none yet"}` });
    }
    const missing = names.find((name) => !pages[name]);
    ask(missing ?? next);
  };

  /** @param {Test} test */
  const take = (test) => {
    if (!test.page) return;
    exhibit.setAddress(fragment({ ...chosen(), [next]: test.page }), true);
    next = "right";
    exhibit.search?.set("");
    document.body.classList.remove("searching");
    show();
  };

  nav.addEventListener("click", (event) => {
    const link = exhibit.linkOf(event);
    const test = [...exhibit.failures, ...exhibit.tests].find(({ id }) => id === link?.dataset.key);
    if (!test?.page || exhibit.isModified(event)) return;
    event.preventDefault();
    take(test);
  });
  const { list } = exhibit;
  if (list) {
    const { open } = list;
    list.open = (row) => { if ("place" in row && row.page) take(row); else open(row); };
  }
  const swap = exhibit.button("", "Swap", () => {
    const { left, right } = chosen();
    exhibit.setAddress(fragment({ left: right, right: left }), true);
    show();
  });
  hint.after(element("p", "actions", swap));
  for (const event of ["hashchange", "popstate"]) window.addEventListener(event, show);
  show();
  exhibit.failuresRead?.then(show);
})();
