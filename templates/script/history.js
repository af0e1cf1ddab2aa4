/* Choices in place of links, on the page of trends. */
"use strict";

(() => {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".choices a")]);
  const list = document.querySelector(".choices ul");
  if (!list || links.length < 2) return;

  /** @param {string} title @param {"branch" | "label"} kind
      @param {"branchWord" | "labelWord"} word @param {string} all */
  const choice = (title, kind, word, all) => {
    const words = new Map(links.map(({ dataset }) => [dataset[kind] ?? "", dataset[word] ?? all]));
    const select = document.createElement("select");
    for (const [value, text] of words) select.add(new Option(text, value));
    const label = document.createElement("label");
    label.append(title, select);
    label.hidden = words.size < 2;
    return { label, select };
  };

  const branch = choice("Branch", "branch", "branchWord", "All branches");
  const label = choice("Label", "label", "labelWord", "All labels");

  /** @param {string} branch @param {string} label */
  const linkOf = (branch, label) => links.find(({ dataset }) => dataset.branch === branch && dataset.label === label);

  /** What has no runs cannot be chosen. */
  const disable = () => {
    for (const option of branch.select.options) option.disabled = !linkOf(option.value, label.select.value);
    for (const option of label.select.options) option.disabled = !linkOf(branch.select.value, option.value);
  };

  const take = () => {
    const part = document.getElementById(location.hash.slice(1))?.closest(".scope");
    const link = links.find((each) => each.hash === `#${part?.id}`) ?? links[0];
    branch.select.value = link.dataset.branch ?? "";
    label.select.value = link.dataset.label ?? "";
    disable();
  };

  const show = () => {
    const link = linkOf(branch.select.value, label.select.value);
    if (!link) return;
    location.hash = link.hash;
    scrollTo(0, 0);
  };

  for (const { select } of [branch, label]) select.addEventListener("change", show);
  addEventListener("hashchange", take);
  list.replaceWith(branch.label, label.label);
  take();
})();
