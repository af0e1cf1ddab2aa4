/* A list of any length in a box that scrolls: only the rows in sight are in the page. */
(() => {
  /** Browsers cut off elements that are higher than this, in pixels. */
  const highest = 8_000_000;

  /**
   * @param box what scrolls
   * @param list where the rows go
   * @param render makes the element of a row
   */
  exhibit.VirtualList = class {
    constructor(box, list, render) {
      this.box = box;
      this.list = list;
      this.render = render;
      this.rows = [];
      this.shown = "";
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
      this.rowHeight = parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 40;
      this.height = this.rows.length * this.rowHeight;
  // Two pixels are the box's border.
      this.box.style.maxHeight = `${Math.min(this.height, highest) + 2}px`;
      this.list.style.height = `${Math.min(this.height, highest)}px`;
      this.shown = "";
      this.schedule();
    }

    /** Scrolls until a row is in sight. */
    reveal(index) {
      const room = this.box.clientHeight;
      const top = index * this.rowHeight - room / 2;
      this.box.scrollTop = this.height > highest ? (top * (highest - room)) / (this.height - room) : top;
      this.draw();
    }

    schedule() {
      if (this.scheduled) return;
      this.scheduled = true;
      requestAnimationFrame(() => { this.scheduled = false; this.draw(); });
    }

    draw() {
      const room = this.box.clientHeight;
      // Where the list is too high to be true, the scroll bar stands for a share of it.
      const scale = this.height > highest ? (this.height - room) / (highest - room) : 1;
      const offset = this.box.scrollTop * scale;
      const first = Math.max(0, Math.floor(offset / this.rowHeight) - 6);
      const last = Math.min(this.rows.length, Math.ceil((offset + room) / this.rowHeight) + 6);
      const top = this.box.scrollTop + first * this.rowHeight - offset;
      this.list.style.paddingTop = `${Math.max(0, top)}px`;
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
        items.push(item);
      }
      this.list.replaceChildren(...items);
      if (focused) this.list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
  };
})();
