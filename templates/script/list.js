/* A list of any length in a box that scrolls: only the rows in sight are in the page. */
(() => {
  /** Browsers cut off elements that are higher than this, in pixels. */
  const highest = 8_000_000;

  /**
   * @param box what scrolls; its variables --row and --heading are the heights of rows in pixels
   * @param list where the rows go
   * @param render makes the element of a row
   * @param isHeading tells which rows are headings
   */
  exhibit.VirtualList = class {
    constructor(box, list, render, isHeading = () => false) {
      Object.assign(this, { box, list, render, isHeading, rows: [], shown: "", tops: new Float64Array(1) });
      box.addEventListener("scroll", () => this.schedule(), { passive: true });
      new ResizeObserver(() => this.refresh()).observe(box);
    }

    /** Shows other rows, from the first on unless `keepsPlace`. */
    set(rows, keepsPlace = false) {
      this.rows = rows;
      this.refresh();
      if (!keepsPlace) this.box.scrollTop = 0;
      this.draw();
    }

    refresh() {
      const style = getComputedStyle(this.box);
      const row = parseFloat(style.getPropertyValue("--row")) || 40;
      const heading = parseFloat(style.getPropertyValue("--heading")) || row;
      this.tops = new Float64Array(this.rows.length + 1);
      for (let index = 0; index < this.rows.length; index += 1) {
        this.tops[index + 1] = this.tops[index] + (this.isHeading(this.rows[index]) ? heading : row);
      }
      this.height = this.tops[this.rows.length];
      this.list.style.height = `${Math.min(this.height, highest)}px`;
      this.shown = "";
      this.schedule();
    }

    /** Where a list that is too high to be true has its scroll bar stand for a share of it. */
    get scale() {
      const room = this.box.clientHeight;
      return this.height > highest ? (this.height - room) / (highest - room) : 1;
    }

    /** Scrolls until a row is in sight, and not at all where it is. */
    reveal(index) {
      const room = this.box.clientHeight;
      const offset = this.box.scrollTop * this.scale;
      if (this.tops[index] < offset || this.tops[index + 1] > offset + room) {
        this.box.scrollTop = (this.tops[index] - room / 3) / this.scale;
      }
      this.draw();
    }

    schedule() {
      if (this.scheduled) return;
      this.scheduled = true;
      requestAnimationFrame(() => { this.scheduled = false; this.draw(); });
    }

    /** The row at so many pixels. */
    at(offset) {
      let [low, high] = [0, this.rows.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.tops[middle + 1] <= offset) low = middle + 1;
        else high = middle;
      }
      return low;
    }

    draw() {
      const room = this.box.clientHeight;
      const offset = this.box.scrollTop * this.scale;
      const first = Math.max(0, this.at(offset) - 6);
      const last = Math.min(this.rows.length, this.at(offset + room) + 7);
      this.list.style.paddingTop = `${Math.max(0, this.box.scrollTop + this.tops[first] - offset)}px`;
      if (this.shown === `${first} ${last}`) return;
      this.shown = `${first} ${last}`;
      this.replace(first, last);
    }

    replace(first, last) {
      const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
      const items = [];
      for (let index = first; index < last; index += 1) {
        const item = this.render(this.rows[index], index);
        item.setAttribute("aria-setsize", this.rows.length);
        item.setAttribute("aria-posinset", index + 1);
        item.dataset.index = index;
        items.push(item);
      }
      this.list.replaceChildren(...items);
      if (focused) this.list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }

    /** Moves the focus to a row. */
    focus(index) {
      this.reveal(index);
      this.list.querySelector(`[data-index="${index}"] :is(a, button)`)?.focus({ preventScroll: true });
    }

    /** The row that has the focus; -1 when none has. */
    get focused() { return Number(document.activeElement.closest?.("[data-index]")?.dataset.index ?? -1); }
  };
})();
