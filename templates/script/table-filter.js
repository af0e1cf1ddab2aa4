/* A filter above a list of tables. */
(() => {
  const least = 8;

  exhibit.tableFilter = (tables) => {
    if (tables.length < least) return null;
    const input = exhibit.element("input", {
      class: "table-filter", type: "search", placeholder: "Filter tables", "aria-label": "Filter tables by name", autocomplete: "off",
      spellcheck: "false",
      input: () => {
        const wanted = input.value.trim().toLowerCase();
        for (const { element, name } of tables) element.hidden = !name.toLowerCase().includes(wanted);
      },
    });
    return input;
  };

  for (const list of document.querySelectorAll(".other-tables")) {
    const tables = /** @type {HTMLElement[]} */ ([...list.children]);
    const input = exhibit.tableFilter(tables.map((element) => ({ element, name: exhibit.one(".title", element).textContent ?? "" })));
    if (input) list.prepend(input);
  }
})();
