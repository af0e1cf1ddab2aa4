/* The address of a place in a test's databases: which database, state, table, row and column, the filter and the
   statement. A fragment without `=` is an anchor and none of these. */
(() => {
  /** In the order in which an address has them; of others nothing is known, and they stay. */
  const names = ["db", "state", "table", "row", "column", "filter", "sort", "changed", "sql"];
  const listeners = [];

  const read = () => {
    const text = location.hash.slice(1);
    return new URLSearchParams(text.includes("=") ? text : "");
  };

  /** The fragment of a place; what is empty is left out. */
  const fragment = (place, others = []) => {
    const values = new URLSearchParams();
    for (const name of names) if (place[name]) values.set(name, place[name]);
    for (const [name, value] of others) if (!names.includes(name)) values.set(name, value);
    return `#${values}`;
  };

  /** A browser refuses an address that is too long, or one too many in a few seconds: the old one stays, then. */
  exhibit.setAddress = (fragment, isStep = false) => {
    try {
      history[isStep ? "pushState" : "replaceState"](isStep ? null : history.state, "", fragment);
    } catch { /* What is shown matters more than its address. */ }
  };

  exhibit.place = {
    get() {
      const values = read();
      return Object.fromEntries(names.map((name) => [name, values.get(name) ?? ""]));
    },

    /** The reference that leads to a place. */
    link: (place) => fragment(place),

    /** Notes where the reader is; going back leads to where the reader was before `isStep`. */
    set(changes, isStep = false) {
      const next = fragment({ ...exhibit.place.get(), ...changes }, read());
      if (next === location.hash) return;
      exhibit.setAddress(next, isStep);
    },

    /** Is told whenever the address leads somewhere else: of a link, of going back, never of `set`. */
    listen(listener) { listeners.push(listener); },
  };

  const tell = () => {
    const place = exhibit.place.get();
    for (const listener of listeners) listener(place);
  };
  window.addEventListener("hashchange", tell);
})();
