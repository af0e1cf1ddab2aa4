import Collector
import ExhibitSQLite
import Foundation
import ReportCauses
import ReportModel
import ReportPlaces
import ReportStory

/// Describes differences between a failed run and a pass.
struct DifferenceWords {
  private static let (mostValues, mostRows) = (3, 5)
  /// Seconds, and the ratio to the pass, of a pause that is a time-out rather than a busy machine.
  private static let (leastPause, longerPause) = (0.02, 1.3)
  private static let around = 32

  private let stories: ComparedStories
  private let origin: PassOrigin
  private var lone: [Presence: Int] = [:]

  private struct Presence: Hashable {
    var sql: String
    var place: Place?

    init(_ step: ToldSteps.Step) { (sql, place) = (step.sql, step.place) }
  }

  init(_ stories: ComparedStories, _ origin: PassOrigin) {
    (self.stories, self.origin) = (stories, origin)
    for entry in stories.entries where entry.isAlone {
      if let step = entry.step { lone[Presence(step), default: 0] += 1 }
    }
  }

  // MARK: - The sentence of Why

  func explanation(
    of first: FirstDifference, changes: [ChangedLines], areOnStack: Bool = true, varies: Bool
  ) -> Explanation {
    let entry = stories.entries[first.index]
    let before = stories.entries[..<first.index].last { $0.failed != nil }?.failed
    var sentence: Explanation.Words =
      if let step = entry.failed {
        "At \(step: step.number)"
      } else {
        before.map { "Behind \(step: $0.number)" } ?? "At its beginning"
      }
    sentence += "\(", ", place: entry.step?.place)\(leadingWords(of: entry))"
    let effect = effect(of: first)
    if let effect { sentence += "; the first to do something else is \(effect.words)" }
    sentence += "; \(origin.passWords).\(words(of: changes, areOnStack: areOnStack))"
    sentence += "\(orderWords(at: first.index))\(partingWords(before: first.index) ?? "")"
    let isSure = first.isSure && !varies
    let likely = varies ? Weight.varyingDifference : Weight.likelyDifference
    return Explanation(
      isSure ? .certain : .likely, sentence, rows: effect?.rows ?? related(entry),
      weight: isSure ? Weight.firstDifference : likely,
      about: Set([entry.failed?.number].compactMap { $0 }))
  }

  /// Effects first, the statement last.
  private func leadingWords(of entry: ComparedStories.Entry) -> Explanation.Words {
    guard let difference = entry.difference, let failed = entry.failed, let passed = entry.passed,
      difference.kinds.isDisjoint(with: [.text, .database]), entry.crossed == nil
    else { return ": \(words(of: entry))" }
    let did = effects(of: difference, failed, passed)
    guard let first = did.first else { return ": \(words(of: entry))" }
    return ", it \(did.dropFirst().reduce(first) { "\($0), \($1)" }), by \(statement(failed))"
  }

  /// The first different effect of a rewritten statement.
  private func effect(of first: FirstDifference) -> (words: Explanation.Words, rows: RelatedRows?)? {
    let entry = stories.entries[first.index]
    guard entry.difference?.kinds == [.text] else { return nil }
    for later in stories.entries[(first.index + 1)...] {
      guard let difference = later.difference, let failed = later.failed, let passed = later.passed,
        failed.sql == entry.failed?.sql, passed.sql == entry.passed?.sql, difference.kinds != [.text]
      else { continue }
      let did = effects(of: difference, failed, passed)
      guard !did.isEmpty else { continue }
      let joined = did.dropFirst().reduce(did[0]) { "\($0), \($1)" }
      return ("\(step: failed.number), which \(joined)", related(later))
    }
    return nil
  }

  /// A changed order of equal statements can change values.
  private func orderWords(at index: Int) -> Explanation.Words {
    guard stories.entries[...index].contains(where: { $0.crossed != nil }) else { return "" }
    let count = stories.entries.count { $0.crossed != nil }
    return """
       \(counted(count, "step")) ran in another order than when it passed, as those do that follow a Dictionary, a Set, or rows \
      without ORDER BY, or that tasks and threads run at once.
      """
  }

