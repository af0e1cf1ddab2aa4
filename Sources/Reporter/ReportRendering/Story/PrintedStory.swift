import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// A line of plain text, with what colour may tell beside its words.
struct StoryLine: Equatable {
  var text: String
  var style = TerminalStyle.plain
  /// The place in the sources that the text names.
  var place: SourceReference?

  init(_ text: String, _ style: TerminalStyle = .plain, place: SourceReference? = nil) {
    self.text = printedLine(text)
    self.style = style
    self.place = place
  }
}

/// A story as lines of text, for the terminal and for Markdown: as many of its steps as there is room for.
struct PrintedStory {
  /// What is shown whole or not at all.
  private struct Unit {
    var group: Int
    /// 0 for what is always shown.
    var rank: Int
    /// That it stands for, and that its lines tell.
    var steps: Int
    var told = 1
    var contents: Contents
  }

  /// A story has thousands of steps and a document room for few: only what may have room is put into words.
  private enum Contents {
    case lines([StoryLine])
    case step(StoryStep)
    case repeated(RepeatedSteps)
  }

  private let story: Story
  private let test: TestResult
  private let marks: StoryValueMarks
  private let operands: NamedOperands?
  /// The lines of the test's function with what each did.
  private let lines: [StoryLine]
  private var units: [Unit] = []
  /// Headings by group; those of groups without a shown step are left out.
  private var headings: [StoryLine] = []

  private static let (longestStatement, mostResults, mostOpened) = (1000, 5, 3)

  /// - Parameter sourceLines: The text of the lines that the story names.
  init(
    _ story: Story, of test: TestResult, sources: [SourceReference: SourceExcerpt] = [:],
    sourceLines: [SourceReference: String] = [:]
  ) {
    (self.story, self.test) = (story, test)
    lines = CodeLines(story, sources: sourceLines).printed
    marks = StoryValueMarks(story)
    operands = test.issues.first(where: \.isFailure).flatMap { NamedOperands(of: $0, sources: sources) }
    let hasSetUp = !story.setUp.isEmpty
    if hasSetUp { add(story.setUp, part: "Set-up") }
    add(story.items, part: nil)
    if !story.afterFailure.isEmpty { add(story.afterFailure, part: "After the failure") }
  }

  /// The change, what is odd, and where values of the message stand.
  var head: [StoryLine] {
    var lines = self.lines + [StoryLine(story.changeText, .strong)]
    lines += story.ending.map { StoryLine($0.text, .strong) }
    lines += [story.tally, story.sourceText].compactMap { $0 }.map { StoryLine($0, .soft) }
    lines += story.databases.prefix(Self.mostOpened).compactMap { database in
      database.openedText.map { StoryLine("\(database.name) was opened in \($0)", .soft) }
    }
    lines += ([story.missingText].compactMap { $0 } + story.notices).map { StoryLine("! " + $0, .odd) }
    for step in story.oddSteps.prefix(12) {
      let marks = story.markText(of: step)
      lines.append(
        StoryLine("! Step \(step.number) \(marks): \(shortened(step.statement.trimmed, to: 160))", .odd))
    }
    if story.oddSteps.count > 12 {
      lines.append(StoryLine("! \(counted(story.oddSteps.count - 12, "more odd step"))", .odd))
    }
    for (index, value) in story.messageValues.enumerated() {
      let places = story.valuePlaces.filter { $0.value == index }.map { story.text(of: $0.place) }
      guard !places.isEmpty else { continue }
      lines.append(
        StoryLine(
          "\(MessageValue.sign(index)) \(shortened(value.text, to: 60)) (\(shortened(value.roleText(operands), to: 60))): "
            + places.joined(separator: "; ")))
    }
    for table in story.changes.tables {
      lines += table.columnNotes.prefix(6).map { StoryLine("  \(story.name(of: table.table)).\($0)", .soft) }
    }
    for state in story.states { lines += stateLines(state) }
    if let advice = story.advice { lines.append(StoryLine(advice, .soft)) }
    return lines
  }

