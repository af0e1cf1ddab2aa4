/* The box for statements beside a database: what it asks, on which state, and what it shows. A statement in an address
   is filled in, never run. */
(() => {
  const limit = 5000;
  const mostRows = 1000;
  /** Bytes of a database that may be copied into memory, for states that have to be made. */
  const largestCopy = 16 << 20;
  /** Statements, and characters of them, that an address keeps beside the one that it leads to. */
  const [mostAsked, longestAsked] = [10, 4000];

  const boxes = [...document.querySelectorAll(".sql-box")];
  if (!boxes.length) return;
  /** By the number of the evidence: the state that statements run on; none is the captured one. */
  const states = new Map();
  /** What is open: one database, so that the page holds the bytes of one. */
  let open = null;
  let isBusy = false;

  // ---- The address: `db`, `sql`, and in `asked` what was asked before, newest first ----

  const readAddress = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

  const asked = () => {
    try {
      const list = JSON.parse(readAddress().get("asked") ?? "[]");
      return Array.isArray(list) ? list.filter((statement) => typeof statement === "string").slice(0, mostAsked) : [];
    } catch {
      return []; // An address can be anything.
    }
  };

  const note = (number, statement) => {
    const address = readAddress();
    const before = address.get("sql");
    let room = longestAsked;
    const list = [before, ...asked()].filter((text, index, all) =>
      text && text !== statement && all.indexOf(text) === index && (room -= text.length) >= 0).slice(0, mostAsked);
    address.set("db", number);
    address.set("sql", statement);
    followed = asking(address);
    if (list.length) address.set("asked", JSON.stringify(list));
    else address.delete("asked");
    exhibit.setAddress(`#${address}`);
  };

  const showAsked = (box) => {
    const list = asked();
    const label = box.querySelector(".asked");
    label.hidden = !list.length;
    label.querySelector("select").replaceChildren(new Option("…", ""), ...list.map((text) => new Option(exhibit.visible(text.slice(0, 500).replace(/\s+/g, " ")).slice(0, 120), text)));
  };

  const fill = (box, statement) => {
    const area = box.querySelector("textarea");
    area.value = statement;
    area.focus({ preventScroll: true });
  };

  /** The statement of an address and its database. */
  const asking = (address) => JSON.stringify([address.get("db"), address.get("sql")]);

  /** The last one that the reader was led to: what else changes of the address does not lead to the box again. */
  let followed = "";
  let led = null;

  const followAddress = () => {
    const address = readAddress();
    led = null;
    if (asking(address) === followed) return;
    followed = asking(address);
    if (!address.has("sql")) return;
    const number = address.get("db");
    const box = boxes.find((box) => box.dataset.number === number) ?? boxes[0];
    exhibit.unfold(box);
    fill(box, address.get("sql"));
    showAsked(box);
    led = box;
    exhibit.sql.reveal();
  };

  /** Has the box in sight that the address has just led to, as often as what is above it grows; tells whether there is one. */
  exhibit.sql.reveal = () => {
    led?.scrollIntoView({ block: "nearest", behavior: "instant" });
    return led !== null;
  };

  // ---- The database ----

  /** What a box runs on: a key to know it by, and how it is opened. */
  const chosen = (box) => {
    const { number, pages, bytes, before, beforeBytes, raw, rawBytes, wal, walBytes } = box.dataset;
    const source = (pages, bytes) => new exhibit.sql.Pages(pages, Number(bytes));
    const on = box.querySelector(".on").value;
    const state = states.get(number);
    if (on === "before") return { key: `before ${number}`, begin: () => exhibit.sql.open(source(before, beforeBytes)) };
    const transaction = on || String(state?.transaction ?? "");
    if (transaction && wal) {
      const begin = async () => exhibit.sql.open(
        await new exhibit.sql.WALState(source(raw, rawBytes), source(wal, walBytes), Number(transaction)).begin());
      return { key: `transaction ${transaction} of ${number}`, begin };
    }
    if (!state?.statements || Number(bytes) > largestCopy) return { key: `captured ${number}`, begin: () => exhibit.sql.open(source(pages, bytes)) };
    return { key: state, begin: () => exhibit.sql.copy(source(pages, bytes), state.statements) };
  };

  const connection = async (box) => {
    await exhibit.sql.load(box.dataset.viewer);
    const { key, begin } = chosen(box);
    if (open?.key === key) return open.connection;
    close();
    open = { key, connection: await begin() };
    return open.connection;
  };

  const close = () => {
    open?.connection.close();
    open = null;
  };

  /** Has a database's box run on another state than the captured one: that after a `transaction` of its WAL, counted
      from 1, or one that `statements` of `{ sql, values }` make of the captured one, in a copy. `name` says which it is,
      `reason` why it is none of them. Null leads back. */
  exhibit.sql.setState = (number, state) => {
    const box = boxes.find((box) => box.dataset.number === String(number));
    if (!box) return;
    if (state) states.set(String(number), state);
    else states.delete(String(number));
    box.querySelector(".on").value = "";
    const isTooLarge = Boolean(state?.statements) && Number(box.dataset.bytes) > largestCopy;
    const line = box.querySelector(".state");
    line.hidden = !state;
    line.textContent = !state ? ""
      : isTooLarge ? `Runs on the database as captured: one of over 16 MiB is not copied to make it as it was ${state.name}.`
      : state.statements ? `Runs on the tables as they were ${state.name}; views, indexes and triggers are those of the end.`
      : state.transaction !== undefined && box.dataset.wal ? `Runs on the database as it was ${state.name}.`
      : `Runs on the database as captured: ${state.reason ?? "the page has not the WAL’s bytes."}`;
  };

  // ---- Running ----

  const task = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });

  const run = async (box) => {
    const statement = box.querySelector("textarea").value;
    if (isBusy || !statement.trim()) return;
    const ui = parts(box);
    note(box.dataset.number, statement);
    isBusy = true;
    let isStopped = false;
    ui.stop.onclick = () => { isStopped = true; };
    begin(ui);
    try {
      const database = await connection(box);
      const pause = async () => { await task(); return isStopped; };
      show(ui, await database.run(statement, { rows: mostRows, milliseconds: limit, pause }));
    } catch (error) {
      ui.status.textContent = "";
      ui.problem.textContent = exhibit.sql.explain(error, statement, { limit, isStopped });
      ui.problem.hidden = false;
      // What did not open, or broke off, is not gone on with.
      if (!(error instanceof exhibit.sql.Failure)) open = null;
    } finally {
      isBusy = false;
      end(box, ui);
      revealAnswer(ui);
    }
  };

  const parts = (box) => Object.fromEntries(
    ["run", "stop", "status", "problem", "scroll"].map((name) => [name, box.querySelector(`.${name}`)]));

  const begin = (ui) => {
    ui.run.disabled = true;
    ui.stop.hidden = false;
    ui.problem.hidden = true;
    ui.problem.textContent = "";
    ui.status.textContent = "Running …";
  };

  const end = (box, ui) => {
    ui.run.disabled = false;
    ui.stop.hidden = true;
    if (!ui.problem.hidden) ui.scroll.hidden = true;
    showAsked(box);
  };

  /** Has the answer in sight, and where it is higher than the window its beginning. */
  const revealAnswer = ({ status, problem, scroll }) => {
    const [first, last] = !problem.hidden ? [problem, problem] : [status, scroll.hidden ? status : scroll];
    for (const part of [last, first]) part.scrollIntoView({ block: "nearest", behavior: "instant" });
  };

  const show = (ui, result) => {
    ui.status.textContent = exhibit.sql.summary(result);
    ui.scroll.hidden = !result.columns.length;
    ui.scroll.replaceChildren(...(result.columns.length ? [exhibit.sql.table(result)] : []));
    ui.scroll.scrollTop = 0;
  };

  // ---- Beginning ----

  /** The states that lie on disk. */
  const offerStates = (box) => {
    const select = box.querySelector(".on");
    const { before, wal, transactions } = box.dataset;
    if (before) select.append(new Option("the database before the test", "before"));
    if (wal) {
      select.append(new Option("the database before the WAL’s transactions", "0"));
      for (let number = 1; number < Number(transactions); number += 1) {
        select.append(new Option(`the database after transaction ${number} of ${transactions} in the WAL`, String(number)));
      }
    }
    select.parentElement.hidden = select.length < 2;
  };

  for (const box of boxes) {
    box.hidden = false;
    offerStates(box);
    box.querySelector(".on").addEventListener("change", ({ target }) => {
      box.querySelector(".state").hidden = target.value !== "" || !states.has(box.dataset.number);
    });
    const area = box.querySelector("textarea");
    box.querySelector("form").addEventListener("submit", (event) => { event.preventDefault(); run(box); });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(box); }
      if (event.key === "Escape" && isBusy) parts(box).stop.click();
    });
    for (const example of box.querySelectorAll(".example")) {
      example.addEventListener("click", () => fill(box, example.textContent));
    }
    box.querySelector(".asked select").addEventListener("change", ({ target }) => {
      if (target.value) fill(box, target.value);
      target.value = "";
    });
    box.addEventListener("toggle", () => showAsked(box));
  }
  exhibit.keys?.add("s", "SQL on the database", () => {
    const box = boxes.find((box) => box.parentElement.checkVisibility());
    if (!box) return;
    exhibit.unfold(box);
    box.querySelector("textarea").focus();
  });
  // Whoever follows a link twice wants to be led twice.
  document.addEventListener("click", ({ target }) => { if (target.closest?.("a")?.hash.includes("sql=")) followed = ""; });
  exhibit.place.listen(followAddress);
  followAddress();
})();
