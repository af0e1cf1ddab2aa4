import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// A story as lines of text, for the terminal and for Markdown: as many of its steps as there is room for.
struct PrintedStory {
  /// A part that is shown whole or not at all.
  private struct Unit {
    var group: Int
    /// 0 for what is always shown.
    var rank: Int
    /// The index of the database in its group's heading.
    var database: Int
    /// That it stands for, and that its lines tell.
    var steps: Int
    var told: Int
    var contents: Contents

    /// The number of its single step.
    var number: Int?

    /// `nil` of what is no single step.
    var step: StoryStep? { if case .step(let step) = contents { step } else { nil } }
  }

  /// A story has thousands of steps and a document room for few: only what may have room is put into words.
  ///
  /// It is indirect, as a step is large.
  private indirect enum Contents {
    case lines([TerminalLine])
    case step(StoryStep)
    case repeated(Repeated<StoryStep>)
  }

  let story: Story
  /// False for a list of transactions, whose text tells what they changed; nothing heads them.
  private var isTrace: Bool { story.source == .trace }
  private let test: TestResult
  let marks: StoryValueMarks
  private let operands: NamedOperands?
  /// The lines of the test's function with what each did.
  let code: CodeLines
  /// The odd steps that are named.
  private let odd: [OddSteps]
  let rare: RareMarks
  /// By their numbers, the steps that are shown whatever the room: their places in the order of what matters most.
  private let importance: [Int: Int]
  private var units: [Unit] = []
  /// Headings by group; those of groups without a shown step are left out.
  private var headings: [TerminalLine] = []

  private static let (longestStatement, mostResults, mostOpened) = (1000, 5, 2)
  /// Steps of one statement that are shown before others.
  private static let mostAlike = 2
  /// Scalars of a statement that is told on one line for want of room.
  private static let briefStatement = 100

