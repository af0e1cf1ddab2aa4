/* The filter of a table: `total<0`, `status:paid`, `name="two words"`, `note:null`, `!draft`, or a text of any cell. Within
   quotes `""` is a quote. `⏎` and `⟨CR⟩` are ends of lines too, as cells show them: an input holds one line. `x'00ff'` is a
   blob. */
(() => {
  /**
   * What rows a text leaves.
   *
   * @param columns those of the table
   * @returns `conditions`, each with a `test` of a row and `isNegated`, and for a text of any cell that `sought`, and its
   *   `digits` where it may be the beginning of a blob; of one `column` what its value is to be without `isNegated` (`own`),
   *   and `named`, what the name of the row is to be that a foreign key shows there; `matches` for a row, or `null` for a
   *   filter that says nothing; `mistakes`, each with a sentence of what is `wrong` and filters that may be meant
   *   (`instead`)
   */
  exhibit.rowFilter = (text, columns) => {
    const mistakes = [];
    const conditions = [];
    for (const term of terms(text)) {
      const condition = compile(term, columns);
      if (!condition) {
        mistakes.push(mistake(term, text, columns));
        continue;
      }
      const { test, sought = null, digits = null, column = -1, named = null } = condition;
      const { isNegated } = term;
      conditions.push({ test: isNegated ? (row) => !test(row) : test, own: test, sought, digits, column, named, isNegated });
    }
    const matches = conditions.length ? (row) => conditions.every(({ test }) => test(row)) : null;
    return { matches, conditions, mistakes };
  };

  /** What is wrong with a term of a filter, and what may be meant. */
  const mistake = ({ source, field, sign }, text, columns) => {
    const instead = (other) => ({ words: other, filter: text.replace(source, () => other) });
    if (field !== null && column(field, columns) < 0) {
      const like = columns.map(({ name }) => name).filter((name) => isLike(name, field)).slice(0, 3);
      const written = (name) => (/^\w+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
      const meant = like.map((name) => ({ ...instead(source.replace(/^(!?)(?:"(?:[^"]|"")*"|[^\s"<>=!:]+)/u, (_, no) => no + written(name))), words: name }));
      const asText = sign === ":" && !source.includes('"') ? [instead(`"${source}"`)] : [];
      return { wrong: `There is no column ${field} in this table.`, instead: meant.length ? meant : asText };
    }
    return { wrong: field === null || sign === undefined ? `${source} is not understood.` : `${source} needs a value${/null$/i.test(source) ? " other than NULL" : ""}.`, instead: [] };
  };

  /** Whether a name differs from a word in a letter or two, or begins with it. */
  const isLike = (name, word) => {
    const [one, other] = [name.toLowerCase(), word.toLowerCase()];
    if (other.length > 1 && (one.startsWith(other) || other.startsWith(one))) return true;
    return distance(one.slice(0, 100), other.slice(0, 100)) <= (other.length > 4 ? 2 : 1);
  };

  /** How many letters are other ones, missing, too many or turned round. */
  const distance = (one, other) => {
    let [before, last] = [[], [...Array(other.length + 1).keys()]];
    for (let place = 1; place <= one.length; place += 1) {
      const next = [place];
      for (let at = 1; at <= other.length; at += 1) {
        const change = last[at - 1] + (one[place - 1] === other[at - 1] ? 0 : 1);
        next[at] = Math.min(change, last[at] + 1, next[at - 1] + 1);
        if (place > 1 && at > 1 && one[place - 1] === other[at - 2] && one[place - 2] === other[at - 1]) next[at] = Math.min(next[at], before[at - 2] + 1);
      }
      [before, last] = [last, next];
    }
    return last[other.length];
  };

  const terms = (text) => {
    const found = text.matchAll(/(!?)(?:("(?:[^"]|"")*"|[^\s"<>=!:]+)(<=|>=|!=|<>|==|=|<|>|:))?("(?:[^"]|"")*"?|[^\s"]+)?/gu);
    return [...found].filter(([source]) => source.trim()).map(([source, negation, field, sign, value = ""]) => ({
      source, isNegated: negation === "!", field: field === undefined ? null : unquoted(field), sign,
      value: unquoted(value), isQuoted: value.startsWith('"'),
    }));
  };

  const unquoted = (text) => /^"((?:[^"]|"")*)/.exec(text)?.[1].replaceAll('""', '"') ?? text;

  /** `customer=7`: the term that a value of a column meets. */
  exhibit.filterTerm = (name, value) => {
    const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
    const isBlob = exhibit.cell.kindOf(value) === "blob";
    const text = isBlob ? `x'${exhibit.cell.allDigits(value)}'` : onOneLine(exhibit.cell.text(value));
    const isPlain = isBlob || (/^[\w.-]+$/.test(text) && text.toLowerCase() !== "null");
    return `${/^\w+$/.test(name) ? name : quoted(name)}=${isPlain ? text : quoted(text)}`;
  };

  const onOneLine = (text) => text.replaceAll("\r", "⟨CR⟩").replaceAll("\n", "⏎");

  /** How a cell's text is to be written to be looked at for another one. */
  const writtenFor = (text) => (/⏎|⟨CR⟩/i.test(text) ? onOneLine : (own) => own);

  const compile = (term, columns) => {
    if (term.field === null) return term.value ? anywhere(term.value, columns) : null;
    const index = column(term.field, columns);
    if (index < 0) {
      // `12:30` and `https://…` are texts.
      return /^\d|^https?$/.test(term.field) ? anywhere(term.source.replace(/^!/, ""), columns) : null;
    }
    if (!term.value && !term.isQuoted) return null;
    const test = compared(index, term, columns[index]);
    return test && { test, column: index, named: named(term) };
  };

  /** What the name of a row is to be, of a foreign key that shows it. */
  const named = ({ sign, value, isQuoted }) => {
    if (value.toLowerCase() === "null" && !isQuoted) return null;
    const word = exhibit.foldedText(value);
    if (!word) return null;
    if (sign === ":") return (name) => name.includes(word);
    return sign === "=" || sign === "==" ? (name) => name === word : null;
  };

  const column = (name, columns) => {
    const exact = columns.findIndex((each) => each.name === name);
    return exact >= 0 ? exact : columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
  };

  /** A text that some cell holds, whatever its case. */
  const anywhere = (text, columns) => {
    const holds = contains(text);
    return {
      test: (row) => row.some((value, index) => holds(value, columns[index])),
      sought: writtenFor(text) === onOneLine ? null : exhibit.foldedText(text), digits: digits(text),
    };
  };

  /** Hexadecimal digits that a blob may have, without the lines of a UUID. */
  const digits = (text) => (/^[\da-f-]{6,}$/i.test(text) ? text.replaceAll("-", "").toLowerCase() : null);

  const contains = (text) => {
    const word = exhibit.foldedText(text);
    // A value is not written out for a text that none of its kind can hold.
    const mayBeNumber = /^[\d.e+-]+$/.test(word);
    const mayBeTime = /^[\d.: -]+$/.test(word);
    const own = digits(text);
    const written = writtenFor(text);
    // Quicker than making each value small; a browser refuses patterns of very many letters.
    const pattern = text.length > 1000 ? { test: (value) => exhibit.foldedText(value).includes(word) }
      : new RegExp(text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&"), "i");
    return (value, column) => {
      if (typeof value === "string") return pattern.test(written(value));
      if (value === null) return false;
      if (typeof value === "number") {
        return (mayBeNumber && exhibit.cell.text(value, column).includes(word))
          || (mayBeTime && Boolean(column?.clock) && exhibit.cell.time(value, column.clock).includes(word));
      }
      if (value[0] === "b") return own !== null && exhibit.cell.digits(value).includes(own);
      return pattern.test(written(exhibit.cell.text(value, column)));
    };
  };

  const compared = (index, { sign, value, isQuoted }, column) => {
    if (value.toLowerCase() === "null" && !isQuoted) {
      if ([":", "=", "=="].includes(sign)) return (row) => row[index] === null;
      if (["!=", "<>"].includes(sign)) return (row) => row[index] !== null;
      return null;
    }
    if (sign === ":") return within(index, value, column);
    const test = signs[sign];
    const number = asNumber(value, column);
    const bytes = wholeDigits(value);
    const written = writtenFor(value);
    const isSame = sign === "=" || sign === "==";
    const isOther = sign === "!=" || sign === "<>";
    return (row) => {
      const cell = row[index];
      if (cell === null) return false;
      if (typeof cell === "number") return number === null ? isOther : test(cell, number);
      if (typeof cell === "string") {
        // `<` of a number is about numbers, also where some stand as texts.
        if (number !== null && !isSame && !isOther) return cell.trim() !== "" && test(Number(cell), number);
        return test(written(cell), value);
      }
      const kind = exhibit.cell.kindOf(cell);
      if (kind === "blob") return bytes === null ? isOther : test(exhibit.cell.allDigits(cell), bytes);
      if (kind === "number") return number === null ? isOther : test(exhibit.cell.number(cell), number);
      return test(written(exhibit.cell.text(cell, column)), value);
    };
  };

  /** What bytes a value names: `x'00ff'`, or digits alone, with or without the lines of a UUID. */
  const wholeDigits = (value) => {
    const found = /^(?:x'([\da-f]*)'|([\da-f-]+))$/i.exec(value);
    return found ? (found[1] ?? found[2].replaceAll("-", "")).toLowerCase() : null;
  };

  const signs = {
    "<": (one, other) => one < other, ">": (one, other) => one > other, "<=": (one, other) => one <= other,
    ">=": (one, other) => one >= other, "=": (one, other) => one == other, "==": (one, other) => one == other,
    "!=": (one, other) => one != other, "<>": (one, other) => one != other,
  };

  /** A number, also one that a time stands for in a column that counts time. */
  const asNumber = (value, column) => {
    if (/^[+-]?\d+$/.test(value)) return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
    if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) return Number(value);
    if (!column.clock || !/^\d{4}-\d\d(-\d\d)?/.test(value)) return null;
    const iso = value.replace(" ", "T");
    const milliseconds = Date.parse(/T/.test(iso) && !/Z|[+-]\d\d:?\d\d$/.test(iso) ? `${iso}Z` : iso);
    return Number.isNaN(milliseconds) ? null : (milliseconds - column.clock.from) / column.clock.unit;
  };

  /** `status:paid`: a number that is the same, a text that has it in it. */
  const within = (index, value, column) => {
    const holds = contains(value);
    const number = asNumber(value, column);
    return (row) => {
      const cell = row[index];
      if (number !== null && typeof cell === "number" && !column.clock) return cell == number;
      return holds(cell, column);
    };
  };
})();
