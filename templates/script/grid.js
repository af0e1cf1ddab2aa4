/* A table of any length: only the cells in sight are in the page. Rows of a database, of one of its states and of a
   query are shown alike. */
(() => {
  /** Browsers cut off elements that are higher than this, in pixels. */
  const highest = 8_000_000;
  /** Rows and columns that are drawn beyond those in sight. */
  const margin = { rows: 8, columns: 2 };
  let count = 0;

  /** The key, what changed, and the others; a table keeps its order in all of its states. */
  const columnOrder = (table, marks) => {
    const changed = new Set([...marks.values()].flatMap(({ before }) => [...before?.keys() ?? []]));
    // Behind a rowid that no column is mostly stands what the app calls the row by.
    const key = table.columns[0]?.isRowid && table.columns.length > 1 ? [0, 1] : table.key ?? [];
    const first = [...key, ...[...table.columns.keys()].filter((column) => changed.has(column))];
    return [...new Set([...first, ...table.columns.keys()])];
  };

  exhibit.Grid = class {
    /**
     * @param events `open(row, column)` for a cell that is to be shown whole, `sort(column, direction)` when the reader
     *   sorts, `choose(row, column)` when the reader goes to a cell
     */
    constructor(events = {}) {
      count += 1;
      Object.assign(this, {
        events, id: `grid-${count}`, table: null, all: [], rows: [], order: [], marks: new Map(), links: new Map(),
        keyLinks: new Map(), sorted: null, conditions: [], references: new Map(), refusal: "", onlyMarked: false, active: { row: 0, column: 0 }, drawn: new Map(), chosen: null,
      });
      this.head = exhibit.element("div", "grid-head");
      this.body = exhibit.element("div", "grid-body");
      this.element = exhibit.element("div", "grid", this.head, this.body);
      this.element.id = this.id;
      this.element.tabIndex = 0;
      this.element.setAttribute("role", "grid");
      for (const part of [this.head, this.body]) part.setAttribute("role", "rowgroup");
      this.note = exhibit.element("p", "remark grid-note");
      this.element.addEventListener("scroll", () => this.schedule(), { passive: true });
      new ResizeObserver(() => this.schedule()).observe(this.element);
      exhibit.gridColumns(this);
      exhibit.gridKeys(this);
    }

    /**
     * Shows a table.
     *
     * @param database for foreign keys; `null` for the result of a query
     * @param table its `name`, `columns`, `key` and `foreignKeys`
     * @param rows all of them, in the table's own order
     * @param marks by row: `{kind, before}`, what happened to it and the former values by column
     * @param note a sentence below it
     * @param order the columns by index, where that is another's
     */
    show({ database = null, table, rows, marks = new Map(), note = "", order = null }) {
      const isOther = this.table !== table;
      Object.assign(this, { database, table, all: rows, marks, drawn: new Map() });
      if (order ?? isOther) this.order = order ?? columnOrder(table, marks);
      if (isOther) {
        Object.assign(this, { sorted: null, conditions: [], references: new Map(), refusal: "", links: new Map(), keyLinks: new Map(), chosen: null });
        this.active = { row: 0, column: 0 };
      }
      exhibit.cell.learn(table, rows);
      if (isOther) this.measure();
      this.refers = new Set((table.foreignKeys ?? []).map((key) => exhibit.linkColumn(table, key)));
      this.element.setAttribute("aria-label", `Rows of ${table.name}`);
      this.element.setAttribute("aria-colcount", this.order.length);
      this.note.textContent = note;
      this.note.hidden = !note;
      this.update(!isOther);
      if (isOther) this.element.scrollLeft = 0;
      exhibit.readLinks(this);
    }

    /**
     * Shows the rows that the conditions of a filter leave.
     *
     * @param refusal why no row is shown, of a filter that nobody understands
     */
    filter(conditions, onlyMarked = false, refusal = "") {
      Object.assign(this, { conditions, onlyMarked, refusal });
      this.update(false);
    }

    /** Sorts by a column, up (1), down (-1), or as the table has them (0). */
    sort(column, direction) {
      this.sorted = direction ? { column, direction } : null;
      this.update(false);
    }

    update(keepsPlace) {
      this.rows = this.chosenRows();
      this.active.row = Math.min(this.active.row, Math.max(0, this.rows.length - 1));
      this.element.setAttribute("aria-rowcount", this.rows.length + 1);
      if (!keepsPlace) this.element.scrollTop = 0;
      this.lay();
    }

    chosenRows() {
      if (!this.conditions.length && !this.refusal && !this.onlyMarked && !this.sorted) return this.all;
      const table = exhibit.tableRows(this.table, this.all);
      if (this.refusal) return [];
      const places = table.filter(this.conditions, this.references, this.onlyMarked ? this.marks : null);
      return table.at(this.sorted ? table.orders.sorted(places, this.sorted.column, this.sorted.direction) : places);
    }

    /** Draws all anew: other rows, or other widths. */
    lay() {
      this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || 30;
      this.height = this.rows.length * this.rowHeight;
      this.body.style.height = `${Math.max(this.rowHeight, Math.min(this.height, highest))}px`;
      this.offsets = [0];
      for (const column of this.order) this.offsets.push(this.offsets.at(-1) + this.widths[column]);
      this.head.style.width = this.body.style.width = `${this.offsets.at(-1)}px`;
      this.drawn.clear();
      this.body.replaceChildren();
      if (!this.rows.length) this.body.append(this.nothing());
      this.shown = "";
      this.draw();
    }

    nothing() {
      const words = this.refusal ? this.refusal : this.all.length ? "No row matches." : this.note.textContent ? "No rows are here." : "No rows.";
      const cell = exhibit.element("div", "cell nothing", words);
      cell.setAttribute("role", "gridcell");
      const row = exhibit.element("div", "row", cell);
      row.setAttribute("role", "row");
      return row;
    }

    schedule() {
      if (this.scheduled) return;
      this.scheduled = true;
      requestAnimationFrame(() => { this.scheduled = false; this.draw(); });
    }

    /** Where the body is too high to be true, the scroll bar stands for a share of it. */
    get scale() {
      const room = this.element.clientHeight;
      return this.height > highest ? (this.height - room) / (highest - room) : 1;
    }

    draw() {
      if (!this.table) return;
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.element;
      const offset = scrollTop * this.scale;
      const first = Math.max(0, Math.floor(offset / this.rowHeight) - margin.rows);
      const last = Math.min(this.rows.length, Math.ceil((offset + clientHeight) / this.rowHeight) + margin.rows);
      const [left, right] = this.columnsBetween(scrollLeft, scrollLeft + clientWidth);
      const shift = this.scale === 1 ? 0 : scrollTop - offset;
      const columns = `${left} ${right} ${shift}`;
      if (this.shown !== columns) {
        this.shown = columns;
        this.drawHead(left, right);
        for (const element of this.drawn.values()) element.remove();
        this.drawn.clear();
      }
      for (const [index, element] of this.drawn) {
        if (index >= first && index < last) continue;
        element.remove();
        this.drawn.delete(index);
      }
      const news = [];
      for (let index = first; index < last; index += 1) {
        if (this.drawn.has(index)) continue;
        const element = this.row(index, left, right, shift);
        this.drawn.set(index, element);
        news.push(element);
      }
      this.body.append(...news);
      this.markActive();
    }

    /** The places in `order` of the first and behind the last column in sight. */
    columnsBetween(from, to) {
      let first = 0;
      while (first + 1 < this.order.length && this.offsets[first + 1] < from) first += 1;
      let last = first;
      while (last < this.order.length && this.offsets[last] < to) last += 1;
      // In steps, so that a little scrolling draws nothing anew.
      first = Math.max(1, (Math.floor(first / 4) * 4) - margin.columns);
      return [first, Math.min(this.order.length, (Math.ceil(last / 4) * 4) + margin.columns)];
    }

    drawHead(left, right) {
      const row = exhibit.element("div", "row");
      row.setAttribute("role", "row");
      row.setAttribute("aria-rowindex", 1);
      if (this.order.length) row.append(this.heading(0));
      for (let place = left; place < right; place += 1) row.append(this.heading(place));
      this.head.replaceChildren(row);
    }

    row(index, left, right, shift) {
      const row = this.rows[index];
      const mark = this.marks.get(row);
      const element = exhibit.element("div", `row${mark ? ` ${mark.kind}` : ""}${row === this.chosen ? " chosen" : ""}`);
      element.setAttribute("role", "row");
      element.setAttribute("aria-rowindex", index + 2);
      element.style.top = `${index * this.rowHeight + shift}px`;
      element.dataset.index = index;
      const keyCell = this.cell(row, index, 0, mark);
      if (mark && mark.kind !== "absent") {
        const sign = exhibit.element("span", "sign", { added: "+", removed: "−", changed: "~" }[mark.kind]);
        sign.title = mark.kind;
        keyCell.prepend(sign, " ");
      }
      element.append(keyCell);
      for (let place = left; place < right; place += 1) element.append(this.cell(row, index, place, mark));
      return element;
    }

    cell(row, index, place, mark) {
      const column = this.order[place];
      const cell = exhibit.cellElement(row[column], this.table.columns[column], this.links.get(column)?.(row));
      if (this.refers.has(column)) cell.classList.add("refers");
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-colindex", place + 1);
      cell.id = `${this.id}-${index}-${place}`;
      cell.dataset.place = place;
      cell.style.width = `${this.widths[column]}px`;
      if (place > 0) cell.style.left = `${this.offsets[place]}px`;
      else cell.classList.add("first");
      if (mark?.before?.has(column)) {
        cell.classList.add("changed");
        const former = exhibit.cellElement(mark.before.get(column), this.table.columns[column]);
        cell.prepend(exhibit.element("del", "", ...former.childNodes), " ");
      }
      return cell;
    }

    // ---- Where the reader is ----

    markActive() {
      for (const old of this.element.querySelectorAll(".active")) old.classList.remove("active");
      const { row, column } = this.active;
      const id = row < 0 ? `${this.id}-head-${column}` : `${this.id}-${row}-${column}`;
      const cell = document.getElementById(id);
      if (cell) {
        cell.classList.add("active");
        this.element.setAttribute("aria-activedescendant", id);
      } else {
        this.element.removeAttribute("aria-activedescendant");
      }
    }

    /** Goes to a cell and brings it into sight. */
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
        let next = offset;
        if (isCentred) next = top - room / 2;
        else if (top < offset) next = top;
        else if (top + this.rowHeight > offset + room) next = top + this.rowHeight - room;
        if (next !== offset) box.scrollTop = Math.max(0, next) / this.scale;
      }
      if (column > 0) {
        const frozen = this.offsets[1];
        const [left, right] = [this.offsets[column], this.offsets[column + 1]];
        if (left < box.scrollLeft + frozen) box.scrollLeft = left - frozen;
        else if (right > box.scrollLeft + box.clientWidth) {
          box.scrollLeft = Math.min(left - frozen, right - box.clientWidth);
        }
      }
      this.draw();
    }

    /** Scrolls the page so far that the cell where the reader is stands above a line of the window. */
    keepInSight(bottom) {
      const cell = this.element.querySelector(".cell.active") ?? this.element.querySelector(".row.chosen .cell");
      if (!cell) return;
      const { top, bottom: end } = cell.getBoundingClientRect();
      // What stays above: the bar of the page, and the headings.
      const first = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + this.head.offsetHeight;
      const by = end > bottom ? Math.min(end - bottom + this.rowHeight, top - first) : top < first ? top - first : 0;
      if (by) window.scrollBy({ top: by, behavior: "instant" });
    }

    /** Marks a row and brings one of its cells into sight; `false` where it is not among those that are shown. */
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