  /// - Parameter sourceLines: The text of the lines that the story names.
  init(
    _ story: Story, of test: TestResult, sources: [SourceReference: SourceExcerpt] = [:],
    sourceLines: [SourceReference: String] = [:]
  ) {
    (self.story, self.test) = (story, test)
    code = CodeLines(story: story, sources: sourceLines)
    rare = RareMarks(story)
    odd = Array(story.rareOddSteps { story.markText($0) }.groups.prefix(Story.mostOdd))
    importance = Dictionary(
      (story.tellingNumbers + story.markedNumbers(odd)).enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
    marks = StoryValueMarks(story)
    operands = test.issuesOfFailure.first(where: \.isFailure).flatMap {
      NamedOperands(of: $0, sources: sources)
    }
    add(story.setUp, part: "Set-up")
    add(story.items, part: nil)
    add(story.afterFailure, part: "After the failure")
  }

  /// The lines before the steps: what it changed and wrote last, where neither its lines nor Why tell it, what is odd,
  /// and where values of the message stand.
  ///
  /// - Parameter isShort: True where there is little room: who opened which of several databases tells the least.
  func head(isShort: Bool) -> [TerminalLine] {
    let (isExplained, hasLines) = (!story.explanations.isEmpty, !story.lines.isEmpty)
    var lines: [TerminalLine] = hasLines ? [] : [TerminalLine(story.changeText, .strong)]
    if !isExplained, !hasLines { lines += story.ending.map { TerminalLine($0.text, .strong) } }
    lines += [story.tally, story.sourceText].compactMap { $0 }.map { TerminalLine($0, .soft) }
    lines += story.notices.map { TerminalLine("! " + $0, .odd) }
    for step in odd.compactMap(\.recent.last) {
      let marks = story.markText(rare[step], of: step)
      lines.append(
        TerminalLine("! Step \(step.number) \(marks): \(shortened(step.statement.trimmed, to: 160))", .odd))
    }
    lines += story.databases.prefix(isShort && story.databases.count > 1 ? 0 : Self.mostOpened).compactMap {
      database in
      database.openedText.map { TerminalLine("\(database.name) was opened in \($0)", .soft) }
    }
    for (index, value) in story.messageValues.enumerated() where !isExplained || value.role != .difference {
      let places = story.valuePlaces.filter { $0.value == index }.map { story.text(of: $0.place) }
      guard !places.isEmpty else { continue }
      lines.append(
        TerminalLine(
          "\(MessageValue.sign(index)) \(shortened(value.text, to: 60)) (\(shortened(value.roleText(operands), to: 60))): "
            + places.joined(separator: "; ")))
    }
    for table in story.changes.tables where !hasLines {
      lines += table.columnNotes.prefix(6).map {
        TerminalLine("  \(story.name(of: table.table)).\($0)", .soft)
      }
    }
    for state in story.states { lines += stateLines(state) }
    if let advice = story.advice { lines.append(TerminalLine(advice, .soft)) }
    return lines
  }

  /// The steps that there is room for; where that is not all, before them each distinct statement once.
  ///
  /// - Parameter bytes: `Int.max` for all steps.
  func body(bytes: Int) -> [TerminalLine] {
    let (lines, omitted) = told(bytes: bytes)
    guard bytes != .max, omitted > 0, !story.statements.isEmpty else { return lines }
    func size(_ lines: [TerminalLine]) -> Int { lines.reduce(1) { $0 + $1.text.utf8.count + 1 } }
    let examples = Dictionary(
      story.statements.map { ($0.example.statement, $0.example.number) },
      uniquingKeysWith: { first, _ in first })
    let origins = story.leadingReads.compactMap { story[step: story.highlights[$0].last] }
    let (table, told) = statements(
      bytes: bytes - size(self.told(bytes: 0, after: examples).lines), besides: origins)
    // The read that the value comes from, and the odd steps of the head.
    let known = told.merging((origins + odd.compactMap(\.recent.last)).map { ($0.statement, $0.number) }) {
      told, _ in told
    }
    let used = size(table)
    return table + [TerminalLine("")] + self.told(bytes: max(0, bytes - used), after: known).lines
  }

  /// The steps in their order, the most telling ones of them where there is no room for all.
  ///
  /// - Parameter omission: Says how many steps are left out.
  func steps(
    bytes: Int, most: Int = 300, omission: (Int) -> String = Self.omission
  ) -> [TerminalLine] {
    told(bytes: bytes, most: most, omission: omission).lines
  }

  private static func omission(_ count: Int) -> String { "\(counted(count, "step")) left out" }

  /// The steps in their order: those that Why names, those that are marked, and what failed or was read last are never left
  /// out.
  ///
  /// - Parameter known: By statement, the step above that tells it.
  private func told(
    bytes: Int, most: Int = 300, omission: (Int) -> String = Self.omission,
    after known: [String: Int] = [:]
  ) -> (lines: [TerminalLine], omitted: Int) {
    var (room, count) = (bytes, 0)
    var shown: [Int: [TerminalLine]?] = [:]
    var told = Set(known.keys)
    let numbers = Set(known.values)
    for index in order {
      let unit = units[index]
      let isNeeded = unit.rank == 0
      if let number = unit.number, numbers.contains(number), let step = unit.step,
        known[step.statement] == number
      {
        shown[index] = .some(nil)
        continue
      }
      let heading = headings[unit.group].text.utf8.count + 40
      guard isNeeded || count < most && heading < room else { continue }
      func size(_ lines: [TerminalLine]) -> Int { lines.reduce(heading) { $0 + $1.text.utf8.count + 1 } }
      // Which of two that share their statement tells it is seen in the end.
      let isAlike = bytes != .max && unit.step.map { told.contains($0.statement) } == true
      var size = size(lines(of: unit, alike: isAlike ? 0 : nil))
      var brief: [TerminalLine]?
      if size > room {
        guard isNeeded else { continue }
        if let step = unit.step {
          brief = [self.brief(step)]
          size = heading + self.brief(step).text.utf8.count + 1
        }
      }
      room -= size
      count += unit.told
      shown[index] = .some(brief)
      if brief == nil, let step = unit.step { told.insert(step.statement) }
    }
    /// By statement: the step above that tells it whole.
    var whole = known
    var lines: [TerminalLine] = []
    var (group, omitted, all) = (-1, 0, 0)
    func tellOmitted() {
      if omitted > 0 { lines.append(TerminalLine("  … \(omission(omitted))", .soft)) }
      all += omitted
      omitted = 0
    }
    for index in units.indices {
      guard let brief = shown[index] else {
        omitted += units[index].steps
        continue
      }
      let step = units[index].step
      // What is told above already.
      if let step, known[step.statement] == step.number { continue }
      let alike = bytes == .max ? nil : step.flatMap { whole[$0.statement] }
      let own = brief ?? self.lines(of: units[index], alike: alike)
      if brief == nil, alike == nil, let step { whole[step.statement] = step.number }
      tellOmitted()
      if units[index].group != group, isTrace, !headings[units[index].group].text.isEmpty {
        lines.append(headings[units[index].group])
      }
      group = units[index].group
      lines += own
    }
    tellOmitted()
    return (lines, all)
  }

  /// The units in the order in which they get room: of like rank the last ones first, and those of other statements before
  /// the third of one.
  private var order: [Int] {
    var times: [String: Int] = [:]
    var ranks = units.map(\.rank)
    // The steps just before the first one of a sentence of Why tell how it came to that.
    let firsts = Set(story.explanations.compactMap(\.steps.first))
    for index in units.indices where units[index].number.map(firsts.contains) ?? false {
      for before in [index - 1, index - 2] where before >= 0 && units[before].group == units[index].group {
        ranks[before] = min(ranks[before], 1)
      }
    }
    for index in units.indices.reversed() where ranks[index] > 1 {
      guard let sql = units[index].step?.sql else { continue }
      times[sql, default: 0] += 1
      if times[sql] ?? 0 > Self.mostAlike { ranks[index] += 4 }
    }
    let places = units.indices.map { index in
      ranks[index] == 0 ? units[index].number.flatMap { importance[$0] } ?? -1 : -index
    }
    return units.indices.sorted { one, other in
      ranks[one] == ranks[other] ? places[one] < places[other] : ranks[one] < ranks[other]
    }
  }

  // MARK: - Units

  private mutating func add(_ items: [StoryItem], part: String?) {
    let prefix = part.map { "\($0): " } ?? ""
    // The steps outside the test itself rank behind all of it.
    let later = part == nil ? 0 : 4
    for item in items {
      switch item {
      case .issue(let ordinal): addIssue(ordinal)
      case .one(let group):
        let isPlain = group.state == .single && group.steps.allSatisfy(marks.isQuiet)
        headings.append(isPlain ? TerminalLine("") : heading(group, prefix))
        add(group.entries, later: later, group.database)
      case .repeated(let repeated):
        headings.append(TerminalLine("\(prefix)\(grouped(repeated.times)) times the same", .strong))
        for group in repeated.first { add(group.entries, later: later, group.database) }
        for group in repeated.last where group.steps.contains(where: { importance[$0.number] != nil }) {
          headings.append(heading(group, prefix))
          add(group.entries, later: later, group.database)
        }
        add(
          .lines([
            TerminalLine("  in all: \(repeated.totalsText ?? "no rows")\(Self.unlisted(repeated))", .soft)
          ]),
          rank: 3 + later,
          steps: 0)
      }
    }
  }

  /// Adds a unit below the last heading.
  private mutating func add(_ contents: Contents, rank: Int, _ database: Int = 0, steps: Int, told: Int = 1) {
    var unit = Unit(
      group: headings.count - 1, rank: rank, database: database, steps: steps, told: told, contents: contents)
    unit.number = unit.step?.number
    units.append(unit)
  }

  private func heading(_ group: StoryGroup, _ prefix: String) -> TerminalLine {
    TerminalLine(
      "\(prefix)\(group.title) · \(group.place(in: story))",
      group.isOdd ? .odd : .strong)
  }

  private mutating func add(_ entries: [StoryEntry], later: Int, _ database: Int) {
    var quiet: [StoryStep] = []
    func addQuiet() {
      guard let first = quiet.first else { return }
      let statements = quiet.map { step in
        shortened(step.statement.trimmed, to: 100) + (step.onlyValue.map { " → \($0)" } ?? "")
      }.joined(separator: "; ")
      let line = "  \(padded(String(first.number), to: 4, with: " "))  \(shortened(statements, to: 300))"
      add(.lines([TerminalLine(line, .soft)]), rank: 4 + later, steps: quiet.count, told: quiet.count)
      quiet = []
    }
    defer { addQuiet() }
    for entry in entries {
      if let step = entry.only, marks.isQuiet(step) {
        quiet.append(step)
        continue
      }
      addQuiet()
      switch entry {
      case .issue(let ordinal): addIssue(ordinal)
      case .one(let step): add(.step(step), rank: rank([step], later), database, steps: 1)
      case .repeated(let repeated):
        add(
          .repeated(repeated), rank: rank(repeated.first + repeated.last, later), database,
          steps: entry.stepCount, told: 2 * repeated.first.count)
      }
    }
  }

  /// - Parameter later: Added to the rank of what is no part of the test itself.
  private func rank(_ steps: [StoryStep], _ later: Int) -> Int {
    if steps.contains(where: { importance[$0.number] != nil }) { return 0 }
    return later + 1 + (steps.map { StorySelection.rank($0, marks, rare) }.min() ?? 3)
  }

  private mutating func addIssue(_ ordinal: Int) {
    let issue = test.issuesOfFailure[safe: ordinal]
    let headline =
      issue.map { ": " + glance(FailureMessage($0.message).difference?.headline ?? $0.message) } ?? ""
    headings.append(TerminalLine(""))
    add(.lines([TerminalLine("✗ The test failed here\(headline)", .failed)]), rank: 0, steps: 0)
  }

  /// - Parameter alike: The step that tells the same statement; `nil` where none does.
  private func lines(of unit: Unit, alike: Int?) -> [TerminalLine] {
    switch unit.contents {
    case .lines(let lines): lines
    case .step(let step): lines(of: step, in: unit.database, alike: alike)
    case .repeated(let repeated): lines(of: repeated, in: unit.database)
    }
  }

  /// Of a repeated transaction the first one stands there.
  private static func unlisted(_ repeated: Repeated<StoryGroup>) -> String {
    let steps = (repeated.times - 1) * repeated.first.reduce(0) { $0 + $1.stepCount }
    return ", \(counted(steps, "step")) of them like the first ones"
  }

  private func lines(of repeated: Repeated<StoryStep>, in database: Int) -> [TerminalLine] {
    let all = repeated.totalsText ?? "no rows"
    var lines = [TerminalLine("  \(grouped(repeated.times)) times, \(all); the first and the last:")]
    lines += repeated.first.flatMap { self.lines(of: $0, in: database) }
    let between = repeated.stepsBetween
    lines.append(TerminalLine("     ⋮" + (between > 0 ? " \(counted(between, "step")) between" : ""), .soft))
    return lines + repeated.last.flatMap { self.lines(of: $0, in: database) }
  }

  // MARK: - A step

  /// On one line, where there is no room for more.
  private func brief(_ step: StoryStep) -> TerminalLine {
    TerminalLine(
      "  \(padded(step.label, to: 4, with: " "))  \(shortened(Self.onOneLine(step.statement), to: Self.briefStatement))",
      .soft)
  }

  /// A statement on one line, cut in its middle.
  ///
  /// - Parameters:
  ///   - most: Scalars.
  ///   - query: Scalars of one that reads from a table, whose conditions matter.
  static func shortStatement(_ statement: String, to most: Int, query: Int) -> String {
    shortenedInside(onOneLine(statement), to: StatementText(statement).readsTable ? query : most)
  }

  static func onOneLine(_ statement: String) -> String {
    statement.trimmed.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  /// - Parameters:
  ///   - database: The index of the database in the heading above.
  ///   - alike: As of a unit.
  private func lines(of step: StoryStep, in database: Int, alike: Int? = nil) -> [TerminalLine] {
    let result = isTrace ? step.resultText(rows: step.rows, changed: step.changed) : nil
    let others = [
      step.ownerText, step.database == database ? nil : story.name(ofDatabase: step.database),
      step.placeText,
    ]
    let facts = step.facts(result: result).map(\.text) + others.compactMap(\.self)
    let came = facts.isEmpty ? "" : "  → " + facts.joined(separator: ", ")
    let cut =
      alike.map { "the statement of step \($0)" }
      ?? shortened(Self.onOneLine(step.statement), to: Self.longestStatement)
    let style: TerminalStyle = step.undone != nil ? .removed : step.isReadOnly ? .soft : .plain
    var lines = [
      TerminalLine(
        "  \(padded(step.label, to: 4, with: " "))  \(step.undone == nil ? "" : "✗ ")\(cut)\(came)",
        style)
    ]
    lines += rare[step].map { TerminalLine("        ! it \(story.text(of: $0))", .odd) }
    lines += step.remarks.map { TerminalLine("        ! \(shortened($0, to: 500))", .odd) }
    for changes in step.changes { lines += self.lines(of: changes, step, in: database, indent: "        ") }
    if !step.consequences.isEmpty {
      let names =
        step.triggers.isEmpty ? "foreign keys" : "trigger \(step.triggers.prefix(5).joined(separator: ", "))"
      lines.append(TerminalLine("        by \(names):", .soft))
      for changes in step.consequences {
        lines += self.lines(of: changes, step, in: database, indent: "          ")
      }
    }
    lines += (step.commit?.statements ?? []).prefix(5).map {
      TerminalLine("        inside of it: \(shortened($0.trimmed, to: 200))", .soft)
    }
    return lines + resultLines(step) + relatedLines(step)
  }

  /// The rows that a statement failed by.
  private func relatedLines(_ step: StoryStep) -> [TerminalLine] {
    story.highlights.filter { $0.kind == .failed && $0.last == step.number }.flatMap { highlight in
      highlight.related.flatMap { $0.printed(highlight.names, indent: "        ") }
    }
  }

  func lines(
    of changes: StoryTableChanges, _ step: StoryStep, in database: Int, indent: String
  ) -> [TerminalLine] {
    let rows = story.rows(
      changes, of: step.number, marks: marks,
      limits: .init(rows: 8, alike: 2, most: 12, columns: 16, record: story.record))
    let name = story.name(of: changes.table, in: database)
    var lines = rows.rows.map { row -> TerminalLine in
      let key = row.key.map { " row \($0)" } ?? ""
      let cells = zip(rows.columns, row.cells).filter { row.operation != .update || $0.1.hasChanged }
      let told = cells.map { column, cell in
        let value = printedValue(cell.value, cell.meaning) + Self.signs(cell.met)
        guard cell.hasChanged else { return "\(column) \(value)" }
        let before = printedValue(cell.before, cell.meaningBefore)
        let note =
          before == printedValue(cell.value, cell.meaning) ? " (they differ behind what is shown)" : ""
        return "\(column) \(before)\(Self.signs(cell.metBefore)) → \(value)\(note)"
      }
      return TerminalLine(
        "\(indent)\(row.operation.sign) \(name)\(key)\(told.isEmpty ? "" : ": " + told.joined(separator: ", "))",
        row.operation.terminalStyle)
    }
    if let note = rows.note { lines.append(TerminalLine("\(indent)  \(note)", .soft)) }
    return lines
  }

  private func resultLines(_ step: StoryStep) -> [TerminalLine] {
    guard !step.results.isEmpty else { return [] }
    let columns = step.columns.prefix(StoryBudget.columnsOfResult).joined(separator: " | ")
    var lines = step.columns.isEmpty ? [] : [TerminalLine("        " + columns, .soft)]
    for (index, row) in step.results.prefix(Self.mostResults).enumerated() {
      let cells = row.prefix(StoryBudget.columnsOfResult).enumerated().map { column, value in
        printedValue(value) + Self.signs(marks.values(inStep: step.number, row: index, column: column))
      }
      lines.append(TerminalLine("        " + cells.joined(separator: " | ")))
    }
    let rest = (step.rows ?? step.results.count) - min(step.results.count, Self.mostResults)
    if rest > 0 { lines.append(TerminalLine("        … \(counted(rest, "more row"))", .soft)) }
    for sum in marks.sums[step.number] ?? [] where step.columns.indices.contains(sum.column) {
      lines.append(
        TerminalLine("        sum of \(step.columns[sum.column]): \(MessageValue.sign(sum.value))"))
    }
    return lines
  }

  static func signs(_ values: [Int]) -> String {
    values.isEmpty ? "" : " " + values.map(MessageValue.sign).joined()
  }
}

/// A value of a row on a line of text, cut after 120 characters.
func printedValue(_ value: DatabaseValue?) -> String {
  switch value {
  case nil: "(not told)"
  case .text(let text, let whole):
    "'\(shortened(text, to: 120))'\(whole.map { " (cut from \(counted($0.bytes, "byte")))" } ?? "")"
  case .some(let value): value.shortText
  }
}

/// A value with what it means behind it.
func printedValue(_ value: DatabaseValue?, _ meaning: String?) -> String {
  printedValue(value) + (meaning.map { " (\(printedLine($0)))" } ?? "")
}
