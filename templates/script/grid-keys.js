/* Keys and clicks in a grid. */
const gridKeys = (/** @type {Grid} */ grid) => {
  const page = () => Math.max(1, Math.floor((grid.element.clientHeight - grid.head.offsetHeight) / grid.rowHeight) - 1);

  /** @type {Record<string, (active: Grid["active"]) => [row: number, column: number]>} */
  const moves = {
    ArrowUp: ({ row, column }) => [row - 1, column],
    ArrowDown: ({ row, column }) => [row + 1, column],
    ArrowLeft: ({ row, column }) => [row, column - 1],
    ArrowRight: ({ row, column }) => [row, column + 1],
    PageUp: ({ row, column }) => [Math.max(0, row - page()), column],
    PageDown: ({ row, column }) => [row + page(), column],
    Home: ({ row }) => [row, 0],
    End: ({ row }) => [row, Infinity],
  };
  /** @type {typeof moves} */
  const farMoves = { Home: () => [0, 0], End: () => [Infinity, Infinity] };
  /** @type {Record<string, number>} */
  const widths = { ArrowLeft: -16, ArrowRight: 16 };

  /** @param {KeyboardEvent} event */
  const press = ({ key, ctrlKey, shiftKey }) => {
    const { row, column } = grid.active;
    const move = ctrlKey ? farMoves[key] : shiftKey ? undefined : moves[key];
    if (key === "Enter" && row < 0) grid.columns.sortNext(column);
    else if (key === "Enter") open(true);
    else if (shiftKey && row < 0 && widths[key]) grid.columns.widen(column, widths[key]);
    else if (move) grid.go(...move(grid.active));
    else return false;
    return true;
  };

  /** @param {boolean} takesFocus */
  const open = (takesFocus) => {
    const row = grid.rows[grid.active.row];
    if (row) grid.events.open?.(row, grid.order[grid.active.column], takesFocus);
  };

  grid.element.addEventListener("keydown", (event) => {
    if (event.target !== grid.element || event.altKey || event.metaKey || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  grid.body.addEventListener("click", (event) => {
    const cell = exhibit.around(event, "[data-place]");
    if (!cell || exhibit.around(event, "a") || event.ctrlKey || event.metaKey) return;
    // The reader may be selecting text.
    if (String(getSelection())) return;
    grid.go(Number(cell.parentElement?.dataset.index), Number(cell.dataset.place));
    open(false);
  });
};