  /// Where the runs parted, and whether that was later than in the pass.
  ///
  /// The place is told if it uses no table that leads to the failure.
  private func partingWords(before index: Int) -> Explanation.Words? {
    guard stories.entries[index].isAlone else { return nil }
    let parting = stories.entries[...index].firstIndex { $0.isAlone && $0.step?.isRead == false } ?? index
    let late = lateness(of: parting)
    guard parting < index, let step = stories.entries[parting].step else {
      return late.map { " It began \($0)." }
    }
    var sentence: Explanation.Words = " The runs part before that"
    if stories.entries[parting].failed != nil { sentence += " at \(step: step.number)" }
    let places = (step.stack?.frames.map(\.place) ?? []).drop { $0 != step.place }
    for (number, place) in places.prefix(2).enumerated() {
      sentence += "\(number == 0 ? ", " : ", called from ", place: place)"
    }
    return "\(sentence): \(words(of: stories.entries[parting]))\(late.map { "; it began \($0)" } ?? "")."
  }

  /// The pause before a step, where the pass went on sooner.
  private func lateness(of index: Int) -> String? {
    let entries = stories.entries
    guard entries[index].passed == nil, let step = entries[index].failed,
      let place = entries[..<index].lastIndex(where: { $0.failed != nil && $0.passed != nil }),
      let before = entries[place].failed, let passed = entries[place].passed,
      let next = entries[(place + 1)...].lazy.compactMap(\.passed).first(where: { $0.number > passed.number })
    else { return nil }
    let (pause, pauseThen) = (
      step.recorded.time - before.recorded.time, next.recorded.time - passed.recorded.time
    )
    guard pause >= Self.leastPause, pause > pauseThen * Self.longerPause else { return nil }
    return
      "\(milliseconds(pause)) behind step \(before.number); when it passed, the next step began after \(milliseconds(pauseThen))"
  }

  private func milliseconds(_ seconds: Double) -> String {
    "\(Int((min(max(0, seconds), 1e6) * 1000).rounded())) ms"
  }

  /// One sentence per file and commit.
  private func words(of changes: [ChangedLines], areOnStack: Bool) -> Explanation.Words {
    func commit(_ change: ChangedLines) -> String? {
      change.lastCommit.map { "\(shortCommit($0.hash)) (\(shortened($0.subject, to: 60)))" }
    }
    let told = changes.groups { [$0.path, commit($0)] }.reduce(into: "" as Explanation.Words) {
      sentences, file in
      let lines = file.map(\.linesText).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        .joined(separator: " and ")
      let when = commit(file[0]).map { "in \($0)" } ?? origin.sinceWords
      sentences +=
        " \(file[0].path) \(lines) changed \(when), \(areOnStack ? "" : "not ")on this step’s stack."
    }
    return "\(told)\(changes.isEmpty || areOnStack ? "" : " Nothing else changed.")"
  }

  // MARK: - A row of the page

  func row(_ entry: ComparedStories.Entry) -> PassComparison.Row {
    var row = PassComparison.Row(
      failed: entry.failed.map(side), passed: entry.passed.map(side), words: words(of: entry).pieces,
      related: related(entry))
    if case .different(let difference) = entry.kind, difference.kinds.contains(.text),
      let failed = entry.failed, let passed = entry.passed
    {
      row.wordsBesideTexts = words(of: difference, failed, passed, quotes: false).pieces
    }
    return row
  }

  private func side(_ step: ToldSteps.Step) -> PassComparison.Side {
    PassComparison.Side(
      number: step.number, statement: step.recorded.isWithheld ? step.sql : step.asked, place: step.place)
  }

  // MARK: - What is different

  private func words(of entry: ComparedStories.Entry) -> Explanation.Words {
    switch entry.kind {
    case .alike: return ""
    case .added:
      return presence(
        of: entry.failed, " ran, which it did not when it passed", in: stories.failed,
        stories.loneDatabases.failed)
    case .missing:
      return presence(
        of: entry.passed, " did not run, which it did when it passed", in: stories.passed,
        stories.loneDatabases.passed)
    case .moved: return "\(statement(entry.failed))\(order(of: entry, " ran"))"
    case .different(let difference):
      guard let failed = entry.failed, let passed = entry.passed else { return "" }
      let order = failed.isRead ? order(of: entry, "; it ran") : ""
      return "\(words(of: difference, failed, passed))\(order)"
    }
  }

