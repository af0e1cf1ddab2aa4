/* The tests and failures of the run, read from data/. */
(() => {
  const nonce = /** @type {HTMLScriptElement} */ (document.currentScript).nonce;
  /** @type {TestChunk[]} */
  const chunks = [];
  /** @type {Test[][]} */
  const failures = [];

  Object.assign(exhibit, {
    tests: [], failures: [], outcomes: codes.outcomes, has: codes.has,
    base: document.getElementById("list")?.dataset.base ?? "",
  });

  exhibit.add = (number, chunk) => { chunks[number] = chunk; };

  exhibit.addFailures = (number, chunk) => { failures[number] = take(chunk); };

  exhibit.read = async (count, progress) => {
    for (let number = 0; number < count; number += 1) {
      const inPage = document.querySelector(`script[data-tests="${number}"]`);
      if (inPage) chunks[number] = JSON.parse(inPage.textContent ?? "");
      else await exhibit.readFile(`${exhibit.base}data/tests-${number}.js`);
      if (!chunks[number]) throw new Error(`data/tests-${number}.js holds no tests`);
      for (const test of take(chunks[number])) exhibit.tests.push(test);
      delete chunks[number];
      progress();
    }
  };

  exhibit.readFailures = async (count, first, progress) => {
    const others = [...Array(count).keys()].filter((number) => number !== first);
    for (const number of first < count ? [first, ...others] : others) {
      await exhibit.readFile(`${exhibit.base}data/failures-${number}.js`);
      if (!failures[number]) throw new Error(`data/failures-${number}.js holds no failures`);
      exhibit.failures = failures.flat();
      progress();
    }
  };

  /** What the script that ran last has packed.
      @type {Promise<void>} */
  let unpacked = Promise.resolve();

  /** @param {Uint8Array} bytes */
  const unpack = async (bytes) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  /** @param {Uint8Array} bytes */
  const parse = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

  exhibit.packed = (name, values, base64) => {
    unpacked = unpack(exhibit.bytes(base64)).then((bytes) => {
      switch (name) {
        case "rows": exhibit.rows(String(values[0]), Number(values[1]), parse(bytes)); break;
        case "values": exhibit.values(parse(bytes)); break;
        case "addStates": exhibit.addStates(parse(bytes)); break;
        case "pages": exhibit.pages(String(values[0]), Number(values[1]), bytes); break;
        case "viewer": exhibit.viewer(bytes);
      }
    });
  };

  exhibit.readFile = (path) => new Promise((resolve, reject) => {
    const end = () => {
      script.remove();
      const last = unpacked;
      unpacked = Promise.resolve();
      last.then(resolve, () => reject(new Error(`${path} is damaged`)));
    };
    const script = exhibit.element("script");
    script.nonce = nonce;
    const embedded = document.querySelector(`script[data-file="${CSS.escape(path)}"]`);
    script.onload = end;
    script.onerror = () => reject(new Error(`${path} cannot be read`));
    if (embedded) script.textContent = embedded.textContent;
    else script.src = path;
    document.head.append(script);
    // Without a source it ran at once.
    if (embedded) end();
  });

  /** @param {TestChunk} chunk */
  const take = ({ suites, tests }) => {
    const places = suites.map(place);
    return tests.map((row) => test(row, places[row[0]]));
  };

  /** @type {Map<string, TestPlace>} */
  const places = new Map();

  /** One object for all files.
      @param {[module: string, path: string]} suite */
  const place = ([module, path]) => exhibit.once(places, `${module}\n${path}`, (key) => {
    const title = path ? `${module} / ${path.replaceAll("/", " / ")}` : module;
    return { module, path, key, title, lower: { module: module.toLowerCase(), path: path.toLowerCase() } };
  });

  /** @type {(row: TestRow, place: TestPlace) => Test} */
  const test = ([, outcome, micros, name, page, message, display, argument, ordinal, bits, tags, likes, alike, past], place) => {
    const title = display || name;
    const suffix = (argument ? ` (${argument})` : "") + (ordinal ? ` #${ordinal + 1}` : "");
    const id = `${place.module}.${place.path ? place.path + "/" : ""}${name}${suffix}`;
    return {
      id, place, name, title, argument: argument || "", outcome, seconds: micros < 0 ? null : micros / 1e6,
      page: page || "", message: message || "", bits: bits || 0, tags: tags || [], likes: likes || 0, alike: alike || 0,
      past: past || "",
      text: `${id}\n${display || ""}\n${message || ""}`.toLowerCase(),
    };
  };

  exhibit.fails = (test) => exhibit.outcomes[test.outcome].failure;

  exhibit.badge = (outcome) => {
    const { style, word, symbol } = exhibit.outcomes[outcome];
    return exhibit.element("span", `outcome ${style}`, exhibit.sign("symbol", symbol), word);
  };
})();
