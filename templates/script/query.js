/* The search's grammar: all words must match, or with `!` not. */
(() => {
  /** @type {(style: string) => TestCondition} */
  const ended = (style) => (test) => exhibit.outcomes[test.outcome].style === style;

  /** @type {(bits: number) => TestCondition} */
  const marked = (bits) => (test) => (test.bits & bits) !== 0;

  /** @type {Record<string, TestCondition>} */
  const outcomeWords = {
    failed: exhibit.fails, crashed: ended("crashed"), unfinished: ended("unfinished"), known: ended("knownIssue"),
    skipped: ended("skipped"), passed: ended("passed"), flaky: marked(exhibit.has.flaky), new: marked(exhibit.has.new),
    still: marked(exhibit.has.still), fixed: marked(exhibit.has.fixed),
  };

  /** Only failures match these, so no other test is read. */
  const ofFailures = ["failed", "crashed", "unfinished", "new", "still"];

  /** @type {Record<string, number>} */
  const units = { us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, m: 60, h: 3600 };

  /** @type {Record<string, (value: string) => TestCondition | null>} */
  const fields = {
    suite: (value) => (test) => test.place.lower.path.includes(value),
    module: (value) => (test) => test.place.lower.module.includes(value),
    name: (value) => (test) => `${test.name}\n${test.title}`.toLowerCase().includes(value),
    message: (value) => (test) => test.message.toLowerCase().includes(value),
    alike: (value) => (/^\d+$/.test(value) ? (test) => test.likes === Number(value) : null),
    tag: (value) => (test) => test.tags.some((tag) => tag.toLowerCase() === value),
    has: (value) => {
      if (value === "message") return (test) => test.message !== "";
      return exhibit.has[value] ? marked(exhibit.has[value]) : null;
    },
  };

  exhibit.query = (text) => {
    /** @type {TestQuery} */
    const query = {
      conditions: [], words: [], hints: [], isOfFailures: false,
      matches: (test) => query.conditions.every((condition) => condition(test)),
    };
    for (const term of terms(text)) {
      const needsValue = isWithoutValue(term);
      const condition = needsValue ? null : compile(term, query);
      if (condition) {
        query.conditions.push(term.negated ? (test) => !condition(test) : condition);
        query.isOfFailures ||= !term.negated && isOfFailures(term);
      } else {
        query.hints.push(`${term.source} ${needsValue ? "needs a value" : "is not understood"}.`);
      }
    }
    return query;
  };

  /** @param {TestTerm} term */
  const isOfFailures = ({ field, quoted, value }) => field === "alike" || (!field && !quoted && ofFailures.includes(value));

  /** @typedef {{ source: string, negated: boolean, field: string | undefined, quoted: boolean, value: string }} TestTerm */

  /** `"two words"` and `suite:"two words"` are one.
      @param {string} text */
  const terms = (text) => {
    const found = text.matchAll(/(!?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu);
    return [...found].map(([source, negation, field, quoted, word]) => ({
      source, negated: negation === "!", field: field?.toLowerCase(), quoted: quoted !== undefined,
      value: (quoted ?? word).toLowerCase(),
    })).filter((term) => (term.value !== "" && term.value !== "!") || isWithoutValue(term));
  };

  /** `suite:` and `suite:""`, but not `Error:`, which is no filter.
      @param {TestTerm} term */
  const isWithoutValue = ({ field, quoted, value }) => {
    const name = value === "" ? field : !field && !quoted && /^([a-z]+):$/.exec(value)?.[1];
    return Boolean(name) && Object.hasOwn(fields, String(name));
  };

  /** @type {(term: TestTerm, query: TestQuery) => TestCondition | null} */
  const compile = (term, query) => {
    const { field, value, quoted, source } = term;
    if (field && Object.hasOwn(fields, field)) return fields[field](value);
    if (!field && !quoted) {
      if (Object.hasOwn(outcomeWords, value)) return outcomeWords[value];
      if (value.startsWith("#") && value.length > 1) return fields.tag(value.slice(1));
      const limit = /^([<>])(\d+(?:\.\d+)?)(us|µs|ms|s|min|m|h)?$/u.exec(value);
      if (limit) return duration(limit[1], Number(limit[2]) * units[limit[3] ?? "s"]);
    }
    const text = field ? source.replace(/^!/, "").toLowerCase() : value;
    if (field && !quoted) query.hints.push(`${field}: is no filter, so “${text}” is searched for as it stands.`);
    if (!term.negated) query.words.push(text);
    return (test) => test.text.includes(text);
  };

  /** @type {(sign: string, seconds: number) => TestCondition} */
  const duration = (sign, seconds) => (test) =>
    test.seconds !== null && (sign === ">" ? test.seconds > seconds : test.seconds < seconds);
})();
