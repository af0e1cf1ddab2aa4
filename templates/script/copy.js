/* Buttons that copy: every command, and on a failed test's page its Markdown and the command that opens its database. */
(() => {
  /** Where the report lies on this disk; null on a web server and in the one file, whose databases are elsewhere. */
  const folder = (() => {
    const script = document.currentScript?.src;
    if (location.protocol !== "file:" || !script) return null;
    try {
      return decodeURIComponent(new URL(".", script).pathname);
    } catch {
      return null;
    }
  })();

  const quoted = (text) => (/^[\w./@%+,:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

  /** Commands on files of the report work in any folder where the page knows its own. */
  const nameWholePath = (root) => {
    if (folder === null) return;
    for (const command of root.querySelectorAll("code.command[data-path]")) {
      command.textContent = `sqlite3 -readonly ${quoted(folder + command.dataset.path)}`;
      command.parentElement.querySelector(".where")?.remove();
    }
  };

  const button = (title, text, label, node) => {
    const made = exhibit.element("button", "copy", title);
    made.type = "button";
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", async () => {
      const isCopied = await write(text(), node);
      made.textContent = isCopied ? "Copied" : "Press Ctrl-C";
      setTimeout(() => { made.textContent = title; }, 2000);
    });
    return made;
  };

  /** Browsers that keep the clipboard from pages on disk get the text selected. */
  const write = async (text, node) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const held = node ?? document.body.appendChild(exhibit.element("pre", "copied", text));
      getSelection().selectAllChildren(held);
      const isCopied = document.execCommand("copy");
      if (!node && isCopied) held.remove();
      if (!node && !isCopied) setTimeout(() => held.remove(), 20000);
      return isCopied;
    }
  };

  exhibit.addCopyButtons = (root) => {
    nameWholePath(root);
    for (const command of root.querySelectorAll("code.command")) {
      command.after(button("Copy", () => command.textContent, `Copy ${command.textContent}`, command));
    }
    for (const test of root.querySelectorAll(".test")) addActions(test);
  };

  const addActions = (test) => {
    const actions = exhibit.element("p", "actions");
    const [rerun, database] = ["code.rerun", "code.command[data-path]"].map((name) => test.querySelector(name));
    const markdown = test.querySelector("template.markdown");
    if (rerun) actions.append(button("Copy rerun command", () => rerun.textContent, null, rerun));
    if (markdown) actions.append(button("Copy as Markdown", () => markdown.content.textContent));
    if (database) actions.append(button("Copy database command", () => database.textContent, null, database));
    if (actions.childElementCount > 0) test.querySelector(":scope > .headline")?.append(actions);
  };

  exhibit.addCopyButtons(document);
})();