  private func order(of entry: ComparedStories.Entry, _ verb: String) -> Explanation.Words {
    guard let step = entry.failed, let crossed = entry.crossed else { return "" }
    let side = crossed.number < step.number ? "behind" : "before"
    return "\(verb) \(side) \(step: crossed.number) and not the other way round, as when it passed"
  }

  /// - Parameter quotes: False beside the two texts.
  private func words(
    of difference: StepDifference, _ failed: ToldSteps.Step, _ passed: ToldSteps.Step, quotes: Bool = true
  ) -> Explanation.Words {
    var parts: [Explanation.Words] = []
    let isText = difference.kinds.contains(.text)
    if isText, !quotes {
      parts.append("It ran another statement")
    } else if isText {
      let (one, two) = Self.unlike(failed.sql, passed.sql)
      let hasLiterals = [failed.sql, passed.sql].contains { !SQLToken.literals(in: $0, names: []).isEmpty }
      // The difference may begin inside a literal.
      parts.append(
        hasLiterals
          ? "it ran another statement\(values: ": “\(one)” where it ran “\(two)” then")"
          : "it ran \(statement: one) where it ran \(statement: two) then")
    } else {
      parts.append(statement(failed))
    }
    if difference.kinds.contains(.database) {
      let name = stories.failed.databases[safe: failed.database]?.name ?? "another file"
      let other = stories.passed.databases[safe: passed.database]?.name ?? "another file"
      parts.append("worked on \(name), on \(other) when it passed")
    }
    parts += effects(of: difference, failed, passed)
    if parts.count == 1, !isText { parts.append("was given other values than when it passed") }
    return parts.enumerated().reduce(into: "") { words, part in
      words += "\(part.offset == 0 ? "" : part.offset == 1 && !isText ? " " : ", ")\(part.element)"
    }
  }

  private func effects(
    of difference: StepDifference, _ failed: ToldSteps.Step, _ passed: ToldSteps.Step
  ) -> [Explanation.Words] {
    var parts: [Explanation.Words] = []
    if difference.kinds.contains(.error) { parts.append(errorWords(failed, passed)) }
    if !difference.values.isEmpty { parts.append(valueWords(difference)) }
    if difference.kinds.contains(.rowsChanged) { parts.append(changedWords(failed, passed)) }
    if difference.kinds.contains(.rowsRead) { parts.append(readWords(difference, failed, passed)) }
    return parts
  }

  private func presence(
    of step: ToldSteps.Step?, _ words: String, in told: ToldSteps, _ lone: Set<Int>
  ) -> Explanation.Words {
    guard let step else { return "" }
    var sentence = statement(step)
    if lone.contains(step.database), let name = told.databases[safe: step.database]?.name {
      sentence += " on \(name)"
    }
    sentence += "\(words)"
    let alike = self.lone[Presence(step), default: 0]
    if alike > 1 { sentence += ", like \(counted(alike - 1, "other step"))" }
    let count = step.written.count
    if count > 0 { sentence += "; it changed \(counted(count, "row"))" }
    return sentence
  }

  private func statement(_ step: ToldSteps.Step?) -> Explanation.Words {
    step.map { "\(statement: $0.sql)" } ?? ""
  }

  private func errorWords(_ failed: ToldSteps.Step, _ passed: ToldSteps.Step) -> Explanation.Words {
    func words(_ step: ToldSteps.Step) -> Explanation.Words {
      step.recorded.error.map { "failed\(values: " with “\(shortened($0.message, to: 120))”")" }
        ?? "succeeded"
    }
    return "\(words(failed)); when it passed it \(words(passed))"
  }

  private func valueWords(_ difference: StepDifference) -> Explanation.Words {
    let columns = difference.values.contains { $0.column != nil }
    var words: Explanation.Words = columns ? "wrote " : "was given "
    let told = difference.values.filter { !columns || $0.column != nil }
    for (index, value) in told.prefix(Self.mostValues).enumerated() {
      let values = "\(value.failed), \(value.passed) when it passed"
      if index > 0 { words += ", " }
      if let column = value.column {
        words += "\(column)\(values: " " + values, without: " otherwise than when it passed")"
      } else {
        words += "\(values: values, without: "another value than when it passed")"
      }
    }
    let others = told.count - Self.mostValues
    if others > 0 { words += " and \(counted(others, "other value"))" }
    return words
  }

