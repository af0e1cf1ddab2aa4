/* The list's state, in the index's address and in storage. */
(() => {
  if (!document.getElementById("list")) return;
  const isIndex = document.body.classList.contains("on-index");
  const orders = ["place", "outcome", "duration", "name"];
  /** The same for all pages of a report. */
  const storage = `exhibit ${new URL(exhibit.base || ".", location.href.replace(/[?#].*/, ""))}`;

  /** @param {string} text */
  const isState = (text) => /(?:^|&)(?:q|sort|test)=/.test(text);

  /** @param {ViewState} state */
  const text = ({ query, sort, test }) => {
    const values = Object.entries({ q: query, sort: sort === "place" ? "" : sort, test }).filter(([, value]) => value);
    return new URLSearchParams(values).toString();
  };

  exhibit.glance = `${document.body.classList.contains("single") ? "" : `${exhibit.base}index.html`}#glance`;

  const view = exhibit.view = {
    query: "", sort: "place", test: "", scrollTop: 0, isIndex,

    follow() {
      const fragment = location.hash.slice(1);
      if (isIndex && !isState(fragment) && fragment !== "") return false;
      const left = exhibit.parsed(exhibit.recall("sessionStorage", storage)) ?? {};
      const address = isIndex ? (isState(fragment) ? fragment : "") : String(left.address ?? "");
      const values = new URLSearchParams(address);
      const sort = values.get("sort") ?? "";
      Object.assign(view, {
        query: values.get("q") ?? "", sort: orders.includes(sort) ? sort : "place", test: values.get("test") ?? "",
      });
      view.scrollTop = left.address === text({ ...view, test: "" }) ? Number(left.scrollTop) || 0 : 0;
      return true;
    },

    change(changes) {
      Object.assign(view, changes, { test: "" });
      if (!isIndex) return;
      // Other parts of the page use the address, too.
      const others = exhibit.addressed();
      for (const name of ["q", "sort", "test"]) others.delete(name);
      const state = [text(view), others.toString()].filter(Boolean).join("&");
      history.replaceState(history.state, "", state ? `#${state}` : location.pathname + location.search);
    },

    leave(scrollTop) {
      exhibit.keep("sessionStorage", storage, JSON.stringify({ address: text({ ...view, test: "" }), scrollTop }));
    },

    index(test = "") {
      const state = text({ ...view, test });
      const page = document.body.classList.contains("single") ? "" : `${exhibit.base}index.html`;
      return page + (state ? `#${state}` : page ? "" : "#main");
    },
  };
})();
