/* A list of any length: only the rows in sight are in the page. */
const VirtualList = (() => {
  /** Pixels; browsers cut off higher elements. */
  const highest = 8_000_000;

  exhibit.tall = {
    shown: (height) => Math.min(height, highest),
    scale: (height, room) => height > highest ? (height - room) / (highest - room) : 1,
  };

  return class {
    /** @type {ListRow[]} */
    rows = [];
    shown = "";
    tops = new Float64Array(1);
    height = 0;
    schedule = exhibit.framed(() => this.draw());

    /** @param {HTMLElement} box scrolls; its --row and --heading are rows' heights in pixels
        @param {HTMLElement} list
        @param {(row: ListRow) => HTMLElement} render
        @param {(row: ListRow) => boolean} isHeading */
    constructor(box, list, render, isHeading) {
      this.box = box;
      this.list = list;
      this.render = render;
      this.isHeading = isHeading;
      box.addEventListener("scroll", this.schedule, { passive: true });
      list.addEventListener("focusin", () => this.markStop());
      new ResizeObserver(() => this.refresh()).observe(box);
    }

    /** @param {ListRow[]} rows */
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
      this.rows.forEach((each, index) => { this.tops[index + 1] = this.tops[index] + (this.isHeading(each) ? heading : row); });
      this.height = this.tops[this.rows.length];
      this.list.style.height = `${exhibit.tall.shown(this.height)}px`;
      this.shown = "";
      this.schedule();
    }

    get scale() { return exhibit.tall.scale(this.height, this.box.clientHeight); }

    /** @param {number} index */
    reveal(index) {
      const room = this.box.clientHeight;
      const offset = this.box.scrollTop * this.scale;
      if (this.tops[index] < offset || this.tops[index + 1] > offset + room) {
        this.box.scrollTop = (this.tops[index] - room / 3) / this.scale;
      }
      this.draw();
    }

    /** @param {number} offset */
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
      const offset = this.box.scrollTop * this.scale;
      const first = Math.max(0, this.at(offset) - 6);
      const last = Math.min(this.rows.length, this.at(offset + this.box.clientHeight) + 7);
      this.list.style.paddingTop = `${Math.max(0, this.box.scrollTop + this.tops[first] - offset)}px`;
      if (this.shown === `${first} ${last}`) return;
      this.shown = `${first} ${last}`;
      const focused = document.activeElement;
      const key = focused instanceof HTMLElement && this.list.contains(focused) ? focused.dataset.key : null;
      this.list.replaceChildren(...this.rows.slice(first, last).map((row, place) => exhibit.set(this.render(row), {
        "aria-setsize": this.rows.length, "aria-posinset": first + place + 1, "data-index": first + place,
      })));
      if (key) this.list.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
      this.markStop();
    }

    /** One row is a tab stop: where the reader is, else the open one, else the first. */
    markStop() {
      const rows = [...this.list.querySelectorAll(":is(a, button)")];
      const stop = rows.find((row) => row === document.activeElement) ?? rows.find((row) => row.ariaCurrent === "page") ?? rows[0];
      for (const row of rows) row.tabIndex = row === stop ? 0 : -1;
    }

    /** @param {number} index */
    focus(index) {
      this.reveal(index);
      this.list.querySelector(`[data-index="${index}"] :is(a, button)`)?.focus({ preventScroll: true });
    }

    /** -1 for none. */
    get focused() { return Number(document.activeElement?.closest("[data-index]")?.dataset.index ?? -1); }
  };
})();
