/* A table of any length: only the cells in sight are in the page. */
const Grid = (() => {
  /** Drawn beyond what is in sight. */
  const margin = { rows: 8, columns: 2 };
  let count = 0;

  /** The key, what changed, and the others.
      @type {(table: Table, marks: Marks) => number[]} */
  const columnOrder = (table, marks) => {
    const changed = new Set([...marks.values()].flatMap(({ before }) => [...before?.keys() ?? []]));
    // Behind a hidden rowid mostly stands a name.
    const key = table.columns[0]?.isRowid && table.columns.length > 1 ? [0, 1] : table.key;
    const all = [...table.columns.keys()];
    return [...new Set([...key, ...all.filter((column) => changed.has(column)), ...all])];
  };

  return class {
    id = `grid-${count += 1}`;
    table = /** @type {Table} */ ({ name: "", columns: [], key: [], foreignKeys: [] });
    /** @type {((table: Table, row: Row | null, column?: string, filter?: string) => string) | undefined} */
    link;
    /** @type {Time | undefined} */
    time;
    /** @type {Promise<void> | undefined} */
    linksRead;
    /** @type {Database | null} */
    database = null;
    /** @type {Row[]} */
    all = [];
    /** @type {Row[]} */
    rows = [];
    /** @type {number[]} */
    order = [];
    /** @type {Marks} */
    marks = new Map();
    /** @type {Set<number>} */
    refers = new Set();
    /** Forgotten with another table. */
    sorted = /** @type {{ column: number, direction: number } | null} */ (null);
    conditions = /** @type {RowCondition[]} */ ([]);
    references = /** @type {References} */ (new Map());
    links = /** @type {Map<number, RowLink>} */ (new Map());
    keyLinks = /** @type {Map<ForeignKey, RowLink>} */ (new Map());
    chosen = /** @type {Row | null} */ (null);
    /** The headings are row -1. */
    active = { row: 0, column: 0 };
    refusal = "";
    onlyMarked = false;
    /** Pixels. */
    rowHeight = 30;
    height = 0;
    offsets = [0];
    /** @type {Map<number, HTMLElement>} */
    drawn = new Map();
    shown = "";
    schedule = exhibit.framed(() => this.draw());
    note = exhibit.element("p", "remark grid-note");
    head = exhibit.element("div", { class: "grid-head", role: "rowgroup" });
    body = exhibit.element("div", { class: "grid-body", role: "rowgroup" });
    element = exhibit.element("div", { class: "grid", id: this.id, tabindex: 0, role: "grid" }, this.head, this.body);
    columns = gridColumns(this);

    /** @param {GridEvents} events */
    constructor(events = {}) {
      this.events = events;
      this.element.addEventListener("scroll", this.schedule, { passive: true });
      new ResizeObserver(this.schedule).observe(this.element);
      gridKeys(this);
    }

    /** @param {GridContent} content */
    show({ database = null, table, rows, marks = new Map(), note = "", order = null }) {
      const isOther = this.table !== table;
      Object.assign(this, { database, table, all: rows, marks });
      if (order ?? isOther) this.order = order ?? columnOrder(table, marks);
      if (isOther) {
        Object.assign(this, {
          sorted: null, conditions: [], references: new Map(), refusal: "", links: new Map(), keyLinks: new Map(),
          chosen: null, active: { row: 0, column: 0 },
        });
      }
      cells.learn(table, rows);
      if (isOther) this.columns.measure();
      this.refers = new Set(table.foreignKeys.map((key) => exhibit.linkColumn(table, key)));
      exhibit.set(this.element, { "aria-label": `Rows of ${table.name}`, "aria-colcount": this.order.length });
      this.note.textContent = note;
      this.note.hidden = !note;
      this.update(!isOther);
      if (isOther) this.element.scrollLeft = 0;
      exhibit.readLinks(this);
    }

    /** `refusal` says why a filter is not understood.
        @param {RowCondition[]} conditions
        @param {string} refusal */
    filter(conditions, onlyMarked = false, refusal = "") {
      Object.assign(this, { conditions, onlyMarked, refusal });
      this.update(false);
    }

    /** @param {number} column @param {number} direction */
    sort(column, direction) {
      this.sorted = direction ? { column, direction } : null;
      this.update(false);
    }

    /** @param {boolean} keepsPlace */
    update(keepsPlace) {
      this.rows = this.chosenRows();
      this.active.row = Math.min(this.active.row, Math.max(0, this.rows.length - 1));
      exhibit.set(this.element, { "aria-rowcount": this.rows.length + 1 });
      if (!keepsPlace) this.element.scrollTop = 0;
      this.lay();
    }

    chosenRows() {
      if (this.refusal) return [];
      if (!this.conditions.length && !this.onlyMarked && !this.sorted) return this.all;
      const table = exhibit.tableRows(this.table, this.all);
      const places = table.filter(this.conditions, this.references, this.onlyMarked ? this.marks : null);
      return table.at(this.sorted ? table.sorted(places, this.sorted.column, this.sorted.direction) : places);
    }

    lay() {
      this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || 30;
      this.height = this.rows.length * this.rowHeight;
      this.body.style.height = `${Math.max(this.rowHeight, exhibit.tall.shown(this.height))}px`;
      this.offsets = [0];
      for (const column of this.order) this.offsets.push(this.offsets[this.offsets.length - 1] + this.columns.widths[column]);
      this.head.style.width = this.body.style.width = `${this.offsets[this.order.length]}px`;
      this.drawn.clear();
      this.body.replaceChildren(...this.rows.length ? [] : [this.nothing()]);
      this.shown = "";
      this.draw();
    }

    nothing() {
      const empty = this.note.textContent ? "No rows are here." : "No rows.";
      const words = this.refusal || (this.all.length ? "No row matches." : empty);
      const cell = exhibit.element("div", { class: "cell nothing", role: "gridcell" }, words);
      return exhibit.element("div", { class: "row", role: "row" }, cell);
    }

    get scale() { return exhibit.tall.scale(this.height, this.element.clientHeight); }

    draw() {
      if (!this.table.columns.length) return;
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.element;
      const offset = scrollTop * this.scale;
      const first = Math.max(0, Math.floor(offset / this.rowHeight) - margin.rows);
      const last = Math.min(this.rows.length, Math.ceil((offset + clientHeight) / this.rowHeight) + margin.rows);
      const [left, right] = this.columnsBetween(scrollLeft, scrollLeft + clientWidth);
      const shift = this.scale === 1 ? 0 : scrollTop - offset;
      const isOther = this.shown !== `${left} ${right} ${shift}`;
      if (isOther) {
        this.shown = `${left} ${right} ${shift}`;
        const headings = this.placesBetween(left, right).map((place) => this.columns.heading(place));
        this.head.replaceChildren(exhibit.element("div", { class: "row", role: "row", "aria-rowindex": 1 }, ...headings));
      }
      for (const [index, element] of this.drawn) {
        if (!isOther && index >= first && index < last) continue;
        element.remove();
        this.drawn.delete(index);
      }
      for (let index = first; index < last; index += 1) {
        if (!this.drawn.has(index)) this.drawn.set(index, this.row(index, left, right, shift));
      }
      this.body.append(...[...this.drawn.values()].filter((element) => !element.parentNode));
      this.markActive();
    }

    /** @param {number} from @param {number} to */
    columnsBetween(from, to) {
      let first = 0;
      while (first + 1 < this.order.length && this.offsets[first + 1] < from) first += 1;
      let last = first;
      while (last < this.order.length && this.offsets[last] < to) last += 1;
      // In steps, to draw seldom.
      first = Math.max(1, (Math.floor(first / 4) * 4) - margin.columns);
      return [first, Math.min(this.order.length, (Math.ceil(last / 4) * 4) + margin.columns)];
    }

    /** The first column stays.
        @param {number} left @param {number} right */
    placesBetween(left, right) {
      return [...this.order.keys()].filter((place) => place === 0 || (place >= left && place < right));
    }

    /** @param {number} index @param {number} left @param {number} right @param {number} shift */
    row(index, left, right, shift) {
      const row = this.rows[index];
      const mark = this.marks.get(row);
      const cells = this.placesBetween(left, right).map((place) => this.cell(row, index, place, mark));
      const sign = mark && { added: "+", removed: "−", changed: "~", absent: "" }[mark.kind];
      if (sign) cells[0].prepend(exhibit.element("span", { class: "sign", title: mark.kind }, sign), " ");
      const element = exhibit.element("div", {
        class: `row${mark ? ` ${mark.kind}` : ""}${row === this.chosen ? " chosen" : ""}`,
        role: "row", "aria-rowindex": index + 2, "data-index": index,
      }, ...cells);
      element.style.top = `${index * this.rowHeight + shift}px`;
      return element;
    }

    /** @param {Row} row @param {number} index @param {number} place @param {Mark | undefined} mark */
    cell(row, index, place, mark) {
      const column = this.order[place];
      const shape = this.table.columns[column];
      const cell = exhibit.cellElement(row[column], shape, this.links.get(column)?.(row));
      if (this.refers.has(column)) cell.classList.add("refers");
      this.columns.stand(cell, place);
      exhibit.set(cell, { role: "gridcell", id: `${this.id}-${index}-${place}` });
      const former = mark?.before?.get(column);
      if (former !== undefined) {
        cell.classList.add("changed");
        cell.prepend(exhibit.element("del", "", ...exhibit.cellElement(former, shape).childNodes), " ");
      }
      return cell;
    }

    markActive() {
      for (const old of this.element.querySelectorAll(".active")) old.classList.remove("active");
      const { row, column } = this.active;
      const cell = document.getElementById(`${this.id}-${row < 0 ? "head" : row}-${column}`);
      cell?.classList.add("active");
      exhibit.set(this.element, { "aria-activedescendant": cell && cell.id });
    }

    /** @param {number} row @param {number} column */
    go(row, column) {
      this.active = {
        row: Math.max(-1, Math.min(this.rows.length - 1, row)),
        column: Math.max(0, Math.min(this.order.length - 1, column)),
      };
      this.bringIntoSight();
      if (this.active.row >= 0) this.events.choose?.(this.rows[this.active.row], this.order[this.active.column]);
    }

    bringIntoSight(isCentred = false) {
      const { row, column } = this.active;
      const box = this.element;
      const room = box.clientHeight - this.head.offsetHeight;
      if (row >= 0) {
        const top = row * this.rowHeight;
        const offset = box.scrollTop * this.scale;
        const next = isCentred ? top - room / 2 : Math.min(top, Math.max(offset, top + this.rowHeight - room));
        if (next !== offset) box.scrollTop = Math.max(0, next) / this.scale;
      }
      if (column > 0) {
        const frozen = this.offsets[1];
        const [left, right] = [this.offsets[column], this.offsets[column + 1]];
        if (left < box.scrollLeft + frozen) box.scrollLeft = left - frozen;
        else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = Math.min(left - frozen, right - box.clientWidth);
      }
      this.draw();
    }

    /** Scrolls the reader's cell above `bottom`.
        @param {number} bottom */
    keepInSight(bottom) {
      const cell = this.element.querySelector(".cell.active") ?? this.element.querySelector(".row.chosen .cell");
      if (!cell) return;
      const { top, bottom: end } = cell.getBoundingClientRect();
      // The bar and the headings stay above.
      const first = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + this.head.offsetHeight;
      const by = end > bottom ? Math.min(end - bottom + this.rowHeight, top - first) : top < first ? top - first : 0;
      if (by) window.scrollBy({ top: by, behavior: "instant" });
    }

    /** @param {Row} row */
    reveal(row, column = this.order[0]) {
      const index = this.rows.indexOf(row);
      if (index < 0) return false;
      this.chosen = row;
      this.active = { row: index, column: Math.max(0, this.order.indexOf(column)) };
      this.lay();
      this.bringIntoSight(true);
      return true;
    }
  };
})();
