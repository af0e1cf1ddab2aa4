/* The filter grammar: words that all must match, each of which `!` turns round. */
(() => {
  const ended = (style) => (test) => exhibit.outcomes[test.outcome].style === style;

  const outcomeWords = {
    failed: (test) => exhibit.outcomes[test.outcome].failure,
    crashed: ended("crashed"),
    unfinished: ended("unfinished"),
    known: ended("knownIssue"),
    skipped: ended("skipped"),
    passed: ended("passed"),
    flaky: (test) => (test.bits & exhibit.has.flaky) !== 0,
  };

  const units = { us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, m: 60, h: 3600 };

  const fields = {
    suite: (value) => (test) => test.place.path.toLowerCase().includes(value),
    module: (value) => (test) => test.place.module.toLowerCase().includes(value),
    name: (value) => (test) => `${test.name}\n${test.title}`.toLowerCase().includes(value),
    message: (value) => (test) => test.message.toLowerCase().includes(value),
    tag: (value) => (test) => test.tags.some((tag) => tag.toLowerCase() === value),
    has: (value) => {
      if (value === "message") return (test) => test.message !== "";
      const bits = exhibit.has[value];
      return bits ? (test) => (test.bits & bits) !== 0 : null;
    },
  };

  /** A function that tells whether a test matches, and the words that mean nothing. */
  exhibit.query = (text) => {
    const unknown = [];
    const conditions = [];
    for (const term of terms(text)) {
      const condition = compile(term);
      if (!condition) {
        unknown.push(term.source);
      } else if (term.negated) {
        conditions.push((test) => !condition(test));
      } else {
        conditions.push(condition);
      }
    }
    return { matches: (test) => conditions.every((condition) => condition(test)), unknown, conditions };
  };

  /** Words apart; `"two words"` and `suite:"two words"` are one. */
  const terms = (text) => {
    const found = text.matchAll(/(!?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu);
    return [...found].map(([source, negation, field, quoted, word]) => ({
      source, negated: negation === "!", field: field?.toLowerCase(), quoted: quoted !== undefined,
      value: (quoted ?? word).toLowerCase(),
    })).filter((term) => term.value !== "" && term.value !== "!");
  };

  const compile = ({ field, value, quoted, source }) => {
    if (field) return Object.hasOwn(fields, field) ? fields[field](value) : contains(source.replace(/^!/, "").toLowerCase());
    if (quoted) return contains(value);
    if (Object.hasOwn(outcomeWords, value)) return outcomeWords[value];
    if (value.startsWith("#") && value.length > 1) return fields.tag(value.slice(1));
    const limit = /^([<>])(\d+(?:\.\d+)?)(us|µs|ms|s|min|m|h)?$/u.exec(value);
    return limit ? duration(limit[1], Number(limit[2]) * units[limit[3] ?? "s"]) : contains(value);
  };

  const contains = (value) => (test) => test.text.includes(value);

  const duration = (sign, seconds) => (test) =>
    test.seconds !== null && (sign === ">" ? test.seconds > seconds : test.seconds < seconds);
})();
