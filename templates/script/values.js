/* Finds a value in all failures: data/values.js. */
(() => {
  /** Files of 256 kB, and results. */
  const [mostFiles, mostHits] = [128, 60];
  /** @type {ValuesIndex | undefined} */
  let index;
  /** @type {Promise<void> | undefined} */
  let reading;

  exhibit.values = (read) => { index = read; };

  const read = () => reading ??= exhibit.readFile(`${exhibit.base}data/values.js`).then(() => {
    if (!index) throw new Error("data/values.js is not whole");
  });

  /** Where tests have a database, by its rows' name. */
  const placesOfDatabases = () => {
    const places = (index?.tests ?? []).flatMap(([page, title, own]) => own.map(([number, id, name]) => ({ page, title, number, id, name })));
    return exhibit.byName(places, ({ id }) => id);
  };

  /** @type {(page: string, fragment: string) => string} */
  const address = (page, fragment) => exhibit.base + (page.includes("#") ? page : page + fragment);

  /** @param {string} text */
  const inSteps = (text) => {
    const word = exhibit.foldedText(text);
    /** @type {Hit[]} */
    const found = [];
    let more = 0;
    for (const [page, title, , steps] of index?.tests ?? []) {
      for (const [number, isShown, ...texts] of steps) {
        const holding = texts.find((each) => exhibit.foldedText(each).includes(word));
        if (holding === undefined) continue;
        if (found.length >= mostHits) {
          more += 1;
          continue;
        }
        found.push({
          title: around(holding, word), where: `${title} · step ${number}${isShown ? "" : ", which its page counts only"}`,
          href: address(page, isShown ? `#step-${number}` : ""),
        });
      }
    }
    return { found, more };
  };

  /** @type {(text: string, sought: string) => string} */
  const around = (text, sought) => {
    const start = Math.max(0, exhibit.foldedText(text).indexOf(sought) - 30);
    return `${start ? "…" : ""}${text.slice(start, start + 120)}`;
  };

  /** `cut` counts what is here in part.
      @type {(id: string, places: { page: string, title: string, number: string, name: string }[], text: string, room: number, cut: { tables: number, values: number }) => Promise<Hit[]>} */
  const inDatabase = async (id, places, text, room, cut) => {
    const database = await databases.get(id, exhibit.base);
    const [{ page, title, number, name }] = places;
    const others = places.length > 1 ? `, and ${exhibit.counted(places.length - 1, "other")}` : "";
    /** @type {Hit[]} */
    const found = [];
    for (const table of database.tables) {
      if (table.kind === "shadow") continue;
      const rows = table.parts?.length ? await database.rows(table) : [];
      if (table.note || table.problem) cut.tables += 1;
      if (!rows.length) continue;
      for (const row of rows) for (const value of row) if (cells.isCut(value)) cut.values += 1;
      // Quoted, no sign in it is a filter's.
      const sought = exhibit.sqlQuoted(text);
      for (const row of await exhibit.rowsWith(table, rows, sought)) {
        if (found.length >= room) return found;
        const at = Math.max(0, exhibit.columnWith(table, row, sought));
        const rowName = databases.rowName(table, row);
        found.push({
          title: around(cells.text(row[at], table.columns[at]), exhibit.foldedText(text)),
          where: `${title}${others} · ${[table.name, rowName].filter(Boolean).join(" ")} · ${table.columns[at].name} · ${name}`,
          href: address(page, exhibit.place.link({ db: number, table: table.name, row: rowName, column: table.columns[at].name })),
        });
      }
    }
    return found;
  };

  /** @param {Database} database */
  const files = ({ tables }) => new Set(tables.flatMap(({ parts }) => (parts ?? []).map(([file]) => file))).size;

  exhibit.findValues = async (text, isWanted) => {
    await read();
    const { found, more } = inSteps(text);
    const cut = { tables: 0, values: 0 };
    const all = placesOfDatabases();
    let [room, looked] = [mostFiles, 0];
    /** @type {string[]} */
    const lost = [];
    for (const [id, places] of all) {
      if (!isWanted()) break;
      try {
        const count = files(await databases.get(id, exhibit.base));
        if (count > room) break;
        room -= count;
        if (found.length < 2 * mostHits) found.push(...await inDatabase(id, places, text, 2 * mostHits - found.length, cut));
        looked += 1;
      } catch (error) {
        lost.push(exhibit.reason(error));
      }
    }
    const notes = [
      looked + lost.length < all.size ? `${looked} of ${exhibit.counted(all.size, "database")}; more than 32 MB are not read` : "",
      lost.length ? `${exhibit.counted(lost.length, "database")} cannot be read: ${lost[0]}` : "",
      cut.tables ? `${exhibit.counted(cut.tables, "table")} in part` : "",
      cut.values ? `${exhibit.counted(cut.values, "long value")} in part` : "",
      index?.omitted ? `${exhibit.counted(index.omitted, "step")} left out` : "",
      index?.cut ? `${exhibit.counted(index.cut, "step")} in part` : "",
      more ? `${exhibit.counted(more, "more step")} with it` : "",
      found.length >= 2 * mostHits ? `the first ${found.length}` : "",
    ].filter(Boolean);
    return { found, note: notes.join("; ") };
  };

  const { search } = exhibit;
  const nav = document.getElementById("list");
  if (!nav || !search || nav.dataset.values === undefined) return;
  let isOn = false;
  const failures = Number(nav.dataset.failures);
  const words = failures === 1 ? "Search rows of the failure" : `Search rows of all ${exhibit.grouped(failures)} failures`;
  const button = exhibit.button("filter", words, () => {
    isOn = !isOn;
    exhibit.set(button, { "aria-pressed": String(isOn) });
    if (isOn && !search.input.value) search.focus();
    search.ask();
  }, { "aria-pressed": "false", title: "Looks for the text in the databases and steps of all failed tests" });
  document.querySelector("#list .quick")?.append(button);

  search.providers.push({
    title: "In all failures",
    async find(text) {
      if (!isOn || text.length < 2) return [];
      const asked = search.input.value;
      button.textContent = "reading …";
      try {
        const { found, note } = await exhibit.findValues(text, () => isOn && asked === search.input.value);
        this.title = `In all failures${note ? ` (${note})` : ""}`;
        const nothing = note ? "Nothing was found in what was looked at" : "No value of a failure holds it";
        return found.length ? found : [{ title: nothing, where: note, href: "#list" }];
      } catch (error) {
        return [{ title: "The values cannot be read", where: exhibit.reason(error), href: "#list" }];
      } finally {
        button.textContent = words;
      }
    },
  });
})();
