/* A table's filter: `total<0`, `status:paid`, `name="two words"`, `note:null`, `!draft`, `x'00ff'`, or any cell's
   text. In quotes `""` is a quote; `⏎` and `⟨CR⟩` end lines. */
(() => {
  exhibit.rowFilter = (text, columns) => {
    /** @type {FilterMistake[]} */
    const mistakes = [];
    /** @type {RowCondition[]} */
    const conditions = [];
    for (const term of terms(text)) {
      const condition = compile(term, columns);
      if (!condition) mistakes.push(mistake(term, text, columns));
      else conditions.push({ ...condition, isNegated: term.isNegated });
    }
    return { conditions, mistakes };
  };

  exhibit.foldedText = (text) => text.toLowerCase().replaceAll("ς", "σ");

  /** @type {(term: RowTerm, text: string, columns: Column[]) => FilterMistake} */
  const mistake = ({ source, field, sign, value }, text, columns) => {
    /** @type {(other: string, words?: string) => FilterMistake["instead"][0]} */
    const instead = (other, words = other) => ({ words, filter: text.replace(source, () => other) });
    if (field === null || column(field, columns) >= 0) {
      const other = value.toLowerCase() === "null" ? " other than NULL" : "";
      return { wrong: `${source} ${field === null ? "is not understood" : `needs a value${other}`}.`, instead: [] };
    }
    const meant = columns.map(({ name }) => name).filter((name) => isLike(name, field)).slice(0, 3).map((name) =>
      instead(source.replace(/^(!?)(?:"(?:[^"]|"")*"|[^\s"<>=!:]+)/u, (_, no) => no + written(name)), name));
    const asText = sign === ":" && !source.includes('"') ? [instead(`"${source}"`)] : [];
    return { wrong: `There is no column ${field} in this table.`, instead: meant.length ? meant : asText };
  };

  /** @param {string} name */
  const written = (name) => /^\w+$/.test(name) ? name : exhibit.sqlQuoted(name);

  /** By a letter or two, or a beginning.
      @param {string} name @param {string} word */
  const isLike = (name, word) => {
    const [one, other] = [name.toLowerCase(), word.toLowerCase()];
    if (other.length > 1 && (one.startsWith(other) || other.startsWith(one))) return true;
    return distance(one.slice(0, 100), other.slice(0, 100)) <= (other.length > 4 ? 2 : 1);
  };

  /** Letters changed, missing, added or turned round.
      @type {(one: string, other: string) => number} */
  const distance = (one, other) => {
    /** @type {[number[], number[]]} */
    let [before, last] = [[], [...Array(other.length + 1).keys()]];
    for (let place = 1; place <= one.length; place += 1) {
      const next = [place];
      for (let at = 1; at <= other.length; at += 1) {
        const change = last[at - 1] + (one[place - 1] === other[at - 1] ? 0 : 1);
        const isTurned = place > 1 && at > 1 && one[place - 1] === other[at - 2] && one[place - 2] === other[at - 1];
        next[at] = Math.min(change, last[at] + 1, next[at - 1] + 1, isTurned ? before[at - 2] + 1 : Infinity);
      }
      [before, last] = [last, next];
    }
    return last[other.length];
  };

  /** @typedef {ReturnType<typeof terms>[number]} RowTerm */

  /** @param {string} text */
  const terms = (text) => {
    const found = text.matchAll(/(!?)(?:("(?:[^"]|"")*"|[^\s"<>=!:]+)(<=|>=|!=|<>|==|=|<|>|:))?("(?:[^"]|"")*"?|[^\s"]+)?/gu);
    return [...found].filter(([source]) => source.trim()).map(([source, negation, field, sign, value = ""]) => ({
      source, isNegated: negation === "!", field: field === undefined ? null : unquoted(field), value: unquoted(value),
      // SQL's own signs, too.
      sign: sign === "==" ? "=" : sign === "<>" ? "!=" : sign, isQuoted: value.startsWith('"'),
      isNull: /^null$/i.test(value),
    }));
  };

  /** @param {string} text */
  const unquoted = (text) => /^"((?:[^"]|"")*)/.exec(text)?.[1].replaceAll('""', '"') ?? text;

  exhibit.filterTerm = (name, value) => {
    const isBlob = exhibit.isBlob(value);
    const text = isBlob ? `x'${cells.allDigits(value)}'` : onOneLine(cells.text(value));
    const isPlain = isBlob || (/^[\w.-]+$/.test(text) && text.toLowerCase() !== "null");
    return `${written(name)}=${isPlain ? text : exhibit.sqlQuoted(text)}`;
  };

  /** @param {string} text */
  const onOneLine = (text) => text.replaceAll("\r", "⟨CR⟩").replaceAll("\n", "⏎");

  /** @type {(text: string) => (own: string) => string} */
  const writtenFor = (text) => /⏎|⟨CR⟩/i.test(text) ? onOneLine : (own) => own;

  /** @type {(term: RowTerm, columns: Column[]) => Omit<RowCondition, "isNegated"> | null} */
  const compile = (term, columns) => {
    if (term.field === null) return term.value ? anywhere(term.value) : null;
    const index = column(term.field, columns);
    // `12:30` and `https://…` are texts.
    if (index < 0) return /^\d|^https?$/.test(term.field) ? anywhere(term.source.replace(/^!/, "")) : null;
    if (!term.value && !term.isQuoted) return null;
    const holds = compared(term, columns[index]);
    return holds && { holds, column: index, named: named(term), sought: null };
  };

  /** @param {string} text */
  const anywhere = (text) => ({
    holds: contains(text), column: -1, named: named({ sign: ":", value: text, isNull: false }),
    sought: writtenFor(text) === onOneLine ? null : exhibit.foldedText(text),
  });

  /** @param {Pick<RowTerm, "sign" | "value" | "isNull">} term */
  const named = ({ sign, value, isNull }) => {
    const word = exhibit.foldedText(value);
    if (isNull || !word || (sign !== ":" && sign !== "=")) return null;
    return (/** @type {string} */ name) => sign === ":" ? exhibit.foldedText(name).includes(word) : exhibit.foldedText(name) === word;
  };

  /** @type {(name: string, columns: Column[]) => number} */
  const column = (name, columns) => {
    const exact = columns.findIndex((each) => each.name === name);
    return exact >= 0 ? exact : columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
  };

  /** A blob's, without a UUID's lines.
      @param {string} text */
  const digits = (text) => /^[\da-f-]{6,}$/i.test(text) ? text.replaceAll("-", "").toLowerCase() : null;

  /** @type {(text: string) => (value: Value, column: Column | undefined) => boolean} */
  const contains = (text) => {
    const word = exhibit.foldedText(text);
    const mayBeNumber = /^[\d.e+-]+$/.test(word);
    const mayBeTime = /^[\d.: -]+$/.test(word);
    const own = digits(text);
    const written = writtenFor(text);
    // Quicker; browsers refuse long patterns.
    const pattern = text.length > 1000 ? { test: (/** @type {string} */ value) => exhibit.foldedText(value).includes(word) }
      : new RegExp(exhibit.pattern(text), "i");
    return (value, column) => {
      if (typeof value === "string") return pattern.test(written(value));
      if (value === null) return false;
      if (typeof value === "number") {
        return (mayBeNumber && cells.text(value, column).includes(word))
          || (mayBeTime && column?.clock ? cells.time(value, column.clock).includes(word) : false);
      }
      if (value[0] === "b") return own !== null && cells.digits(value).includes(own);
      return pattern.test(written(cells.text(value, column)));
    };
  };

  /** @type {(term: RowTerm, column: Column) => ((cell: Value) => boolean) | null} */
  const compared = ({ sign, value, isNull }, column) => {
    if (isNull) return sign === ":" || sign === "=" ? (cell) => cell === null : sign === "!=" ? (cell) => cell !== null : null;
    const number = asNumber(value, column);
    if (sign === ":") {
      const holds = contains(value);
      return (cell) => number !== null && typeof cell === "number" && !column.clock ? cell == number : holds(cell, column);
    }
    const test = signs[sign];
    const bytes = wholeDigits(value);
    const written = writtenFor(value);
    const isOther = sign === "!=";
    return (cell) => {
      if (cell === null) return false;
      // `<` compares texts that are numbers, too.
      const isAsNumber = typeof cell === "string" && number !== null && !isOther && sign !== "=";
      if (isAsNumber) return cell.trim() !== "" && test(Number(cell), number);
      if (exhibit.isNumber(cell)) return number === null ? isOther : test(cells.number(cell), number);
      if (exhibit.isBlob(cell)) return bytes === null ? isOther : test(cells.allDigits(cell), bytes);
      return test(written(cells.text(cell, column)), value);
    };
  };

  /** Of `x'00ff'`, `00ff` or a UUID.
      @param {string} value */
  const wholeDigits = (value) => {
    const found = /^(?:x'([\da-f]*)'|([\da-f-]+))$/i.exec(value);
    return found ? (found[1] ?? found[2].replaceAll("-", "")).toLowerCase() : null;
  };

  /** @type {Record<string, (one: Comparable, other: Comparable) => boolean>} */
  const signs = {
    "<": (one, other) => one < other, ">": (one, other) => one > other, "<=": (one, other) => one <= other,
    ">=": (one, other) => one >= other, "=": (one, other) => one == other, "!=": (one, other) => one != other,
  };

  /** @type {(value: string, column: Column) => number | bigint | null} */
  const asNumber = (value, column) => {
    if (/^[+-]?\d+$/.test(value)) return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
    if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) return Number(value);
    if (!column.clock || !/^\d{4}-\d\d(-\d\d)?/.test(value)) return null;
    const iso = value.replace(" ", "T");
    const milliseconds = Date.parse(/T/.test(iso) && !/Z|[+-]\d\d:?\d\d$/.test(iso) ? `${iso}Z` : iso);
    return Number.isNaN(milliseconds) ? null : (milliseconds - column.clock.from) / column.clock.unit;
  };
})();
