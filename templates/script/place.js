/* The address of a place in a test's databases: which database, state, table, row and column, the filter and the
   statement. A fragment without `=` is an anchor and none of these. */
(() => {
  /** In the order in which an address has them; of others nothing is known, and they stay. */
  const names = /** @type {const} */ (["db", "state", "table", "row", "column", "filter", "sort", "changed", "sql"]);

  /** The fragment of a place; what is empty is left out.
      @type {(place: Partial<Place>, others?: URLSearchParams) => string} */
  const fragment = (place, others = new URLSearchParams()) => {
    for (const name of names) others.delete(name);
    const values = names.map((name) => [name, place[name] ?? ""]).filter(([, value]) => value);
    return `#${new URLSearchParams([...values, ...others])}`;
  };

  exhibit.setAddress = (fragment, isStep = false) => {
    // A browser refuses an address that is too long, or one too many in a few seconds: the old one stays, then.
    try {
      if (isStep) history.pushState(null, "", fragment);
      else history.replaceState(history.state, "", fragment);
    } catch { /* What is shown matters more than its address. */ }
  };

  exhibit.place = {
    get() {
      const values = exhibit.addressed();
      return /** @type {Place} */ (Object.fromEntries(names.map((name) => [name, values.get(name) ?? ""])));
    },
    link: (place) => fragment(place),
    set(changes, isStep = false) {
      const next = fragment({ ...exhibit.place.get(), ...changes }, exhibit.addressed());
      if (next !== location.hash) exhibit.setAddress(next, isStep);
    },
    listen: (listener) => window.addEventListener("hashchange", () => listener(exhibit.place.get())),
  };
})();
