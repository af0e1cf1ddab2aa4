/* The columns of a grid: headings that sort, and widths that the reader changes by dragging, double click and keys. */
(() => {
  /** Pixels. */
  const [narrowest, widest, roomiest] = [56, 320, 1600];
  /** What stands around a cell's text, and of a letter on average. */
  const [padding, letter] = [26, 7.6];
  /** Texts of a column that are measured: the longest. */
  const mostMeasured = 4;
  /** Pixels that a heading asks for at most: the values below it stay in sight. */
  const widestHeading = 170;
  const canvas = document.createElement("canvas").getContext("2d");

  exhibit.gridColumns = (grid) => {
    grid.widths = [];

    /** A width for each column, by what its first values need. */
    grid.measure = () => {
      grid.widths = grid.table.columns.map((column, index) => width(column, column.sample ?? [], index, widest));
    };

    const width = (column, values, index, most) => {
      // The sign of the order, in bold letters, and that of a marked row.
      const heading = 1.1 * column.name.length + 2;
      const sign = grid.marks.size && index === grid.order[0] ? 3 : 0;
      const refers = (grid.table.foreignKeys ?? []).some(({ columns }) => columns.includes(index)) ? 14 : 0;
      const text = Math.max(Math.min(heading * letter, widestHeading), widthOf(values, column) + (refers + sign) * letter) + padding;
      return Math.round(Math.min(most, Math.max(narrowest, text)));
    };

    const widthOf = (values, column) => {
      const texts = values.map((value) => exhibit.shortUUID(exhibit.cell.meaning(value, column) ?? exhibit.cell.text(value, column).slice(0, 300)));
      texts.sort((one, other) => other.length - one.length);
      const style = getComputedStyle(grid.element);
      canvas.font = `${style.fontSize} ${style.fontFamily}`;
      return Math.max(0, ...texts.slice(0, mostMeasured).map((text) => canvas.measureText(text).width));
    };

    grid.heading = (place) => {
      const index = grid.order[place];
      const column = grid.table.columns[index];
      const cell = exhibit.element("div", `cell${column.isNumeric && !column.clock && !grid.refers.has(index) ? " number" : ""}${place === 0 ? " first" : ""}`,
        exhibit.element("bdi", "name", exhibit.visible(column.name.slice(0, 200))));
      const direction = grid.sorted?.column === index ? grid.sorted.direction : 0;
      cell.setAttribute("role", "columnheader");
      cell.setAttribute("aria-colindex", place + 1);
      cell.setAttribute("aria-sort", { 1: "ascending", "-1": "descending", 0: "none" }[direction]);
      cell.id = `${grid.id}-head-${place}`;
      cell.dataset.place = place;
      cell.title = [exhibit.visible(column.name.slice(0, 200)), column.type, column.clock ? column.clock.words : "",
        column.isGenerated ? "generated" : ""].filter(Boolean).join(" · ");
      cell.style.width = `${grid.widths[index]}px`;
      if (place > 0) cell.style.left = `${grid.offsets[place]}px`;
      const sign = exhibit.element("span", "order", { 1: "▲", "-1": "▼", 0: "" }[direction]);
      sign.setAttribute("aria-hidden", "true");
      const handle = exhibit.element("span", "handle");
      handle.setAttribute("aria-hidden", "true");
      cell.append(sign, handle);
      return cell;
    };

    /** Up, down, then as the table has its rows. */
    grid.sortNext = (place) => {
      const column = grid.order[place];
      const direction = grid.sorted?.column === column ? { 1: -1, "-1": 0 }[grid.sorted.direction] : 1;
      grid.sort(column, direction);
      grid.events.sort?.(column, direction);
    };

    grid.widen = (place, by) => setWidth(place, grid.widths[grid.order[place]] + by);

    const setWidth = (place, width) => {
      grid.widths[grid.order[place]] = Math.round(Math.min(roomiest, Math.max(narrowest, width)));
      grid.lay();
    };

    /** As wide as its longest value needs. */
    const fit = (place) => {
      const index = grid.order[place];
      setWidth(place, width(grid.table.columns[index], grid.rows.slice(0, 20_000).map((row) => row[index]), index, roomiest));
    };

    const placeOf = (event) => {
      const place = event.target.closest?.("[data-place]")?.dataset.place;
      return place === undefined ? null : Number(place);
    };

    grid.head.addEventListener("click", (event) => {
      const place = placeOf(event);
      if (place === null || event.target.closest(".handle")) return;
      grid.active = { row: -1, column: place };
      grid.sortNext(place);
    });

    grid.head.addEventListener("dblclick", (event) => {
      if (event.target.closest(".handle")) fit(placeOf(event));
    });

    grid.head.addEventListener("pointerdown", (event) => {
      if (!event.target.closest(".handle")) return;
      event.preventDefault();
      const place = placeOf(event);
      const [start, width] = [event.clientX, grid.widths[grid.order[place]]];
      const move = (moved) => setWidth(place, width + moved.clientX - start);
      const end = () => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", end);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
    });
  };
})();
