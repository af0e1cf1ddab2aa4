/* A panel that shows a cell whole, docked to the window's bottom. */
const CellPanel = (() => {
  /** Bytes. */
  const mostDumped = 16 * 1024;
  /** Levels of JSON. */
  const deepest = 50;
  const { element, counted } = exhibit;

  /** @type {CellPanel | null} */
  let docked = null;

  class CellPanel {
    /** @type {Grid | null} */
    grid = null;
    title = element("h5");
    address = element("span");
    content = element("div", "content");
    // Screen readers tell every chosen cell.
    element = element("section", { class: "cell-panel", hidden: true, tabindex: -1 },
      element("header", "", element("div", { class: "title", role: "status" }, this.title), this.address,
        exhibit.button("", "Close", () => this.leave())), this.content);

    /** @param {() => void} close is called when the reader closes it */
    constructor(close) {
      this.close = close;
      new ResizeObserver(() => { if (docked === this) this.dock(); }).observe(this.element);
    }

    hide() {
      this.element.hidden = true;
      if (docked !== this) return;
      docked = null;
      document.documentElement.style.removeProperty("--docked");
    }

    leave() {
      this.hide();
      this.close();
    }

    /** @param {Grid} grid @param {Row} row @param {number} column */
    async show(grid, row, column) {
      const { table, database } = grid;
      const shape = table.columns[column];
      this.grid = grid;
      const name = databases.rowName(table, row);
      this.title.replaceChildren(exhibit.bdi(`${table.name} ${name}`.trim()), " · ", exhibit.bdi(shape.name));
      this.element.setAttribute("aria-label", this.title.textContent ?? "");
      const address = name && grid.link?.(table, row, shape.name);
      this.address.replaceChildren(address ? exhibit.link(address, "Address of this cell") : "");
      const former = grid.marks.get(row)?.before?.get(column);
      const was = former === undefined ? [] : [element("p", "remark", "It was:"), ...value(former, shape)];
      const ties = element("p", "ties");
      const rest = whole(table, row);
      this.content.replaceChildren(element("div", "", ...value(row[column], shape), ...was), element("div", "", ties, rest));
      this.content.scrollTop = 0;
      if (docked !== this) docked?.hide();
      docked = this;
      this.element.hidden = false;
      this.dock();
      if (database && name) ties.append(...await tied(grid, database, row));
      if (!ties.childNodes.length) ties.remove();
      const past = grid.time?.past(table, row);
      if (past) rest.before(past);
      // It was lower until now.
      if (docked === this) this.dock();
    }

    focus() { this.element.focus({ preventScroll: true }); }

    /** Keeps the cell above the panel. */
    dock() {
      if (!this.element.offsetHeight) return;
      document.documentElement.style.setProperty("--docked", `${this.element.offsetHeight}px`);
      this.grid?.keepInSight(this.element.getBoundingClientRect().top);
    }
  }

  exhibit.hidePanel = () => docked?.hide();

  // Esc closes it, but not where something is typed or asked.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !docked) return;
    if (exhibit.isTyping(event) || exhibit.around(event, "[open] > .menu")) return;
    event.preventDefault();
    docked.leave();
  });

  /** @type {(value: Value, column: Column) => HTMLElement[]} */
  const value = (value, column) => {
    const meaning = cells.meaning(value, column);
    const clock = column.entities ? ", an entity of Core Data"
      : typeof value === "number" ? ` UTC, from ${column.clock?.words}` : ", a UUID in 16 bytes";
    const meant = meaning === null ? [] : [element("p", "", element("strong", "", meaning), clock)];
    if (exhibit.isBlob(value)) return [...meant, ...blob(value)];
    const kind = cells.kindOf(value);
    const text = kind === "empty" ? "" : kind === "untold" ? "This value was not told." : cells.text(value, column);
    const laid = kind === "text" ? json(text) : null;
    const remarks = facts(value, text, typeof value === "string" && laid !== null);
    return [...meant, code(laid ?? text, kind), ...remarks ? [element("p", "remark", remarks)] : []];
  };

  /** @type {(text: string, kind: string) => HTMLElement} */
  const code = (text, kind) => element("pre", { class: `whole ${kind}`, tabindex: 0, role: "group", "aria-label": "Value" }, text);

  /** @type {(value: Value, text: string, isJSON: boolean) => string} */
  const facts = (value, text, isJSON) => {
    if (value === "") return "Empty text, not NULL.";
    if (cells.kindOf(value) !== "text") return "";
    const tagged = Array.isArray(value) ? value : null;
    const bytes = tagged ? Number(tagged[2]) : new TextEncoder().encode(text).length;
    const beginning = tagged?.[0] === "u" ? exhibit.hexadecimal(exhibit.bytes(tagged[3])) : "";
    return [`${counted(bytes, "byte")}.`, cells.isCut(value) && "The beginning is here.",
      beginning && `It is no valid UTF-8; its first bytes are ${beginning}.`, isJSON && "JSON, laid out."].filter(Boolean).join(" ");
  };

  /** Lays out JSON by its letters: objects would lose numbers and members.
      @param {string} text */
  const json = (text) => {
    if (!/^\s*[[{]/.test(text) || exhibit.parsed(text) === undefined) return null;
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

  const images = { png: /^89504e47/, jpeg: /^ffd8ff/, gif: /^47494638/, webp: /^52494646.{8}57454250/ };

  /** @param {BlobValue} value */
  const blob = (value) => {
    const bytes = exhibit.bytes(value[1]);
    const beginning = exhibit.hexadecimal(bytes.subarray(0, 12));
    const [type] = Object.entries(images).find(([, pattern]) => pattern.test(beginning)) ?? [];
    const image = type && !cells.isCut(value)
      ? [element("img", { src: `data:image/${type};base64,${value[1]}`, alt: `The ${type.toUpperCase()} image in this cell` })] : [];
    const shown = Math.min(bytes.length, mostDumped);
    const cut = shown < value[2] ? ` The first ${counted(shown, "byte")} are here.` : "";
    const held = cells.isCut(value) ? null : exhibit.propertyList(bytes);
    const list = held === null ? [] : [element("p", "remark", "A property list, which holds:"), code(held, "text")];
    return [...image, ...list, code(dump(bytes.subarray(0, mostDumped)), "blob"), element("p", "remark", `${counted(value[2], "byte")}.${cut}`)];
  };

  /** `00000010  53 51 4c …  |SQL…|`
      @param {Uint8Array} bytes */
  const dump = (bytes) => Array.from({ length: Math.ceil(bytes.length / 16) }, (_, number) => {
    const line = bytes.subarray(number * 16, number * 16 + 16);
    const letters = Array.from(line, (byte) => byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".").join("");
    return `${(number * 16).toString(16).padStart(8, "0")}  ${exhibit.hexadecimal(line, " ").padEnd(47)}  |${letters}|`;
  }).join("\n");

  /** @type {(grid: Grid, database: Database, row: Row) => Promise<(Node | string)[]>} */
  const tied = async (grid, database, row) => {
    const { table } = grid;
    await exhibit.readLinks(grid);
    const refers = table.foreignKeys.flatMap((key) => {
      const { href, name, isBroken } = grid.keyLinks.get(key)?.(row) ?? {};
      if (href) return [exhibit.link(href, exhibit.visible(`${key.table}${name ? ` ${name}` : ""}`))];
      return isBroken ? [element("span", "broken", exhibit.visible(`${key.table}: no such row`))] : [];
    });
    const referred = (await exhibit.referringTo(database, table, row)).map(({ table: from, key, rows }) => {
      const filter = key.columns.map((column) => exhibit.filterTerm(from.columns[column].name, rows[0][column])).join(" ");
      return exhibit.link(grid.link?.(from, null, "", filter) ?? "", exhibit.visible(`${exhibit.grouped(rows.length)} ${from.name}`));
    });
    return [...listed("Refers to ", refers, ". "), ...listed("Referenced by ", referred, ".")];
  };

  /** @type {(begin: string, elements: HTMLElement[], end: string) => (Node | string)[]} */
  const listed = (begin, elements, end) =>
    elements.length ? [...elements.flatMap((each, index) => [index ? ", " : begin, each]), end] : [];

  /** @type {(table: Table, row: Row) => HTMLElement} */
  const whole = (table, row) => element("details", "table", element("summary", "", "The whole row"),
    element("dl", "facts", ...table.columns.map((column, index) => {
      const cell = exhibit.cellElement(row[index], column);
      return element("div", "", element("dt", "", exhibit.bdi(column.name)), element("dd", cell.className, ...cell.childNodes));
    })));

  return CellPanel;
})();
