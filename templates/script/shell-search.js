/* The search field, and filters. */
(() => {
  const place = document.querySelector(".bar .search");
  const { list } = exhibit;
  if (!place || !list) return;
  const filters = [...document.querySelectorAll(".filters [data-query]")];
  const further = { "has:changes": "changes", "has:findings": "findings", "has:database": "database", ">1s": "over 1 s" };
  const input = exhibit.element("input", {
    class: "query", type: "search", placeholder: "Search tests and messages …", "aria-label": "Search and filter tests",
    autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    input: () => { document.body.classList.add("searching"); change(); },
    keydown: (event) => {
      if (event.key === "Enter") {
        const [first] = list.targets;
        if (first && input.value.trim()) list.open(first);
      } else if (event.key === "Escape") {
        if (input.value) search.set("");
        document.body.classList.remove("searching");
        input.blur();
      } else {
        return;
      }
      event.preventDefault();
    },
  });
  input.addEventListener("focus", () => list.readTests(), { once: true });

  /** @param {string} text */
  const words = (text) => text.split(/\s+/).filter(Boolean);
  /** @param {string} query */
  const isIn = (query) => words(query).every((word) => words(input.value.toLowerCase()).includes(word));
  /** @type {(text: string, query: string) => string} */
  const without = (text, query) => words(text).filter((word) => !words(query).includes(word.toLowerCase())).join(" ");

  /** Outcomes exclude each other.
      @type {(query: string, others: string[]) => void} */
  const press = (query, others) => {
    const rest = others.reduce(without, without(input.value, query));
    search.set(isIn(query) ? rest : `${rest} ${query}`.trim());
  };

  /** @type {Map<string, HTMLElement>} */
  const chips = new Map();

  /** @type {(query: string, content: (Node | string)[], others?: string[]) => HTMLElement} */
  const chip = (query, content, others = []) => {
    const button = exhibit.button("filter", "", () => press(query, others), { "data-query": query });
    button.replaceChildren(...content);
    chips.set(query, button);
    return button;
  };

  const mark = () => chips.forEach((button, query) => exhibit.set(button, { "aria-pressed": String(isIn(query)) }));

  /** @type {number | undefined} */
  let waiting;

  /** Asks providers when the typing rests. */
  const ask = () => {
    clearTimeout(waiting);
    const text = exhibit.query(input.value).words.join(" ");
    if (text.length < 2 || !search.providers.length) return;
    const asked = input.value;
    waiting = setTimeout(async () => {
      const groups = await Promise.all(search.providers.map(async (provider) => {
        const found = await provider.find(text);
        return { title: provider.title, found };
      }));
      if (asked === input.value) list.add(groups.filter(({ found }) => found.length));
    }, 200);
  };

  const change = () => {
    mark();
    list.change({ query: input.value.trim() });
    ask();
  };

  const search = exhibit.search = {
    ask,
    providers: /** @type {Search["providers"]} */ ([]),
    input,
    set(text) {
      input.value = text;
      document.body.classList.add("searching");
      change();
    },
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

  place.append(exhibit.element("form", { role: "search", submit: (event) => event.preventDefault() }, input));
  place.hidden = false;
  const queries = filters.map((item) => item.dataset.query ?? "");
  for (const item of filters) {
    const query = item.dataset.query ?? "";
    const words = item.firstElementChild;
    words?.replaceWith(chip(query, [...words.childNodes], queries.filter((other) => other !== query)));
  }
  const more = exhibit.element("div", { class: "filters quick", role: "group", "aria-label": "More filters" },
    ...Object.entries(further).map(([query, title]) => chip(query, [title])));
  exhibit.beginList();
  exhibit.one("#list .head").after(more);
  for (const group of document.querySelectorAll(".filters")) exhibit.roving(group, "button, a");
})();