  private func changedWords(_ failed: ToldSteps.Step, _ passed: ToldSteps.Step) -> Explanation.Words {
    func count(_ step: ToldSteps.Step) -> Int {
      max(step.written.count { $0.told.depth == 0 }, step.recorded.changed ?? 0)
    }
    let (one, two) = (count(failed), count(passed))
    if one != two { return "changed \(counted(one, "row")), \(grouped(two)) when it passed" }
    let (deep, deepThen) = (failed.deepChanges, passed.deepChanges)
    return deep == deepThen
      ? "changed other rows than when it passed"
      : "changed \(counted(deep, "row")) by triggers and cascades, \(grouped(deepThen)) when it passed"
  }

  private func readWords(
    _ difference: StepDifference, _ failed: ToldSteps.Step, _ passed: ToldSteps.Step
  ) -> Explanation.Words {
    let (rows, others) = (failed.recorded.rows ?? 0, passed.recorded.rows ?? 0)
    let (only, onlyThen) = (difference.onlyFailed, difference.onlyPassed)
    if rows == 1, others == 1, let row = failed.recorded.results.first,
      let other = passed.recorded.results.first
    {
      let places = row.indices.filter { row[$0] != other[safe: $0] }
      if let place = places.first, places.count == 1, let value = row[place],
        let then = other[safe: place].flatMap(\.self)
      {
        let column = failed.recorded.columns[safe: place].map { row.count > 1 ? "\($0) " : "" } ?? ""
        // An expression column is named by its text.
        let values = ": \(column)\(StepDifference.text(value)), then \(StepDifference.text(then))"
        return "returned something else than when it passed\(values: values)"
      }
    }
    if onlyThen.isEmpty, !only.isEmpty {
      return "read \(counted(only.count, "row")) that it did not read when it passed"
    }
    if only.isEmpty, !onlyThen.isEmpty {
      return "did not read \(counted(onlyThen.count, "row")) that it read when it passed"
    }
    if rows != others { return "read \(counted(rows, "row")), \(grouped(others)) when it passed" }
    switch difference.untoldRows {
    case .other: return "returned other first rows than when it passed"
    case .reordered: return "returned its first rows in another order than when it passed"
    case .unknown: return "returned other rows than when it passed, or in another order"
    case nil: break
    }
    if only.isEmpty { return "read the same rows in another order than when it passed" }
    return "read \(counted(only.count, "row")) with other values than when it passed"
  }

  // MARK: - Rows

  private func related(_ entry: ComparedStories.Entry) -> RelatedRows? {
    switch entry.kind {
    case .alike, .moved: return nil
    case .added, .missing:
      guard let step = entry.step else { return nil }
      return written(
        entry.failed == nil ? [] : step.written, entry.passed == nil ? [] : step.written, in: nil)
    case .different(let difference):
      guard let failed = entry.failed, let passed = entry.passed else { return nil }
      let changed = written(
        failed.written, passed.written, in: difference.tables.min { $0.name < $1.name })
      return changed ?? read(difference, failed, passed)
    }
  }

  private func read(
    _ difference: StepDifference, _ failed: ToldSteps.Step, _ passed: ToldSteps.Step
  ) -> RelatedRows? {
    let rows =
      difference.onlyFailed.prefix(Self.mostRows).map { [DatabaseValue.text("now")] + $0 }
      + difference.onlyPassed.prefix(Self.mostRows).map { [DatabaseValue.text("when it passed")] + $0 }
    guard let first = rows.first else { return nil }
    let columns = (0..<first.count - 1).map {
      failed.recorded.columns[safe: $0] ?? passed.recorded.columns[safe: $0] ?? "column \($0 + 1)"
    }
    let order = Self.differentFirst(rows)
    return RelatedRows(
      table: StoryTable(database: failed.database, name: ""), title: "Rows that only one of the two read",
      columns: Self.sorted(["read"] + columns, order), rows: rows.map { Self.sorted($0, order) },
      count: difference.onlyFailed.count + difference.onlyPassed.count)
  }

