/* A cell whole: its text, its bytes, the image that it is, what it means, and the rows that its row is tied to. Its panel
   is docked to the bottom of the window, so that it is in sight wherever the cell is. */
(() => {
  /** Bytes of a hex dump. */
  const mostDumped = 16 * 1024;
  /** Levels of JSON that are laid out: each makes all lines below it longer. */
  const deepest = 50;

  /** The one that is shown: the bottom of the window has room for one. */
  let docked = null;

  exhibit.CellPanel = class {
    /** @param close is called when the reader closes it */
    constructor(close) {
      this.close = close;
      // It stays, so that a screen reader hears of every cell that is chosen.
      this.title = exhibit.element("h5");
      const spoken = exhibit.element("div", "title", this.title);
      spoken.setAttribute("role", "status");
      this.address = exhibit.element("span");
      this.content = exhibit.element("div", "content");
      this.element = exhibit.element("section", "cell-panel",
        exhibit.element("header", "", spoken, this.address, exhibit.button("", "Close", () => this.leave())), this.content);
      this.element.hidden = true;
      this.element.tabIndex = -1;
      // What is read later makes it higher.
      new ResizeObserver(() => { if (docked === this) this.dock(); }).observe(this.element);
    }

    hide() {
      this.element.hidden = true;
      if (docked !== this) return;
      docked = null;
      document.documentElement.style.removeProperty("--docked");
    }

    /** Closes it for the reader, who goes on where the cell is. */
    leave() {
      this.hide();
      this.close();
    }

    /** Shows a cell of a grid. */
    async show(grid, row, column) {
      const { table, database } = grid;
      Object.assign(this, { shown: row, grid });
      const name = exhibit.databases.rowName(table, row);
      this.title.replaceChildren(exhibit.element("bdi", "", exhibit.visible(`${table.name} ${name}`.trim().slice(0, 300))), " · ",
        exhibit.element("bdi", "", exhibit.visible(table.columns[column].name.slice(0, 300))));
      this.element.setAttribute("aria-label", this.title.textContent);
      const address = grid.link && name ? link("Address of this cell", grid.link(table, row, table.columns[column].name)) : "";
      this.address.replaceChildren(address);
      const mark = grid.marks.get(row);
      const values = exhibit.element("div", "", ...value(row[column], table.columns[column]));
      if (mark?.before?.has(column)) {
        values.append(exhibit.element("p", "remark", "It was:"), ...value(mark.before.get(column), table.columns[column]));
      }
      const ties = exhibit.element("p", "ties");
      const surroundings = exhibit.element("div", "", ties, whole(table, row));
      this.content.replaceChildren(values, surroundings);
      this.content.scrollTop = 0;
      if (docked !== this) docked?.hide();
      docked = this;
      this.element.hidden = false;
      this.dock();
      if (database && name) ties.append(...await tied(grid, row));
      if (!ties.childNodes.length) ties.remove();
      const past = grid.time?.past(table, row);
      if (past) surroundings.querySelector("details").before(past);
      // It may be as high as for the cell before, and was lower in between.
      if (docked === this) this.dock();
    }

    focus() { this.element.focus({ preventScroll: true }); }

    /** Leaves what is behind it room to be scrolled to, and has the cell in sight above it. */
    dock() {
      if (!this.element.offsetHeight) return;
      document.documentElement.style.setProperty("--docked", `${this.element.offsetHeight}px`);
      this.grid.keepInSight(this.element.getBoundingClientRect().top);
    }
  };

  exhibit.CellPanel.hide = () => docked?.hide();

  // Esc closes it from anywhere but where something is typed or asked.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !docked) return;
    if (event.target.closest?.("input, select, textarea, dialog, [open] > .menu")) return;
    event.preventDefault();
    docked.leave();
  });

  const link = (text, href) => {
    const anchor = exhibit.element("a", "", text);
    anchor.href = href;
    return anchor;
  };

  /** The value itself, as much of it as is here. */
  const value = (value, column) => {
    const parts = [];
    const kind = exhibit.cell.kindOf(value);
    const meaning = exhibit.cell.meaning(value, column);
    if (meaning !== null) {
      const clock = typeof value === "number" ? ` UTC, from ${column.clock.words}` : ", a UUID in 16 bytes";
      parts.push(exhibit.element("p", "", exhibit.element("strong", "", meaning), clock));
    }
    if (kind === "blob") {
      parts.push(...blob(value));
    } else {
      const text = { null: "NULL", empty: "", untold: "This value was not told." }[kind] ?? exhibit.cell.text(value, column);
      parts.push(code(json(text) ?? text, kind));
      parts.push(...facts(value, kind, text));
    }
    return parts;
  };

  const code = (text, kind) => {
    const element = exhibit.element("pre", `whole ${kind}`, text);
    element.tabIndex = 0;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", "Value");
    return element;
  };

  const facts = (value, kind, text) => {
    const parts = [];
    if (kind === "empty") parts.push("Empty text, not NULL.");
    if (kind === "text") {
      const bytes = exhibit.cell.wholeBytes(value) ?? new TextEncoder().encode(text).length;
      parts.push(`${exhibit.counted(bytes, "byte")}.`);
      if (exhibit.cell.isCut(value)) parts.push("The beginning is here.");
      if (value[0] === "u") {
        const beginning = exhibit.cell.hexadecimal(Uint8Array.from(atob(value[3]), (letter) => letter.charCodeAt(0)));
        parts.push(`It is no valid UTF-8; its first bytes are ${beginning}.`);
      }
      if (typeof value === "string" && json(value) !== null) parts.push("JSON, laid out.");
    }
    return parts.length ? [exhibit.element("p", "remark", parts.join(" "))] : [];
  };

  /** JSON on lines, in its own letters: a script's objects lose numbers, and members of one name. */
  const json = (text) => {
    if (!/^\s*[[{]/.test(text)) return null;
    try { JSON.parse(text); } catch { return null; }
    let [lines, depth, isEmpty] = ["", 0, false];
    const line = () => `\n${"  ".repeat(depth)}`;
    for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
      const isEnd = token === "]" || token === "}";
      if (isEnd) depth -= 1;
      if (isEmpty !== isEnd) lines += line();
      isEmpty = token === "[" || token === "{";
      if (isEmpty) depth += 1;
      if (depth > deepest) return null;
      lines += token === "," ? `,${line()}` : token === ":" ? ": " : token;
    }
    return lines;
  };

  const images = [["89504e47", "png"], ["ffd8ff", "jpeg"], ["47494638", "gif"]];

  const blob = (value) => {
    const bytes = exhibit.cell.bytes(value);
    const parts = [];
    const beginning = exhibit.cell.hexadecimal(bytes.subarray(0, 12));
    const type = images.find(([start]) => beginning.startsWith(start))?.[1]
      ?? (beginning.startsWith("52494646") && beginning.endsWith("57454250") ? "webp" : null);
    if (type && !exhibit.cell.isCut(value)) {
      const image = exhibit.element("img");
      image.src = `data:image/${type};base64,${value[1]}`;
      image.alt = `The ${type.toUpperCase()} image in this cell`;
      parts.push(image);
    }
    parts.push(code(dump(bytes.subarray(0, mostDumped)), "blob"));
    const shown = Math.min(bytes.length, mostDumped);
    const cut = shown < value[2] ? ` The first ${exhibit.counted(shown, "byte")} are here.` : "";
    parts.push(exhibit.element("p", "remark", `${exhibit.counted(value[2], "byte")}.${cut}`));
    return parts;
  };

  /** `00000010  53 51 4c …  |SQL…|` */
  const dump = (bytes) => {
    const lines = [];
    for (let start = 0; start < bytes.length; start += 16) {
      const line = bytes.subarray(start, start + 16);
      const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47);
      const letters = Array.from(line, (byte) => byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".").join("");
      lines.push(`${start.toString(16).padStart(8, "0")}  ${digits}  |${letters}|`);
    }
    return lines.join("\n");
  };

  /** Where the row's foreign keys lead, and what refers to it. */
  const tied = async (grid, row) => {
    const { table, database } = grid;
    const parts = [];
    await exhibit.readLinks(grid);
    for (const key of table.foreignKeys) {
      const found = grid.keyLinks.get(key)?.(row);
      if (!found) continue;
      const words = found.href ? [link(exhibit.visible(`${key.table}${found.name ? ` ${found.name}` : ""}`), found.href)]
        : found.isBroken ? [exhibit.element("span", "broken", exhibit.visible(`${key.table}: no such row`))] : [];
      if (words.length) parts.push(parts.length ? ", " : "Refers to ", ...words);
    }
    if (parts.length) parts.push(". ");
    const referring = await exhibit.referringTo(database, table, row);
    if (!referring.length) return parts;
    parts.push("Referenced by ");
    referring.forEach(({ table: from, key, rows }, index) => {
      const filter = key.columns.map((column) => exhibit.filterTerm(from.columns[column].name, rows[0][column])).join(" ");
      parts.push(index ? ", " : "", link(exhibit.visible(`${rows.length.toLocaleString("en")} ${from.name}`), grid.link(from, null, "", filter)));
    });
    parts.push(".");
    return parts;
  };

  const whole = (table, row) => {
    const list = exhibit.element("dl", "facts");
    table.columns.forEach((column, index) => {
      const cell = exhibit.cellElement(row[index], column);
      list.append(exhibit.element("div", "", exhibit.element("dt", "", exhibit.element("bdi", "", exhibit.visible(column.name.slice(0, 300)))),
        exhibit.element("dd", cell.className, ...cell.childNodes)));
    });
    return exhibit.element("details", "table", exhibit.element("summary", "", "The whole row"), list);
  };
})();
