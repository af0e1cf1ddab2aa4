import ReportModel
import ReportPlaces
import ReportStory

/// The lines of a test's function with what each did, as the page and the terminal tell them.
struct CodeLines {
  let story: Story
  /// The text of source lines.
  let sources: [SourceReference: String]

  // MARK: - The page

  /// The values for the template `code-lines`; empty for a story without places.
  ///
  /// - Parameter place: The values of a place with its text.
  func values(
    _ selection: StorySelection, place: (SourceReference?, String) -> TemplateValues
  ) -> [TemplateValues] {
    let writes = shownWrites
    return story.lines.enumerated().map { index, line in
      let called = line.called.map { called -> TemplateValues in
        [
          "function": visibleOnOneLine(called.place.name.function),
          "place": called.place.reference.map { place($0, $0.text) },
          "steps": counted(called.steps, "step"), "link": selection.values(linkTo: called.first),
          "failures": failureText(called.failures),
          "sentence": called.sentence.isEmpty ? nil : visible(called.sentence),
        ]
      }
      return [
        "style": style(line), "number": line.place?.line, "source": source(line).map { visibleOnOneLine($0) },
        "title": title(line), "times": line.times > 1 ? "\(grouped(line.times)) times" : nil,
        "steps": stepsText(line),
        "link": selection.values(linkTo: line.first),
        // A line that opens has its links inside.
        "isLinked": called.isEmpty && selection.hasPage(of: line.first),
        "failures": failureText(line.failures),
        "sentence": line.sentence.isEmpty ? nil : visible(line.sentence),
        "notes": (retriedText(line.failures) + line.notes).map { visibleOnOneLine($0) },
        "failed": line.isFailure,
        "writes": (writes[index] ?? []).map(writeValues), "called": called, "hasMore": !called.isEmpty,
        "more": line.omittedCalled > 0 ? "\(counted(line.omittedCalled, "more place"))." : nil,
      ]
    }
  }

  /// The statements that changed rows that stand with their lines, by the index of the line: those whose runs differ and of
  /// tables that the leading read names before others, and of those alike the last ones.
  private var shownWrites: [Int: [TestLine.Write]] {
    let near = story.namesOfLeadingReads
    let all = story.lines.enumerated().flatMap { index, line in line.writes.map { (index, $0) } }
    let ranked = all.enumerated().map { order, write in
      let target = StatementText(write.1.sql).target?.lowercased() ?? ""
      // A journal's rows tell little.
      let rank = near.contains(target) || write.1.isUnlike ? 0 : write.1.rows > 1 ? 1 : 2
      return (rank: rank, order: order, write: write)
    }.sorted { ($0.rank, -$0.order) < ($1.rank, -$1.order) }
    let shown = ranked.prefix(Self.mostWrites).sorted { $0.order < $1.order }.map(\.write)
    return Dictionary(grouping: shown, by: \.0).mapValues { $0.map(\.1) }
  }

  /// Statements that stand with lines of one test.
  private static let mostWrites = 6

  private func writeValues(_ write: TestLine.Write) -> TemplateValues {
    let runs = write.runs > 1 ? "\(counted(write.runs, "run")), " : ""
    return [
      "sql": visibleOnOneLine(PrintedStory.shortStatement(write.sql, to: 180, query: 360)),
      "did": "\(runs)\(counted(write.rows, "row"))",
    ]
  }

  private func failureText(_ failures: TestLine.Failures?) -> String? {
    failures.flatMap { $0.isRetried ? nil : visibleOnOneLine($0.text) }
  }

  /// What went through later stands behind what it did.
  private func retriedText(_ failures: TestLine.Failures?) -> [String] {
    failures.flatMap { $0.isRetried ? $0.text : nil }.map { [$0] } ?? []
  }

  private func stepsText(_ line: TestLine) -> String? {
    guard line.steps > 0 else { return nil }
    return counted(line.steps, "step")
      + (line.counted > 0 ? ", \(grouped(line.counted)) of them overwritten and only counted" : "")
  }

  private func style(_ line: TestLine) -> String {
    switch line.kind {
    case .setUp, .elsewhere: "apart"
    case .line: line.isFailure ? "failed" : line.sentence.isEmpty ? "reads" : "writes"
    }
  }

  private func title(_ line: TestLine) -> String? {
    switch line.kind {
    case .setUp: "Set-up"
    case .elsewhere: "Off the test’s stack"
    case .line: source(line) == nil ? "Line \(line.place?.line ?? 0)" : nil
    }
  }

  /// The text of the line, where it may be read.
  private func source(_ line: TestLine) -> String? {
    line.place?.reference.flatMap { sources[$0] }.map { shortened($0.trimmed, to: 160) }
  }

  // MARK: - Plain text

  /// The choice of called functions that stand below a line.
  private enum Calls: CaseIterable {
    case all, ofTheTest, changing, none

    func shows(_ called: TestLine.Called, of line: TestLine) -> Bool {
      switch self {
      case .all: true
      case .ofTheTest: line.kind != .setUp
      case .changing: line.kind != .setUp && (!called.sentence.isEmpty || called.failures != nil)
      case .none: false
      }
    }
  }

  /// A line of text for each, with as many of the functions that were called below it as there is room for.
  func printed(bytes: Int) -> [TerminalLine] {
    var lines: [TerminalLine] = []
    for calls in Calls.allCases {
      lines = printed(calls)
      if bytes == .max || lines.reduce(0, { $0 + $1.text.utf8.count + 1 }) <= bytes { break }
    }
    return lines
  }

  private func printed(_ calls: Calls) -> [TerminalLine] {
    story.lines.flatMap { line -> [TerminalLine] in
      var text = line.place?.line.map { "\($0)  " } ?? ""
      text += source(line) ?? title(line) ?? ""
      if line.times > 1 { text += " (\(grouped(line.times)) times)" }
      let did =
        ([stepsText(line) ?? "", failureText(line.failures) ?? "", line.sentence]
        + retriedText(line.failures) + line.notes).filter { !$0.isEmpty }
      if !did.isEmpty { text += " – " + did.joined(separator: ", ") }
      if line.isFailure { text += " ← failed here" }
      let shown = line.called.filter { calls.shows($0, of: line) }
      let called = shown.map { called in
        // The line says what all its steps changed.
        let sentence = called.sentence == line.sentence ? "" : called.sentence
        return TerminalLine(
          "     \(called.place.text) – "
            + [
              counted(called.steps, "step"), failureText(called.failures) ?? "",
              sentence,
            ].filter { !$0.isEmpty }.joined(separator: ", "), .soft,
          place: called.place.reference)
      }
      let rest = line.called.count - shown.count + line.omittedCalled
      let more =
        rest > 0 && !shown.isEmpty ? [TerminalLine("     \(counted(rest, "more place"))", .soft)] : []
      return [TerminalLine(text, line.isFailure ? .odd : .plain)] + called + more
    }
  }
}

extension StoryDatabase {
  /// The functions that opened it, innermost first; `nil` where they are not known.
  var openedText: String? {
    guard let frames = opened?.frames, !frames.isEmpty else { return nil }
    return frames.prefix(4).map(\.place.text).joined(separator: " ← ")
  }
}

extension Place {
  /// `Depot.swift:212 in Depot.clear(prefix:)`, for where the line matters most.
  var lineFirst: String {
    guard let reference else { return name.function }
    return "\(reference.shortText) in \(name.function)"
  }
}