  private func written(
    _ changes: [ToldSteps.Change], _ others: [ToldSteps.Change], in table: StoryTable?
  ) -> RelatedRows? {
    guard let table = table ?? (changes + others).first?.table else { return nil }
    // There is no captured file of a pass.
    let columns = (changes + others).first { $0.table.name == table.name }?.columns ?? []
    func rows(_ changes: [ToldSteps.Change], _ run: String) -> [[DatabaseValue]] {
      changes.filter { $0.table.name == table.name }.map { change in
        let row = change.told.new.isEmpty ? change.told.old : change.told.new
        return [.text(change.told.new.isEmpty ? "\(run), deleted" : run)] + row.map { $0 ?? .null }
      }
    }
    let (now, then) = (rows(changes, "now"), rows(others, "when it passed"))
    let unlike = Self.unlike(now, then)
    guard !unlike.isEmpty else { return nil }
    let shown = unlike.prefix(2 * Self.mostRows)
    let order = Self.differentFirst(Array(shown))
    return RelatedRows(
      table: table, title: "\(table.name): written then and now",
      columns: Self.sorted(["written"] + columns, order), rows: shown.map { Self.sorted($0, order) },
      count: unlike.count)
  }

  /// Column indices, columns with different values first.
  ///
  /// Tables can have too many columns to show. Values that vary by run do not count.
  ///
  /// - Parameter rows: Rows that begin with their run.
  private static func differentFirst(_ rows: [[DatabaseValue]]) -> [Int] {
    let runs = Dictionary(grouping: rows) { $0[0] }
    let width = rows.map(\.count).min() ?? 0
    guard runs.count == 2, width > 1 else { return [] }
    let columns = 1..<width
    let different = Set(
      columns.filter { column in
        Set(runs.values.map { rows in rows.map { withoutVarying($0[column]) } }).count > 1
      })
    return [0] + columns.filter(different.contains) + columns.filter { !different.contains($0) }
  }

  private static func withoutVarying(_ value: DatabaseValue) -> DatabaseValue {
    switch value {
    case .text(let text, let whole): .text(VaryingText(text).shape, whole: whole)
    case .blob(let bytes, let whole) where bytes.count == 16: .blob([], whole: whole)
    default: value
    }
  }

  private static func sorted<Member>(_ members: [Member], _ order: [Int]) -> [Member] {
    guard let last = order.max(), last < members.count else { return members }
    return order.map { members[$0] } + members.dropFirst(order.count)
  }

  /// Rows of only one side; with equal counts, in pairs.
  private static func unlike(_ now: [[DatabaseValue]], _ then: [[DatabaseValue]]) -> [[DatabaseValue]] {
    if now.count == then.count {
      return zip(now, then).filter { $0.dropFirst() != $1.dropFirst() }.flatMap { [$0, $1] }
    }
    let (one, two) = (Set(now.map { Array($0.dropFirst()) }), Set(then.map { Array($0.dropFirst()) }))
    return now.filter { !two.contains(Array($0.dropFirst())) }
      + then.filter { !one.contains(Array($0.dropFirst())) }
  }

  /// The differing parts of two statements with some context.
  static func unlike(_ sql: String, _ other: String) -> (String, String) {
    let (one, two) = (words(sql), words(other))
    guard sql.count > 60 || other.count > 60 else {
      return (one.joined(separator: " "), two.joined(separator: " "))
    }
    var start = 0
    while start < min(one.count, two.count), one[start] == two[start] { start += 1 }
    var end = 0
    while end < min(one.count, two.count) - start, one[one.count - 1 - end] == two[two.count - 1 - end] {
      end += 1
    }
    func part(_ words: [Substring]) -> String {
      var (first, last, size) = (start, words.count - end, 0)
      while first > 0, size < around { first -= 1; size += words[first].count + 1 }
      size = 0
      while last < words.count, size < around / 2 { size += words[last].count + 1; last += 1 }
      return (first > 0 ? "… " : "") + words[first..<last].joined(separator: " ")
        + (last < words.count ? " …" : "")
    }
    return (part(one), part(two))
  }

  private static func words(_ sql: String) -> [Substring] { sql.split(whereSeparator: \.isWhitespace) }
}

extension ToldSteps.Step {
  fileprivate var deepChanges: Int { written.count { $0.told.depth > 0 } }
}
