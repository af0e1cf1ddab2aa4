/* A box for SQL. A statement in an address is never run by itself. */
(() => {
  const limit = 5000;
  const mostRows = 1000;
  /** Bytes. */
  const largestCopy = 16 << 20;
  /** Statements in an address, and their characters. */
  const [mostAsked, longestAsked] = [10, 4000];
  const { sql, one } = exhibit;

  /** @param {HTMLElement} element */
  const box = (element) => ({
    element, data: element.dataset, number: element.dataset.number ?? "",
    form: one("form", element), area: one("textarea", element), on: /** @type {HTMLSelectElement} */ (one(".on", element)),
    asked: one(".asked", element), earlier: /** @type {HTMLSelectElement} */ (one(".asked select", element)),
    run: /** @type {HTMLButtonElement} */ (one(".run", element)), stop: one(".stop", element), state: one(".state", element),
    status: one(".status", element), problem: one(".problem", element), scroll: one(".scroll", element),
  });

  /** @typedef {ReturnType<typeof box>} Box */

  const boxes = [...document.querySelectorAll(".sql-box")].map(box);
  if (!boxes.length) return;
  /** By the evidence's number.
      @type {Map<string, SQLState>} */
  const states = new Map();
  /** The page holds one database's bytes at most.
      @type {{ key: unknown, connection: SQLConnection } | null} */
  let open = null;
  let isBusy = false;

  // In addresses: `db`, `sql`, and in `asked` earlier statements, newest first.

  /** @returns {string[]} */
  const asked = () => {
    const list = exhibit.parsed(exhibit.addressed().get("asked") ?? "[]");
    // An address can be anything.
    return Array.isArray(list) ? list.filter((statement) => typeof statement === "string").slice(0, mostAsked) : [];
  };

  /** @type {(number: string, statement: string) => void} */
  const note = (number, statement) => {
    const address = exhibit.addressed();
    let room = longestAsked;
    const list = [...new Set([address.get("sql") ?? "", ...asked()])].filter((text) =>
      text && text !== statement && (room -= text.length) >= 0).slice(0, mostAsked);
    address.set("db", number);
    address.set("sql", statement);
    followed = asking(address);
    if (list.length) address.set("asked", JSON.stringify(list));
    else address.delete("asked");
    exhibit.setAddress(`#${address}`);
  };

  /** @param {Box} box */
  const showAsked = (box) => {
    const list = asked();
    box.asked.hidden = !list.length;
    const words = list.map((text) => exhibit.visible(text.slice(0, 500).replace(/\s+/g, " ")).slice(0, 120));
    box.earlier.replaceChildren(new Option("…", ""), ...list.map((text, index) => new Option(words[index], text)));
  };

  /** @type {(box: Box, statement: string) => void} */
  const fill = ({ area }, statement) => {
    area.value = statement;
    area.focus({ preventScroll: true });
  };

  /** @param {URLSearchParams} address */
  const asking = (address) => JSON.stringify([address.get("db"), address.get("sql")]);

  /** The reader is not led there again. */
  let followed = "";
  /** @type {Box | null} */
  let led = null;

  const followAddress = () => {
    const address = exhibit.addressed();
    led = null;
    if (asking(address) === followed) return;
    followed = asking(address);
    const statement = address.get("sql");
    if (statement === null) return;
    led = boxes.find(({ number }) => number === address.get("db")) ?? boxes[0];
    exhibit.unfold(led.element);
    fill(led, statement);
    showAsked(led);
    sql.reveal?.();
  };

  sql.reveal = () => {
    if (led) exhibit.bringIntoSight(led.element, "nearest");
    return led !== null;
  };

  /** @type {(box: Box) => { key: unknown, begin: () => Promise<SQLConnection> }} */
  const chosen = ({ data, number, on }) => {
    /** @type {(pages: string | undefined, bytes: string | undefined) => PageSource} */
    const source = (pages = "", bytes) => sql.pages(pages, Number(bytes));
    const state = states.get(number);
    if (on.value === "before") {
      const before = source(data.before, data.beforeBytes);
      const whole = data.over ? sql.difference(before, source(data.over, data.overBytes)) : before;
      return { key: `before ${number}`, begin: () => sql.open(whole) };
    }
    const transaction = on.value || String(state?.transaction ?? "");
    if (transaction && data.wal) {
      const begin = async () => sql.open(await sql.walState(source(data.raw, data.rawBytes),
        source(data.wal, data.walBytes), Number(transaction)));
      return { key: `transaction ${transaction} of ${number}`, begin };
    }
    const { pages, bytes } = data;
    const statements = Number(bytes) > largestCopy ? null : state?.statements;
    if (!statements) return { key: `captured ${number}`, begin: () => sql.open(source(pages, bytes)) };
    return { key: state, begin: () => sql.copy(source(pages, bytes), statements) };
  };

  /** @param {Box} box */
  const connection = async (box) => {
    await engine.load(box.data.viewer ?? "");
    const { key, begin } = chosen(box);
    if (open && open.key === key) return open.connection;
    open?.connection.close();
    open = null;
    const made = await begin();
    open = { key, connection: made };
    return made;
  };

  sql.setState = (number, state) => {
    const box = boxes.find((box) => box.number === String(number));
    if (!box) return;
    if (state) states.set(box.number, state);
    else states.delete(box.number);
    box.on.value = "";
    const isTooLarge = Boolean(state?.statements) && Number(box.data.bytes) > largestCopy;
    box.state.hidden = !state;
    box.state.textContent = !state ? ""
      : isTooLarge ? `Runs on the database as captured: one of over 16 MiB is not copied to make it as it was ${state.name}.`
      : state.statements ? `Runs on the tables as they were ${state.name}; views, indexes and triggers are those of the end.`
      : state.transaction !== undefined && box.data.wal ? `Runs on the database as it was ${state.name}.`
      : `Runs on the database as captured: ${state.reason ?? "the page has not the WAL’s bytes."}`;
  };

  /** The page gets its turn.
      @returns {Promise<void>} */
  const task = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });

  /** @param {Box} box */
  const run = async (box) => {
    const statement = box.area.value;
    if (isBusy || !statement.trim()) return;
    note(box.number, statement);
    isBusy = true;
    let isStopped = false;
    box.stop.onclick = () => { isStopped = true; };
    box.run.disabled = true;
    box.stop.hidden = false;
    box.problem.hidden = true;
    box.problem.textContent = "";
    box.status.textContent = "Running …";
    try {
      const database = await connection(box);
      const pause = async () => { await task(); return isStopped; };
      const result = await database.run(statement, { rows: mostRows, milliseconds: limit, pause });
      box.status.textContent = sql.summary(result);
      box.scroll.hidden = !result.columns.length;
      box.scroll.replaceChildren(...(result.columns.length ? [sql.table(result)] : []));
      if (result.columns.length) box.status.append(" ", csv.button(() => saveCSV(box, result)));
      box.scroll.scrollTop = 0;
    } catch (error) {
      box.status.textContent = "";
      box.problem.textContent = sql.explain(error, statement, { limit, isStopped });
      box.problem.hidden = false;
      box.scroll.hidden = true;
      // It did not open, or broke off.
      if (!(error instanceof engine.Failure)) open = null;
    } finally {
      isBusy = false;
      box.run.disabled = false;
      box.stop.hidden = true;
      showAsked(box);
      revealAnswer(box);
    }
  };

  /** @type {(box: Box, result: SQLResult) => Promise<void>} */
  const saveCSV = async (box, result) => {
    const missing = result.count > result.rows.length || result.isStopped ? sql.summary(result) : "";
    const said = await csv.save("result", result.columns, result.rows, missing);
    box.status.querySelector(".saved")?.remove();
    box.status.append(exhibit.element("span", "saved", ` ${said}`));
  };

  /** @param {Box} box */
  const revealAnswer = ({ status, problem, scroll }) => {
    const parts = !problem.hidden ? [problem] : scroll.hidden ? [status] : [scroll, status];
    for (const part of parts) exhibit.bringIntoSight(part, "nearest");
  };

  /** Offers the states that lie on disk.
      @param {Box} box */
  const offerStates = ({ on, data: { before, wal, transactions } }) => {
    if (before) on.append(new Option("the database before the test", "before"));
    if (wal) on.append(new Option("the database before the WAL’s transactions", "0"));
    for (let number = 1; wal && number < Number(transactions); number += 1) {
      on.append(new Option(`the database after transaction ${number} of ${transactions} in the WAL`, String(number)));
    }
    if (on.parentElement) on.parentElement.hidden = on.length < 2;
  };

  for (const box of boxes) {
    const { element, form, area, on, earlier } = box;
    element.hidden = false;
    offerStates(box);
    on.addEventListener("change", () => { box.state.hidden = on.value !== "" || !states.has(box.number); });
    form.addEventListener("submit", (event) => { event.preventDefault(); run(box); });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(box); }
      if (event.key === "Escape" && isBusy) box.stop.click();
    });
    for (const example of element.querySelectorAll(".example")) {
      example.addEventListener("click", () => fill(box, example.textContent ?? ""));
    }
    earlier.addEventListener("change", () => {
      if (earlier.value) fill(box, earlier.value);
      earlier.value = "";
    });
    element.addEventListener("toggle", () => showAsked(box));
  }
  exhibit.keys.add("s", "SQL on the database", () => {
    const box = boxes.find(({ element }) => element.parentElement?.checkVisibility());
    if (!box) return;
    exhibit.unfold(box.element);
    box.area.focus();
  });
  // Whoever follows a link twice wants to be led twice.
  document.addEventListener("click", (event) => { if (exhibit.linkOf(event)?.hash.includes("sql=")) followed = ""; });
  exhibit.place.listen(followAddress);
  followAddress();
})();
