/* Buttons that copy. */
(() => {
  /** The report's folder on this disk, or null. */
  const folder = (() => {
    const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
    if (location.protocol !== "file:" || !src) return null;
    try { return decodeURIComponent(new URL(".", src).pathname); } catch { return null; }
  })();

  /** @param {string} text */
  const quoted = (text) => /^[\w./@%+,:=-]+$/.test(text) ? text : exhibit.shellQuoted(text);

  /** @type {(title: string, text: () => string, node?: HTMLElement | null, label?: string | null) => HTMLElement} */
  const button = (title, text, node = null, label = null) => {
    const made = exhibit.button("copy", title, async () => {
      made.textContent = await write(text(), node) ? "Copied" : "Press Ctrl-C";
      setTimeout(() => { made.textContent = title; }, 2000);
    }, { "aria-label": label });
    return made;
  };

  /** Browsers may keep the clipboard from pages on disk.
      @type {(text: string, node: HTMLElement | null) => Promise<boolean>} */
  const write = async (text, node) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const held = node ?? document.body.appendChild(exhibit.element("pre", "copied", text));
      getSelection()?.selectAllChildren(held);
      const isCopied = document.execCommand("copy");
      if (!node) setTimeout(() => held.remove(), isCopied ? 0 : 20000);
      return isCopied;
    }
  };

  const copied = {
    "code.rerun": "Copy rerun command", "template.markdown": "Copy as Markdown",
    "code.command[data-path]": "Copy database command",
  };

  exhibit.addCopyButtons = (root) => {
    for (const command of root.querySelectorAll("code.command")) {
      // Commands then work in any folder.
      if (folder !== null && command.dataset.path !== undefined) {
        command.textContent = `sqlite3 -readonly ${quoted(folder + command.dataset.path)}`;
        command.parentElement?.querySelector(".where")?.remove();
      }
      command.after(button("Copy", () => command.textContent ?? "", command, `Copy ${command.textContent}`));
    }
    for (const test of root.querySelectorAll(".test")) {
      const actions = Object.entries(copied).flatMap(([selector, title]) => {
        const found = test.querySelector(selector);
        if (found instanceof HTMLTemplateElement) return [button(title, () => found.content.textContent ?? "")];
        return found ? [button(title, () => found.textContent ?? "", found)] : [];
      });
      if (!actions.length) continue;
      const row = exhibit.element("p", { class: "actions", role: "toolbar", "aria-label": "Copy and compare" }, ...actions);
      test.querySelector(":scope > .headline")?.append(row);
      exhibit.roving(row, "button");
    }
  };

  exhibit.addCopyButtons(document);
})();