  /// The steps in their order, the most telling ones of them where there is no room for all.
  ///
  /// - Parameter omission: Says how many steps are left out.
  func steps(
    bytes: Int, most: Int = 300, isHeaded: Bool = true,
    omission: (Int) -> String = { "\(counted($0, "step")) left out" }
  ) -> [StoryLine] {
    var (room, count) = (bytes, 0)
    var shown: [Int: [StoryLine]] = [:]
    let order = units.indices.sorted {
      units[$0].rank != units[$1].rank ? units[$0].rank < units[$1].rank : $0 > $1
    }
    for index in order {
      let isNeeded = units[index].rank == 0
      var cost = headings[units[index].group].text.utf8.count + 40
      guard isNeeded || count < most && cost < room else { continue }
      let lines = lines(of: units[index].contents)
      cost += lines.reduce(0) { $0 + $1.text.utf8.count + 1 }
      guard isNeeded || cost <= room else { continue }
      room -= cost
      count += units[index].told
      shown[index] = lines
    }
    var lines: [StoryLine] = []
    var (group, omitted) = (-1, 0)
    func tellOmitted() {
      if omitted > 0 { lines.append(StoryLine("  … \(omission(omitted))", .soft)) }
      omitted = 0
    }
    for index in units.indices {
      guard let own = shown[index] else {
        omitted += units[index].steps
        continue
      }
      tellOmitted()
      if units[index].group != group, isHeaded, !headings[units[index].group].text.isEmpty {
        lines.append(headings[units[index].group])
      }
      group = units[index].group
      lines += own
    }
    tellOmitted()
    return lines
  }

  // MARK: - Units

  private mutating func add(_ items: [StoryItem], part: String?) {
    let prefix = part.map { "\($0): " } ?? ""
    // What is apart from the test itself ranks behind all of it.
    let later = part == nil ? 0 : 4
    for item in items {
      switch item {
      case .issue(let ordinal): addIssue(ordinal)
      case .group(let group):
        let isPlain = group.state == .single && group.steps.allSatisfy(marks.isQuiet)
        headings.append(isPlain ? StoryLine("") : heading(group, prefix))
        add(group.entries, later: later)
      case .repeated(let repeated):
        headings.append(StoryLine("\(prefix)\(grouped(repeated.times)) times the same", .strong))
        for group in repeated.first { add(group.entries, later: later) }
        let total = Self.totals(repeated.rows, repeated.changed)
        units.append(
          Unit(
            group: headings.count - 1, rank: 3 + later, steps: 0,
            contents: .lines([StoryLine("  in all: \(total)", .soft)])))
      }
    }
  }

  private func heading(_ group: StoryGroup, _ prefix: String) -> StoryLine {
    StoryLine(
      "\(prefix)\(group.title) · \(group.place(in: story))",
      group.isOdd ? .odd : .strong)
  }

  private mutating func add(_ entries: [StoryEntry], later: Int) {
    var quiet: [StoryStep] = []
    func addQuiet() {
      guard let first = quiet.first else { return }
      let statements = quiet.map { shortened($0.statement.trimmed, to: 100) }.joined(separator: "; ")
      let line = "  \(padded(String(first.number), to: 4, with: " "))  \(shortened(statements, to: 300))"
      units.append(
        Unit(
          group: headings.count - 1, rank: 4 + later, steps: quiet.count, told: quiet.count,
          contents: .lines([StoryLine(line, .soft)])))
      quiet = []
    }
    defer { addQuiet() }
    for entry in entries {
      if case .step(let step) = entry, marks.isQuiet(step) {
        quiet.append(step)
        continue
      }
      addQuiet()
      switch entry {
      case .issue(let ordinal): addIssue(ordinal)
      case .step(let step):
        units.append(
          Unit(
            group: headings.count - 1, rank: StorySelection.rank(step, marks) + 1 + later, steps: 1,
            contents: .step(step)))
      case .repeated(let repeated):
        let rank = repeated.first.map { StorySelection.rank($0, marks) }.min() ?? 3
        units.append(
          Unit(
            group: headings.count - 1, rank: rank + 1 + later, steps: repeated.times * repeated.first.count,
            told: 2 * repeated.first.count, contents: .repeated(repeated)))
      }
    }
  }

  private mutating func addIssue(_ ordinal: Int) {
    let issue = test.issues.indices.contains(ordinal) ? test.issues[ordinal] : nil
    let headline =
      issue.map { ": " + glance(FailureMessage($0.message).difference?.headline ?? $0.message) } ?? ""
    headings.append(StoryLine(""))
    units.append(
      Unit(
        group: headings.count - 1, rank: 0, steps: 0,
        contents: .lines([StoryLine("✗ The test failed here\(headline)", .failed)])))
  }

  private func lines(of contents: Contents) -> [StoryLine] {
    switch contents {
    case .lines(let lines): lines
    case .step(let step): lines(of: step)
    case .repeated(let repeated): lines(of: repeated)
    }
  }

  private func lines(of repeated: RepeatedSteps) -> [StoryLine] {
    let all = Self.totals(repeated.rows.reduce(0, +), repeated.changed.reduce(0, +))
    var lines = [StoryLine("  \(grouped(repeated.times)) times, \(all); the first and the last:")]
    lines += repeated.first.flatMap { self.lines(of: $0) }
    lines.append(StoryLine("     ⋮", .soft))
    return lines + repeated.last.flatMap { self.lines(of: $0) }
  }

