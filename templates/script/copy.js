/* A button beside every command that copies it. */
(() => {
  exhibit.addCopyButtons = (root) => {
    for (const command of root.querySelectorAll("code.command")) {
      const button = exhibit.element("button", "copy", "Copy");
      button.type = "button";
      button.setAttribute("aria-label", `Copy ${command.textContent}`);
      button.addEventListener("click", () => copy(command, button));
      command.after(button);
    }
  };

  const copy = async (command, button) => {
    const isCopied = await write(command);
    button.textContent = isCopied ? "Copied" : "Press Ctrl-C";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };

  /** Browsers that keep the clipboard from pages on disk get the text selected. */
  const write = async (command) => {
    try {
      await navigator.clipboard.writeText(command.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(command);
      return document.execCommand("copy");
    }
  };

  exhibit.addCopyButtons(document);
})();
