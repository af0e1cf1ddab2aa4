/* The page's own links to the tests before and after it: they lead through the list as it is filtered. */
(() => {
  const neighbours = document.querySelector("body:not(.on-index) .neighbours");
  const unfiltered = [...neighbours?.childNodes ?? []];

  exhibit.showNeighbours = (tests, index, address) => {
    if (index < 0 || !tests.length) return neighbours?.replaceChildren(...unfiltered);
    /** @type {(test: Test | undefined, rel: string, words: string) => Node | string} */
    const link = (test, rel, words) => test ? exhibit.element("a", { rel, href: address(test), title: test.title }, words,
      exhibit.element("span", "unseen", `: ${test.title}`)) : "";
    neighbours?.replaceChildren(link(tests[index - 1], "prev", "← Previous"), " ",
      exhibit.element("span", "position", `${exhibit.grouped(index + 1)} of ${exhibit.grouped(tests.length)} found`), " ",
      link(tests[index + 1], "next", "Next →"));
  };
})();
