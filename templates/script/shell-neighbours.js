/* The page's own links to the tests before and after it: they lead through the list as it is filtered. */
(() => {
  const isIndex = document.body.classList.contains("on-index");
  const neighbours = isIndex ? null : document.querySelector(".neighbours");
  const unfiltered = neighbours ? [...neighbours.childNodes] : [];

  /** Has them lead to the tests around one of a list; as they were where the list has not that test. */
  exhibit.showNeighbours = (tests, index, address) => {
    if (!neighbours) return;
    if (index < 0 || !tests.length) return neighbours.replaceChildren(...unfiltered);
    const link = (test, rel, words) => {
      if (!test) return "";
      const link = exhibit.element("a", "", words, exhibit.element("span", "unseen", `: ${test.title}`));
      Object.assign(link, { rel, href: address(test), title: test.title });
      return link;
    };
    neighbours.replaceChildren(link(tests[index - 1], "prev", "← Previous"), " ",
      exhibit.element("span", "position", `${exhibit.grouped(index + 1)} of ${exhibit.grouped(tests.length)} found`), " ",
      link(tests[index + 1], "next", "Next →"));
  };
})();
