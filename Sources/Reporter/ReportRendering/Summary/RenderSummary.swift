import Collector
import ReportModel

/// The report as `summary.md`: for a CI's step summary, a merge request or a terminal.
///
/// Outside of `<details>` it has at most 60 lines, whatever the run: counts, what changed since the baseline, and a
/// table of the leading failures. Inside, every failure has a line, and the leading ones are told in full.
///
/// Text from outside stands only in code, so it stays text on GitHub and GitLab. Places in sources and evidence are
/// links only where the options know their address. What does not fit is left out, and said to be.
package func renderSummary(_ context: PageContext) -> ReportFile {
  let options = context.contents.summary
  var summary = Summary(context: context, options: options)
  summary.write()
  return ReportFile(path: "summary.md", text: fittedMarkdown(summary.text, to: options.limit))
}

/// A summary in the making.
private struct Summary {
  let context: PageContext
  let options: SummaryOptions
  private let failures: SummaryFailures
  private(set) var text = ""
  private var leftOut: [String] = []

  init(context: PageContext, options: SummaryOptions) {
    self.context = context
    self.options = options
    failures = SummaryFailures(context: context, options: options)
  }

  private var counts: OutcomeCounts { context.counts }

  /// What is kept for the last lines.
  private var reserve: Int { min(2048, options.limit / 4) }

  private var room: Int { options.limit - reserve - text.utf8.count }

  mutating func write() {
    let report = context.contents.report
    text = summaryHead(report, counts)
    if !report.faults.isEmpty { text += "**This report is incomplete: \(grouped(report.faults.count))**\n\n" }
    writeRemarks(report.faults, shown: 5) { "\(counted($0, "more reason"))" }
    let changes = options.baseline.map { ReportChanges(from: $0, to: report.tests) }
    if let changes { text += changeLine(changes) }
    writeFailures(new: Set(changes?.newlyFailed ?? []))
    if counts.flaky > 0 { writeFlaky(report.tests) }
    writeFixed(report.tests)
    writeRemarks(report.notices, shown: 0) { "Notices: \(grouped($0))" }
    if let changes { writeChanges(changes) }
    let others = otherTests(report.tests, counts, room: room)
    text += others.text
    if others.leftOut > 0 { leftOut.append(counted(others.leftOut, "other test")) }
    writeRuns(report.runs)
    guard !leftOut.isEmpty else { return }
    text +=
      "\nLeft out to fit into \(sizeText(options.limit)): \(leftOut.joined(separator: ", ")). All is in `index.html`.\n"
  }

  /// A table of the leading failures, the first in full, a line for each, and those that have room in full.
  ///
  /// - Parameter new: The identities of tests that did not fail before.
  private mutating func writeFailures(new: Set<String>) {
    guard counts.failures > 0 else { return }
    text += failures.table(new: new, room: room)
    // The lines have their room first; an eighth is for failures in full all the same, and one for what follows.
    let list = failures.list(room: room - room / 4)
    let sections = failures.sections(room: room - list.text.utf8.count - room / 8)
    let isShort = sections.first.map { textLines(of: $0).count <= mostLinesOpen } ?? false
    if let first = sections.first { text += folded(first, isOpen: isShort) + "\n" }
    if counts.failures > 1 || sections.isEmpty { text += list.text }
    let further = sections.dropFirst()
    if !further.isEmpty {
      text += "<details>\n<summary>\(counted(further.count, "more failure")) in full</summary>\n\n"
      for section in further { text += folded(section, isOpen: false) }
      text += "\n</details>\n\n"
    }
    let untold = context.groups.dropFirst(sections.count).reduce(0) { $0 + $1.total }
    if untold > 0 { leftOut.append("the details of \(counted(untold, "failed test"))") }
    if list.leftOut > 0 { leftOut.append(counted(list.leftOut, "failed test")) }
  }

  /// - Parameter section: Its first line is what stands there when it is folded.
  private func folded(_ section: String, isOpen: Bool) -> String {
    "<details\(isOpen ? " open" : "")>\n\(section)</details>\n"
  }

  private mutating func writeFlaky(_ tests: [TestResult]) {
    let lines = Array(tests.lazy.filter(\.isFlaky).prefix(mostFlaky)).map { test in
      let remark = test.remarkInList(context.contents.sources)
      return "- \(failures.name(of: test))\(remark.map { ": \(codeSpan($0))" } ?? "")\n"
    }
    let title = "Flaky: \(grouped(counts.flaky)), failed and passed when repeated"
    if !writeFolded(title, lines, of: counts.flaky) {
      leftOut.append(counted(counts.flaky, "flaky test"))
    }
  }

  /// Tests that passed and failed in the runs before, and those that do now one and now the other.
  private mutating func writeFixed(_ tests: [TestResult]) {
    guard !context.contents.pasts.isEmpty else { return }
    let told = tests.filter { $0.outcome == .passed && context.contents.pasts[$0.id]?.tells == true }
    guard !told.isEmpty else { return }
    let lines = told.prefix(mostFlaky).map { test in
      let past = context.contents.pasts[test.id].map { " · \(codeSpan($0.line))" }
      return "- \(failures.name(of: test))\(past ?? "")\n"
    }
    let title = "Passed, and failed before: \(grouped(told.count))"
    if !writeFolded(title, Array(lines), of: told.count) {
      leftOut.append(counted(told.count, "test") + " that failed before")
    }
  }

