/* Links to neighbours in the filtered list. */
(() => {
  /** The page's own links. */
  const unfiltered = new Map([...document.querySelectorAll("body:not(.on-index) .neighbours")].map((links) => [links, [...links.childNodes]]));

  exhibit.showNeighbours = (tests, index, address) => {
    /** @type {(test: Test | undefined, rel: string, words: string) => Node | string} */
    const link = (test, rel, words) => test ? exhibit.element("a", { rel, href: address(test), title: test.title }, words,
      exhibit.element("span", "unseen", `: ${test.title}`)) : "";
    for (const [neighbours, nodes] of unfiltered) {
      const isOpen = neighbours.closest("main.shared > .part:not(:target, :has(:target))") === null;
      if (index < 0 || !tests.length || !isOpen) neighbours.replaceChildren(...nodes);
      else neighbours.replaceChildren(link(tests[index - 1], "prev", "← Previous"), " ",
        exhibit.element("span", "position", `${exhibit.grouped(index + 1)} of ${exhibit.grouped(tests.length)} found`), " ",
        link(tests[index + 1], "next", "Next →"));
    }
  };
})();
