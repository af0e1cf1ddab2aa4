/* What the list shows: in the address of the index, and beside it for the pages that a click leads to. */
(() => {
  const nav = document.getElementById("list");
  if (!nav) return;
  const isIndex = document.body.classList.contains("on-index");
  const orders = ["place", "outcome", "duration", "name"];
  /** The same for all pages of a report. */
  const storage = `exhibit ${new URL(exhibit.base || ".", location.href.replace(/[?#].*/, ""))}`;

  /** `test` is the identity of a test that has no page. */
  const view = { query: "", sort: "place", test: "" };
  let scrollTop = 0;

  const isState = (text) => /(?:^|&)(?:q|sort|test)=/.test(text);

  const read = (values) => {
    view.query = values.get("q") ?? "";
    view.sort = orders.includes(values.get("sort")) ? values.get("sort") : "place";
    view.test = values.get("test") ?? "";
  };

  const text = ({ query, sort, test }) => {
    const values = new URLSearchParams();
    if (query) values.set("q", query);
    if (sort !== "place") values.set("sort", sort);
    if (test) values.set("test", test);
    return values.toString();
  };

  /** What other parts of the page keep in the address. */
  const others = () => {
    const values = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    for (const name of ["q", "sort", "test"]) values.delete(name);
    return values.toString();
  };

  /** Pages on disk may be refused their storage: the list begins anew on every page then. */
  const stored = () => {
    try { return JSON.parse(sessionStorage.getItem(storage)) ?? {}; } catch { return {}; }
  };

  exhibit.view = {
    get query() { return view.query; },
    get sort() { return view.sort; },
    get test() { return view.test; },
    /** Where the list was left, in pixels. */
    get scrollTop() { return scrollTop; },
    isIndex,

    /** Reads the address, or what the page before left; tells whether the index is to show something else than it does. */
    follow() {
      const fragment = location.hash.slice(1);
      if (isIndex && !isState(fragment) && fragment !== "") return false;
      const left = stored();
      const address = isIndex ? (isState(fragment) ? fragment : "") : String(left.address ?? "");
      read(new URLSearchParams(address));
      scrollTop = left.address === text({ ...view, test: "" }) ? Number(left.scrollTop) || 0 : 0;
      return true;
    },

    /** Changes the query or the order, and the address with it. */
    change(changes) {
      Object.assign(view, changes, { test: "" });
      if (!isIndex) return;
      const state = [text(view), others()].filter(Boolean).join("&");
      history.replaceState(history.state, "", state ? `#${state}` : location.pathname + location.search);
    },

    /** Leaves for the next page what this one shows. */
    leave(scrollTop) {
      try {
        sessionStorage.setItem(storage, JSON.stringify({ address: text({ ...view, test: "" }), scrollTop }));
      } catch { /* The next page begins anew, then. */ }
    },

    /** The address of the index as the list is shown now, or of a test there. */
    index(test = "") {
      const state = text({ ...view, test });
      const page = document.body.classList.contains("single") ? "" : `${exhibit.base}index.html`;
      return page + (state ? `#${state}` : page ? "" : "#main");
    },
  };
})();
