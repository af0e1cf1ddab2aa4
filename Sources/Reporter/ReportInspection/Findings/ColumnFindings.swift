import ReportModel

/// Finds mixed types, NULL beside empty texts, and inconsistent dates in a column.
struct ColumnFindings {
  let examination: Examination
  let table: String
  let column: DatabaseSchema.Column
  let profile: ColumnProfile

  private var name: String { shownColumn(table, column.name) }

  func all() -> [Finding] {
    var findings: [Finding] = []
    let kinds = examination.kinds
    if kinds.contains(.mixedTypes) || kinds.contains(.numberAsText), !isOfSeveralTypes {
      findings += types().filter { kinds.contains($0.kind) }
    }
    let isTold = findings.contains { $0.kind == .mixedTypes }
    if kinds.contains(.nullBesideEmpty), !isTold || !column.affinity.isNumber {
      findings += nullBesideEmpty()
    }
    if kinds.contains(.impossibleDate) { findings += impossibleDates() + impossibleTimes() }
    if kinds.contains(.mixedDates) { findings += dates() }
    return findings
  }

  private func finding(
    _ kind: Finding.Kind, _ rows: FoundRows, weight: Finding.Weight = .minor, detail: String,
    remedy: String, _ sentence: (String) -> String
  ) -> Finding {
    examination.finding(
      kind, weight, in: table, [column.name], rows, detail: detail, remedy: remedy, sentence)
  }

  // MARK: - Types

  /// True when the declared type allows several types, like `INTEGER_OR_TEXT`.
  private var isOfSeveralTypes: Bool {
    let type = column.type.uppercased()
    let words = ["INT", "TEXT", "CHAR", "CLOB", "BLOB", "REAL", "FLOA", "DOUB", "NUM", "DEC"]
    return type.contains("ANY") || type.contains("VARIANT") || words.count { type.contains($0) } > 1
  }

  /// Without NULL.
  private var total: Int { profile.numbers + profile.texts + profile.count(.blob, .empty) }

  /// Fewer values are too few to judge.
  private static let enough = 20

  private func types() -> [Finding] {
    switch column.affinity {
    case .integer, .real, .numeric: numberTypes()
    // TEXT affinity converts numbers.
    case .text: few(profile[.blob], "a blob", of: profile.texts + profile.count(.empty), "texts", 5)
    case .blob where column.type.isEmpty: untypedTypes()
    case .blob:
      few(profile[.text] + profile[.numeral] + profile[.code], "text", of: profile.count(.blob), "blobs", 5)
    }
  }

  private func numberTypes() -> [Finding] {
    let codes = profile[.code]
    var texts = profile[.text] + profile[.empty]
    let (numbers, all) = (profile.numbers, texts.count + profile.count(.numeral, .code))
    var findings: [Finding] = []
    if all > 0, numbers == 0 {
      // Many values, all texts, are intended.
      if column.affinity != .numeric, total < Self.enough {
        findings.append(onlyTexts(texts + profile[.numeral] + codes))
      }
    } else if all <= numbers {
      if profile.count(.numeral) > 0 { findings.append(numbersAsText(.strong)) }
      // With many, SQLite converted some of a column of codes to numbers.
      if codes.count * 100 <= numbers { texts = texts + codes }
      if texts.count > 0 { findings.append(odd(texts, "text", among: numbers, "numbers")) }
    } else {
      findings += few(profile[.number] + profile[.fraction], "a number", of: all, "texts", 10)
    }
    findings += few(profile[.blob], "a blob", of: numbers + all, "other values", 5)
    if column.affinity == .integer, total >= Self.enough {
      findings += few(profile[.fraction], "a fraction", of: profile.count(.number), "whole numbers", 10)
    }
    return findings
  }

  private func untypedTypes() -> [Finding] {
    guard total >= Self.enough else { return [] }
    let texts = profile.texts
    var findings = few(profile[.blob], "a blob", of: total - profile.count(.blob), "other values", 20)
    if profile.count(.numeral) * 5 <= profile.numbers, profile.count(.text) == 0 {
      if profile.count(.numeral) > 0 { findings.append(numbersAsText(.minor)) }
    } else {
      findings += few(profile[.text] + profile[.numeral], "text", of: profile.numbers, "numbers", 20)
    }
    return findings + few(profile[.number] + profile[.fraction], "a number", of: texts, "texts", 20)
  }

  /// A finding when at most one value in `share` is of another type.
  private func few(
    _ rows: FoundRows, _ what: String, of others: Int, _ otherWords: String, _ share: Int
  ) -> [Finding] {
    guard rows.count > 0, rows.count * share <= others else { return [] }
    return [odd(rows, what, among: others, otherWords)]
  }

  private func odd(_ rows: FoundRows, _ what: String, among others: Int, _ otherWords: String) -> Finding {
    finding(
      .mixedTypes, rows, detail: what,
      remedy:
        "SQLite keeps a value of another type as it is: correct the row and what wrote it; a STRICT table, or a CHECK with typeof(), refuses such values."
    ) { words in
      "\(name) holds \(what) in \(words), among \(grouped(others)) \(otherWords)."
    }
  }

  private func onlyTexts(_ rows: FoundRows) -> Finding {
    finding(
      .mixedTypes, rows, detail: "only text",
      remedy: "Correct what writes it, or declare the column as TEXT; a STRICT table refuses such values."
    ) { words in
      "\(name) is declared \(shownName(column.type)) and holds text in \(words), and no number."
    }
  }

