/* The search field in the bar, and the filters beside it. */
(() => {
  const place = document.querySelector(".bar .search");
  if (!place || !exhibit.list) return;
  const input = exhibit.element("input", "query");
  const filters = [...document.querySelectorAll(".filters [data-query]")];
  const further = [["has:changes", "changes"], ["has:findings", "findings"], ["has:database", "database"], [">1s", "over 1 s"]];
  let waiting = 0;

  /** The text without a filter's words, or with them behind it. */
  const words = (text) => text.split(/\s+/).filter(Boolean);
  const isIn = (query) => words(query).every((word) => words(input.value.toLowerCase()).includes(word));
  const without = (text, query) => words(text).filter((word) => !words(query).includes(word.toLowerCase())).join(" ");

  /** Outcomes exclude each other, so that one takes the other's place. */
  const press = (query, others) => {
    const rest = others.reduce(without, without(input.value, query));
    exhibit.search.set(isIn(query) ? rest : `${rest} ${query}`.trim());
  };

  const chips = [];

  const chip = (query, content, others) => {
    const button = exhibit.button("filter", "", () => press(query, others));
    button.replaceChildren(...content);
    button.dataset.query = query;
    chips.push(button);
    return button;
  };

  const mark = () => {
    for (const button of chips) button.setAttribute("aria-pressed", String(isIn(button.dataset.query)));
  };

  /** Asks those who know of values in databases, when the typing rests. */
  const ask = () => {
    clearTimeout(waiting);
    const text = exhibit.query(input.value).words.join(" ");
    if (text.length < 2 || !exhibit.search.providers.length) return;
    const asked = input.value;
    waiting = setTimeout(async () => {
      const groups = await Promise.all(exhibit.search.providers.map(async ({ title, find }) => ({ title, found: await find(text) })));
      if (asked === input.value) exhibit.list.add(groups.filter(({ found }) => found.length));
    }, 200);
  };

  const change = () => {
    mark();
    exhibit.list.change({ query: input.value.trim() });
    ask();
  };

  exhibit.search = {
    /** Each has a `title` and a function `find` that promises `[{title, where, href}]` for a text. */
    providers: [],
    input,
    set(text) {
      input.value = text;
      document.body.classList.add("searching");
      change();
    },
    /** Takes over what the address says. */
    take() {
      if (document.activeElement !== input || !input.value) input.value = exhibit.view.query;
      mark();
      ask();
    },
    focus() {
      input.focus({ preventScroll: true });
      input.select();
    },
  };

  // ---- Beginning ----

  input.type = "search";
  input.placeholder = "Search tests and messages …";
  input.setAttribute("aria-label", "Search and filter tests");
  for (const name of ["autocomplete", "autocapitalize"]) input.setAttribute(name, "off");
  input.spellcheck = false;
  input.addEventListener("input", () => { document.body.classList.add("searching"); change(); });
  input.addEventListener("focus", () => exhibit.list.readTests(), { once: true });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const [first] = exhibit.list.targets;
      if (first && input.value.trim()) exhibit.list.open(first);
    } else if (event.key === "Escape") {
      if (input.value) exhibit.search.set("");
      document.body.classList.remove("searching");
      input.blur();
    } else {
      return;
    }
    event.preventDefault();
  });
  const form = exhibit.element("form", "", input);
  form.setAttribute("role", "search");
  form.addEventListener("submit", (event) => event.preventDefault());
  place.append(form);
  place.hidden = false;

  const queries = filters.map((item) => item.dataset.query);
  for (const item of filters) {
    const others = queries.filter((query) => query !== item.dataset.query);
    item.firstElementChild.replaceWith(chip(item.dataset.query, [...item.firstElementChild.childNodes], others));
  }
  const more = exhibit.element("div", "filters quick", ...further.map(([query, title]) => chip(query, [title], [])));
  more.setAttribute("role", "group");
  more.setAttribute("aria-label", "More filters");
  exhibit.beginList();
  document.querySelector("#list .head").after(more);
})();
