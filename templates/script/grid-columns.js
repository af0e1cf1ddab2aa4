/* A grid's headings, which sort, and widths. */
const gridColumns = (() => {
  /** Pixels. */
  const [narrowest, widest, roomiest] = [56, 320, 1600];
  /** Pixels. */
  const [padding, letter] = [26, 7.6];
  const mostMeasured = 4;
  /** Pixels. */
  const widestHeading = 170;
  const canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  /** @type {Record<string, [order: string, sign: string]>} */
  const directions = { 1: ["ascending", "▲"], "-1": ["descending", "▼"], 0: ["none", ""] };

  return (/** @type {Grid} */ grid) => {
    /** @type {(index: number, values: Value[], most: number) => number} */
    const width = (index, values, most) => {
      const { table } = grid;
      const column = table.columns[index];
      const texts = values.map((value) =>
        exhibit.shortUUID(cells.meaning(value, column) ?? cells.text(value, column).slice(0, 300)));
      texts.sort((one, other) => other.length - one.length);
      const { fontSize, fontFamily } = getComputedStyle(grid.element);
      canvas.font = `${fontSize} ${fontFamily}`;
      const longest = Math.max(0, ...texts.slice(0, mostMeasured).map((text) => canvas.measureText(text).width));
      const heading = 1.1 * column.name.length + 2;
      const sign = grid.marks.size && index === grid.order[0] ? 3 : 0;
      const refers = table.foreignKeys.some(({ columns }) => columns.includes(index)) ? 14 : 0;
      const room = Math.max(Math.min(heading * letter, widestHeading), longest + (refers + sign) * letter) + padding;
      return Math.round(Math.min(most, Math.max(narrowest, room)));
    };

    /** @type {(place: number, width: number) => void} */
    const setWidth = (place, width) => {
      columns.widths[grid.order[place]] = Math.round(Math.min(roomiest, Math.max(narrowest, width)));
      grid.lay();
    };

    /** @param {Event} event */
    const placeOf = (event) => Number(exhibit.around(event, "[data-place]")?.dataset.place ?? -1);

    const columns = {
      /** Pixels, by the column's index. */
      widths: /** @type {number[]} */ ([]),

      measure() {
        columns.widths = grid.table.columns.map(({ sample = [] }, index) => width(index, sample, widest));
      },

      /** @param {HTMLElement} cell @param {number} place */
      stand(cell, place) {
        exhibit.set(cell, { "aria-colindex": place + 1, "data-place": place });
        cell.style.width = `${columns.widths[grid.order[place]]}px`;
        if (place > 0) cell.style.left = `${grid.offsets[place]}px`;
        else cell.classList.add("first");
      },

      /** @param {number} place */
      heading(place) {
        const index = grid.order[place];
        const { name, type, clock, isNumeric, isGenerated } = grid.table.columns[index];
        const [order, sign] = directions[grid.sorted?.column === index ? grid.sorted.direction : 0];
        const text = exhibit.element("bdi", "name", exhibit.visible(name.slice(0, 200)));
        const cell = exhibit.element("div", {
          class: `cell${isNumeric && !clock && !grid.refers.has(index) ? " number" : ""}`,
          role: "columnheader", "aria-sort": order, id: `${grid.id}-head-${place}`,
          title: [text.textContent, type, clock?.words, isGenerated && "generated"].filter(Boolean).join(" · "),
        }, text, exhibit.sign("order", sign), exhibit.sign("handle", ""));
        columns.stand(cell, place);
        return cell;
      },

      /** @param {number} place */
      sortNext(place) {
        const column = grid.order[place];
        const direction = grid.sorted?.column !== column ? 1 : grid.sorted.direction > 0 ? -1 : 0;
        grid.sort(column, direction);
        grid.events.sort?.(column, direction);
      },

      /** @param {number} place @param {number} by */
      widen: (place, by) => setWidth(place, columns.widths[grid.order[place]] + by),
    };

    exhibit.set(grid.head, {
      click(event) {
        const place = placeOf(event);
        if (place < 0 || exhibit.around(event, ".handle")) return;
        grid.active = { row: -1, column: place };
        columns.sortNext(place);
      },
      dblclick(event) {
        const place = placeOf(event);
        const index = grid.order[place];
        const values = grid.rows.slice(0, 20_000).map((row) => row[index]);
        if (exhibit.around(event, ".handle")) setWidth(place, width(index, values, roomiest));
      },
      pointerdown(event) {
        if (!exhibit.around(event, ".handle")) return;
        event.preventDefault();
        const place = placeOf(event);
        const start = columns.widths[grid.order[place]] - event.clientX;
        const dragging = new AbortController();
        const { signal } = dragging;
        window.addEventListener("pointermove", ({ clientX }) => setWidth(place, start + clientX), { signal });
        window.addEventListener("pointerup", () => dragging.abort(), { signal });
      },
    });
    return columns;
  };
})();