  private func numbersAsText(_ weight: Finding.Weight) -> Finding {
    finding(
      .numberAsText, profile[.numeral], weight: weight, detail: "",
      remedy:
        "It counts as 0 or as its first digits in sums, and is greater than every number in comparisons: write numbers as numbers, with a point and without separators."
    ) { words in
      "\(name) holds a number as text in \(words), among \(grouped(profile.numbers)) numbers."
    }
  }

  // MARK: - NULL and empty

  private func nullBesideEmpty() -> [Finding] {
    let (nulls, empties) = (profile[.null], profile[.empty])
    guard nulls.count > 0, empties.count > 0, !column.refers else { return [] }
    let isEmptyRare = empties.count <= nulls.count
    let (few, many) = isEmptyRare ? (empties.count, nulls.count) : (nulls.count, empties.count)
    // If both are frequent, the difference is intended.
    guard few * 10 <= many || few + many < Self.enough else { return [] }
    return [
      finding(
        .nullBesideEmpty, isEmptyRare ? empties.withoutValues : nulls.withoutValues, detail: "",
        remedy: "Decide for one of both, and say so with NOT NULL or CHECK (\(shownName(column.name)) <> '')."
      ) { words in
        isEmptyRare
          ? "\(name) is the empty text in \(words), and NULL in \(counted(nulls.count, "row"))."
          : "\(name) is NULL in \(words), and the empty text in \(counted(empties.count, "row"))."
      }
    ]
  }

  // MARK: - Dates

  private var dated: Int { profile.dates.reduce(0) { $0 + $1.rows.count } }

  /// Among dates, numbers are dates in seconds or days.
  private var numerals: FoundRows { column.affinity.isNumber ? FoundRows() : profile[.numeral] }

  private func impossibleDates() -> [Finding] {
    guard dated * 10 >= (profile.texts - numerals.count) * 9 else { return [] }
    return impossible("date", profile.impossibleDates, of: dated, .strong)
  }

  /// Impossible times in a column of times, which may be durations or ratios.
  private func impossibleTimes() -> [Finding] {
    guard profile.durations == 0, profile.times * 10 >= profile.texts * 9 else { return [] }
    return impossible("time", profile.impossibleTimes, of: profile.times, .minor)
  }

  private func impossible(
    _ what: String, _ rows: FoundRows, of all: Int, _ weight: Finding.Weight
  ) -> [Finding] {
    let existing = all - rows.count
    // Many impossible dates are something else.
    guard rows.count > 0, rows.count * 10 <= existing || rows.count <= existing && all < Self.enough else {
      return []
    }
    let shown = shownName(column.name)
    let remedy =
      what == "date"
      ? "SQLite's date functions make NULL of it, or count on into the next month: correct the row and what wrote it; of days alone, CHECK (date(\(shown), '+0 days') IS \(shown)) refuses such texts."
      : "SQLite's time functions make NULL of it: correct the row and what wrote it."
    return [
      finding(.impossibleDate, rows, weight: weight, detail: what, remedy: remedy) { words in
        "\(name) holds a \(what) that does not exist in \(words), among \(grouped(existing)) that do."
      }
    ]
  }

  private func dates() -> [Finding] {
    let (dated, numerals) = (dated, numerals)
    guard dated >= 2, dated * 10 >= (profile.texts - numerals.count) * 9, numerals.count * 10 <= dated else {
      return []
    }
    var forms = Self.gathered(profile.dates) { $0.withoutOffset }
    if forms.count > 1 || numerals.count > 0 {
      let most = forms.removeFirst()
      let others = forms.reduce(numerals) { $0 + $1.rows }
      let shown = (forms.map(\.form.wordsOfAnyOffset) + (numerals.count > 0 ? ["a number"] : [])).joined(
        separator: ", ")
      return [
        finding(.mixedDates, others, detail: "forms", remedy: Self.remedy) { words in
          "\(name) holds a date as \(shown) in \(words), among \(grouped(most.rows.count)) as \(most.form.wordsOfAnyOffset)."
        }
      ]
    }
    var offsets = Self.gathered(profile.dates) { $0 }
    guard offsets.count > 1 else { return [] }
    let most = offsets.removeFirst()
    return [
      finding(
        .mixedDates, offsets.reduce(FoundRows()) { $0 + $1.rows }, detail: "offsets", remedy: Self.remedy
      ) { words in
        "\(name) holds a date with another offset in \(words), among \(grouped(most.rows.count)) as \(most.form.words)."
      }
    ]
  }

  private static let remedy =
    "Texts are compared sign by sign, so such dates sort and filter wrongly: write all of them in one form, best in UTC."

  private static func gathered(
    _ dates: [(form: DateForm, rows: FoundRows)], _ form: (DateForm) -> DateForm
  ) -> [(form: DateForm, rows: FoundRows)] {
    var forms: [DateForm: FoundRows] = [:]
    for date in dates { forms[form(date.form)] = (forms[form(date.form)] ?? FoundRows()) + date.rows }
    return forms.map { ($0.key, $0.value) }.sorted {
      $0.1.count != $1.1.count ? $0.1.count > $1.1.count : $0.0 < $1.0
    }
  }
}