  private mutating func writeRemarks(_ remarks: [Remark], shown: Int, title: (Int) -> String) {
    guard !remarks.isEmpty else { return }
    let lines = remarks.prefix(shown + mostRemarks).map(remarkLine)
    if shown > 0 { text += lines.prefix(shown).joined() + "\n" }
    let rest = remarks.count - min(shown, remarks.count)
    guard rest > 0, !writeFolded(title(rest), Array(lines.dropFirst(shown)), of: rest) else { return }
    leftOut.append(counted(rest, "remark"))
  }

  private mutating func writeChanges(_ changes: ReportChanges) {
    let lists = changeLists(changes)
    guard !lists.isEmpty else { return }
    let block = folded(
      "<summary>Which tests changed</summary>\n\n\(lists.map(changeSection).joined())", isOpen: false)
    guard block.utf8.count < room else { return leftOut.append("which tests changed") }
    text += block + "\n"
  }

  private mutating func writeRuns(_ runs: [Report.Run]) {
    let lines = runs.map(runLine)
    text += lines.prefix(mostRuns).joined(separator: "\n")
    let rest = lines.dropFirst(mostRuns)
    guard !rest.isEmpty else { return }
    text += "\n"
    if !writeFolded("\(counted(rest.count, "more run"))", rest.map { "- \($0)" }, of: rest.count) {
      leftOut.append(counted(rest.count, "run"))
    }
  }

  /// Lines in `<details>`, as many as fit.
  ///
  /// - Returns: Whether any had room.
  private mutating func writeFolded(_ title: String, _ lines: [String], of count: Int) -> Bool {
    let list = FoldedLines(title: title, lines: lines, of: count, room: room)
    text += list.text
    return !list.text.isEmpty
  }
}

/// Lines in `<details>`, as many as fit; the rest is counted.
struct FoldedLines {
  /// Empty where not even one line has room.
  private(set) var text = ""
  /// How many have no line.
  private(set) var leftOut: Int

  /// - Parameters:
  ///   - lines: Each with its line feed; the first of so many.
  ///   - room: Bytes.
  init(title: String, lines: [String], of count: Int, room: Int) {
    func rest(_ count: Int) -> String {
      count > 0 ? "- … and \(grouped(count)) more: see `index.html`\n" : ""
    }
    let (start, end) = ("<details>\n<summary>\(title)</summary>\n\n", "\n</details>\n\n")
    var (left, shown, told) = (room - (start + rest(count) + end).utf8.count, 0, "")
    for line in lines {
      left -= line.utf8.count
      guard left >= 0 else { break }
      told += line
      shown += 1
    }
    leftOut = count - shown
    if shown > 0 { text = start + told + rest(leftOut) + end }
  }
}

/// Flaky tests named one by one.
private let mostFlaky = 50

/// Remarks of a kind named one by one.
private let mostRemarks = 50

/// Runs named outside of `<details>`.
private let mostRuns = 3

/// Lines of the first failure that is shown unfolded: with what else stands outside of `<details>` a screen or two.
private let mostLinesOpen = 16

private func remarkLine(_ remark: Remark) -> String {
  let input = remark.input.map { " in \(codeSpan(shortened($0, to: 300)))" } ?? ""
  return "- \(codeSpan(remark.kind))\(input): \(codeSpan(shortened(remark.message, to: 500)))\n"
}

// MARK: - Head

private func summaryHead(_ report: Report, _ counts: OutcomeCounts) -> String {
  let verdict = Verdict(report, counts)
  let symbol =
    switch verdict.style {
    case .failed: "✗"
    case .degraded: "!"
    case .passed: "✓"
    case .neutral: "–"
    }
  var text = "## \(symbol) \(verdict.text)\n\n\(codeSpan(shortened(report.title, to: 300)))"
  text += counts.duration.flatMap(durationText).map { " · \($0) of tests" } ?? ""
  return text + "\n\n" + countTable(counts)
}

private func countTable(_ counts: OutcomeCounts) -> String {
  guard counts.total > 0 else {
    return "No input named a test. The report cannot say whether any failed.\n\n"
  }
  var columns = Outcome.allCases.filter { counts[$0] > 0 }.map { ("\($0.symbol) \($0.word)", counts[$0]) }
  if counts.flaky > 0 { columns.append(("↻ Flaky", counts.flaky)) }
  let cells = columns.map { "| \($0.0) " }.joined()
  let numbers = columns.map { "| \(grouped($0.1)) " }.joined()
  return "\(cells)|\n" + String(repeating: "| ---: ", count: columns.count) + "|\n\(numbers)|\n\n"
}

// MARK: - Runs

private func runLine(_ run: Report.Run) -> String {
  let facts = [
    "Run \(codeSpan(shortened(run.name, to: 200)))", run.start.flatMap(timeText), run.toolchain.map(codeSpan),
    run.commit.map { "commit \(codeSpan(shortened($0, to: 12)))" },
  ]
  return facts.compactMap { $0 }.joined(separator: " · ") + "\n"
}
