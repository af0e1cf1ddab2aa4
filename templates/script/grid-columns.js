/* The columns of a grid: headings that sort, and widths that the reader changes by dragging, double click and keys. */
(() => {
  /** Pixels. */
  const [narrowest, widest, roomiest] = [56, 320, 1600];
  /** Of a letter on average, and what stands around a cell's text. */
  const [letter, padding] = [7.6, 26];

  exhibit.gridColumns = (grid) => {
    grid.widths = [];

    /** A width for each column, by what its first values need. */
    grid.measure = () => {
      grid.widths = grid.table.columns.map((column, index) => width(column, column.sample ?? [], index, widest));
    };

    const width = (column, values, index, most) => {
      // The sign of the order, and that of a marked row.
      const heading = column.name.length + 2;
      const sign = grid.marks.size && index === grid.order[0] ? 3 : 0;
      const refers = (grid.table.foreignKeys ?? []).some(({ columns }) => columns.includes(index)) ? 14 : 0;
      const longest = values.reduce((length, value) => Math.max(length, letters(value, column)), 0);
      const text = Math.max(heading, longest + refers + sign) * letter + padding;
      return Math.round(Math.min(most, Math.max(narrowest, text)));
    };

    const letters = (value, column) =>
      (exhibit.cell.meaning(value, column) ?? exhibit.cell.text(value, column)).length;

    grid.heading = (place) => {
      const index = grid.order[place];
      const column = grid.table.columns[index];
      const cell = exhibit.element("div", `cell${column.isNumeric && !column.clock && !grid.refers.has(index) ? " number" : ""}${place === 0 ? " first" : ""}`,
        exhibit.element("bdi", "name", column.name.slice(0, 200)));
      const direction = grid.sorted?.column === index ? grid.sorted.direction : 0;
      cell.setAttribute("role", "columnheader");
      cell.setAttribute("aria-colindex", place + 1);
      cell.setAttribute("aria-sort", { 1: "ascending", "-1": "descending", 0: "none" }[direction]);
      cell.id = `${grid.id}-head-${place}`;
      cell.dataset.place = place;
      cell.title = [column.name.slice(0, 200), column.type, column.clock ? column.clock.words : "",
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
