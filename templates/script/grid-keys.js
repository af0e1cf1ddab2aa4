/* Keys and clicks in a grid: arrows go from cell to cell, Enter shows one whole or sorts, Shift and arrows on a heading
   change its width. */
(() => {
  exhibit.gridKeys = (grid) => {
    const page = () => Math.max(1, Math.floor((grid.element.clientHeight - grid.head.offsetHeight) / grid.rowHeight) - 1);

    const moves = {
      ArrowUp: ({ row, column }) => [row - 1, column],
      ArrowDown: ({ row, column }) => [row + 1, column],
      ArrowLeft: ({ row, column }) => [row, column - 1],
      ArrowRight: ({ row, column }) => [row, column + 1],
      PageUp: ({ row, column }) => [Math.max(0, row - page()), column],
      PageDown: ({ row, column }) => [row + page(), column],
      Home: ({ row }) => [row, 0],
      End: ({ row }) => [row, grid.order.length - 1],
    };

    const act = () => {
      const { row, column } = grid.active;
      if (row < 0) grid.sortNext(column);
      else if (grid.rows[row]) grid.events.open?.(grid.rows[row], grid.order[column], true);
    };

    const widen = (event) => {
      const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (!event.shiftKey || grid.active.row >= 0 || !by) return false;
      grid.widen(grid.active.column, by);
      return true;
    };

    const move = (event) => {
      if (!Object.hasOwn(moves, event.key)) return false;
      if (event.ctrlKey && event.key === "Home") grid.go(0, 0);
      else if (event.ctrlKey && event.key === "End") grid.go(grid.rows.length - 1, grid.order.length - 1);
      else if (event.ctrlKey || event.shiftKey) return false;
      else grid.go(...moves[event.key](grid.active));
      return true;
    };

    grid.element.addEventListener("keydown", (event) => {
      if (event.target !== grid.element || event.altKey || event.metaKey) return;
      if (event.key === "Enter") act();
      else if (!widen(event) && !move(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });

    grid.body.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-place]");
      if (!cell || event.target.closest("a") || event.ctrlKey || event.metaKey) return;
      // A text that is being selected is not a cell that is to be opened.
      if (String(getSelection())) return;
      const row = Number(cell.parentElement.dataset.index);
      grid.go(row, Number(cell.dataset.place));
      grid.events.open?.(grid.rows[row], grid.order[grid.active.column], false);
    });
  };
})();