  private static func totals(_ rows: Int, _ changed: Int) -> String {
    let parts = [
      changed > 0 ? "\(counted(changed, "row")) changed" : nil, rows > 0 ? counted(rows, "row") : nil,
    ]
    let told = parts.compactMap { $0 }
    return told.isEmpty ? "no rows" : told.joined(separator: ", ")
  }

  // MARK: - A step

  private func lines(of step: StoryStep) -> [StoryLine] {
    let facts = [
      story.source == .wal ? nil : step.resultText(rows: step.rows, changed: step.changed),
      step.notableDuration, step.undoneText,
      step.ownerText,
    ]
    .compactMap { $0 }
    let came = facts.isEmpty ? "" : "  → \(facts.joined(separator: ", "))"
    let statement = step.statement.trimmed.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
      .joined(separator: " ")
    let cut = shortened(statement, to: Self.longestStatement)
    let style: TerminalStyle = step.undone != nil ? .removed : step.isReadOnly ? .soft : .plain
    var lines = [
      StoryLine(
        "  \(padded(step.label, to: 4, with: " "))  \(step.undone == nil ? "" : "✗ ")\(cut)\(came)",
        style)
    ]
    lines += step.marks.map { StoryLine("        ! it \(story.text(of: $0))", .odd) }
    lines += step.remarks.map { StoryLine("        ! \(shortened($0, to: 500))", .odd) }
    for changes in step.changes { lines += self.lines(of: changes, step, indent: "        ") }
    if !step.consequences.isEmpty {
      let names =
        step.triggers.isEmpty ? "foreign keys" : "trigger \(step.triggers.prefix(5).joined(separator: ", "))"
      lines.append(StoryLine("        by \(names):", .soft))
      for changes in step.consequences { lines += self.lines(of: changes, step, indent: "          ") }
    }
    lines += (step.commit?.statements ?? []).prefix(5).map {
      StoryLine("        inside of it: \(shortened($0.trimmed, to: 200))", .soft)
    }
    return lines + resultLines(step)
  }

  private func lines(of changes: StoryTableChanges, _ step: StoryStep, indent: String) -> [StoryLine] {
    let rows = StoryRows(
      changes, of: step.number, marks: marks,
      limits: .init(rows: 8, alike: 2, most: 12, columns: 16, record: story.record))
    let name = story.name(of: changes.table, in: step.database)
    var lines = rows.rows.map { row -> StoryLine in
      let key = row.key.map { " row \($0)" } ?? ""
      let cells = zip(rows.columns, row.cells).filter { row.operation != .update || $0.1.hasChanged }
      let told = cells.map { column, cell in
        let value = printedValue(cell.value) + Self.signs(cell.met)
        guard cell.hasChanged else { return "\(column) \(value)" }
        let before = printedValue(cell.before)
        let note = before == printedValue(cell.value) ? " (they differ behind what is shown)" : ""
        return "\(column) \(before)\(Self.signs(cell.metBefore)) → \(value)\(note)"
      }
      return StoryLine(
        "\(indent)\(row.operation.sign) \(name)\(key)\(told.isEmpty ? "" : ": " + told.joined(separator: ", "))",
        row.operation.terminalStyle)
    }
    if let note = rows.note { lines.append(StoryLine("\(indent)  \(note)", .soft)) }
    return lines
  }

  private func resultLines(_ step: StoryStep) -> [StoryLine] {
    guard !step.results.isEmpty else { return [] }
    var lines =
      step.columns.isEmpty
      ? [] : [StoryLine("        " + step.columns.prefix(16).joined(separator: " | "), .soft)]
    for (index, row) in step.results.prefix(Self.mostResults).enumerated() {
      let cells = row.prefix(16).enumerated().map { column, value in
        printedValue(value) + Self.signs(marks.values(inStep: step.number, row: index, column: column))
      }
      lines.append(StoryLine("        " + cells.joined(separator: " | ")))
    }
    let rest = (step.rows ?? step.results.count) - min(step.results.count, Self.mostResults)
    if rest > 0 { lines.append(StoryLine("        … \(counted(rest, "more row"))", .soft)) }
    for sum in marks.sums[step.number] ?? [] where step.columns.indices.contains(sum.column) {
      lines.append(StoryLine("        sum of \(step.columns[sum.column]): \(MessageValue.sign(sum.value))"))
    }
    return lines
  }

  private static func signs(_ values: [Int]) -> String {
    values.isEmpty ? "" : " " + values.map(MessageValue.sign).joined()
  }
}
