/* The address of a place in a test's databases. A fragment without `=` is an anchor. */
(() => {
  /** In an address's order. */
  const names = /** @type {const} */ (["db", "state", "table", "row", "column", "filter", "sort", "changed", "sql"]);

  /** @type {(place: Partial<Place>, others?: URLSearchParams) => string} */
  const fragment = (place, others = new URLSearchParams()) => {
    for (const name of names) others.delete(name);
    const values = names.map((name) => [name, place[name] ?? ""]).filter(([, value]) => value);
    return `#${new URLSearchParams([...values, ...others])}`;
  };

  exhibit.setAddress = (fragment, isStep = false) => {
    // Browsers refuse addresses that are too long or too many.
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
