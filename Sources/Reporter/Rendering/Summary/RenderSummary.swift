import Collector

/// The report as `summary.md`: for a CI's step summary, a merge request or a terminal.
///
/// Text from outside stands only in code, so it stays text on GitHub and GitLab. Places in sources and evidence are
/// links only where the options know their address. What does not fit is left out, and said to be.
func renderSummary(_ context: PageContext) -> ReportFile {
  let options = context.contents.summary
  var summary = Summary(context: context, options: options)
  summary.write()
  return ReportFile(path: "summary.md", text: fittedMarkdown(summary.text, to: options.limit))
}

/// A summary in the making.
private struct Summary {
  let context: PageContext
  let options: SummaryOptions
  private(set) var text = ""
  private var leftOut: [String] = []

  init(context: PageContext, options: SummaryOptions) {
    self.context = context
    self.options = options
  }

  private var counts: OutcomeCounts { context.counts }

  /// What is kept for the last lines.
  private var reserve: Int { min(2048, options.limit / 4) }

  private var room: Int { options.limit - reserve - text.utf8.count }

  mutating func write() {
    let report = context.contents.report
    text = summaryHead(report, counts)
    if let baseline = options.baseline {
      text += changeLines(ReportChanges(from: baseline, to: report.tests))
    }
    writeFailures(context.groups)
    if counts.flaky > 0 { writeFlaky(report.tests) }
    let others = otherTests(report.tests, counts, room: room)
    text += others.text
    if others.leftOut > 0 { leftOut.append(counted(others.leftOut, "other test")) }
    text += runLines(report.runs)
    guard !leftOut.isEmpty else { return }
    text +=
      "\nLeft out to fit into \(sizeText(options.limit)): \(leftOut.joined(separator: ", ")). All is in `index.html`.\n"
  }

  /// The first of alike failures in full, then a line for each of the others; what does not fit is counted.
  private mutating func writeFailures(_ groups: [FailureGroup]) {
    var waiting = groups.flatMap(\.failures)[...]
    // The lines of those behind have their room before anything is told in full; an eighth is for that all the same.
    let mostForLines = room - room / 8
    var forLines = lineBytes(of: waiting, atMost: options.limit)
    let hasMoreLines = forLines == options.limit
    for group in groups {
      guard let first = group.failures.first else { continue }
      let section = failureSection(first)
      if !hasMoreLines { forLines -= lineBytes(of: group.failures[...], atMost: options.limit) }
      guard section.utf8.count <= room - min(forLines, mostForLines) else { break }
      text += section
      waiting = waiting.dropFirst()
      let others = group.failures.count - 1
      let shown = writeFolded(waiting.prefix(others), besides: first) {
        "\(counted($0, "more failure")) \(group.relationToFirst)"
      }
      waiting = waiting.dropFirst(shown)
      if shown < others { break }
    }
    let named = writeFolded(waiting, besides: nil) { counted($0, "more failed test") }
    if named > 0 { leftOut.append("the details of \(counted(named, "failed test"))") }
    let rest = waiting.count - named
    guard rest > 0 else { return }
    text += "… and \(counted(rest, "more failed test")): see `index.html`.\n\n"
    leftOut.append(counted(rest, "failed test"))
  }

  /// Failed tests on a line each, folded, as many as fit.
  ///
  /// - Parameter title: What the list of so many is called.
  /// - Returns: How many those are.
  private mutating func writeFolded(
    _ tests: ArraySlice<TestResult>, besides shown: TestResult?, title: (Int) -> String
  ) -> Int {
    let (start, end) = ("<details>\n<summary>", "</summary>\n\n\n</details>\n\n")
    let frame = (start + title(tests.count) + end).utf8.count
    var lines = ""
    var count = 0
    for test in tests {
      let line = failureLine(test, besides: shown)
      guard frame + lines.utf8.count + line.utf8.count <= room else { break }
      lines += line
      count += 1
    }
    if count > 0 { text += start + title(count) + "</summary>\n\n\(lines)\n</details>\n\n" }
    return count
  }

  /// How many bytes the lines of failed tests take, counted no further than to a limit.
  private func lineBytes(of tests: ArraySlice<TestResult>, atMost limit: Int) -> Int {
    var bytes = 0
    for test in tests where bytes < limit { bytes += failureLine(test, besides: nil).utf8.count }
    return min(bytes, limit)
  }

  /// A failure on one line: its name, and what it says unless that has just been shown.
  private func failureLine(_ test: TestResult, besides shown: TestResult?) -> String {
    let facts = [
      test.leadingIssue?.location == shown?.leadingIssue?.location
        ? nil : test.leadingIssue?.location.map(placeName),
      test.leadingIssue?.message == shown?.leadingIssue?.message
        ? nil : test.leadingIssue.map { codeSpan(glance($0.message)) },
      storyText(test, length: 100), findingText(test, length: 160),
    ]
    return "- \(test.outcome.symbol) "
      + ([testName(test)] + facts.compactMap { $0 }).joined(separator: " · ") + "\n"
  }

  /// What the test did, in short; `nil` where nothing is known of it.
  fileprivate func storyText(_ test: TestResult, length: Int) -> String? {
    guard let story = context.contents.stories[test.id], story.source != .none else { return nil }
    let odd = story.oddSteps.count
    return codeSpan(shortened(story.changeText, to: length))
      + (odd > 0 ? ", \(counted(odd, "odd step"))" : "")
  }

  /// What is suspicious about what the test wrote; `nil` where nothing is.
  fileprivate func findingText(_ test: TestResult, length: Int) -> String? {
    TestFindings(test, context.contents).ofTheTest.map { codeSpan(shortened($0.sentence, to: length)) }
  }

  /// The test's identity, leading to its page where the report is on the web.
  private func testName(_ test: TestResult) -> String {
    let name = codeSpan(shortened(test.id.description, to: 500))
    return linked(name, context.names.path(of: test).flatMap(options.link(to:)))
  }

  private mutating func writeFlaky(_ tests: [TestResult]) {
    let lines = Array(tests.lazy.filter(\.isFlaky).prefix(mostFlaky)).map { test in
      let remark = test.remarkInList.map { ": \(codeSpan($0))" } ?? ""
      return "- \(testName(test))\(remark)\n"
    }
    let rest = counts.flaky - lines.count
    let section =
      "**Flaky: \(grouped(counts.flaky))**, failed and passed when repeated\n\n" + lines.joined()
      + (rest > 0 ? "- … and \(grouped(rest)) more: see `index.html`\n" : "") + "\n"
    guard section.utf8.count <= room else { return leftOut.append(counted(counts.flaky, "flaky test")) }
    text += section
  }
}

/// Flaky tests named one by one.
private let mostFlaky = 50

/// Issues of a test shown one by one.
private let mostIssues = 10

/// Unicode scalars shown of a message.
private let longestMessage = 8000

/// Remarks of a kind named one by one.
private let mostRemarks = 50

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
  var text = "## \(symbol) \(verdict.text)\n\n\(codeSpan(report.title))"
  text += counts.duration.flatMap(durationText).map { " · \($0) of tests" } ?? ""
  text += "\n\n" + countTable(counts)
  text += findingList(report.faults, title: "This report is incomplete")
  return text + findingList(report.notices, title: "Notices")
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

private func findingList(_ remarks: [Remark], title: String) -> String {
  guard !remarks.isEmpty else { return "" }
  let lines = remarks.prefix(mostRemarks).map { remark in
    let input = remark.input.map { " in \(codeSpan(shortened($0, to: 300)))" } ?? ""
    return
      "- \(codeSpan(remark.kind))\(input): \(codeSpan(shortened(remark.message, to: 500)))\n"
  }
  let rest = remarks.count - lines.count
  return "**\(title): \(grouped(remarks.count))**\n\n" + lines.joined()
    + (rest > 0 ? "- … and \(grouped(rest)) more: see `index.html`\n" : "") + "\n"
}

// MARK: - Failures

extension Summary {
  fileprivate func failureSection(_ test: TestResult) -> String {
    let title = codeSpan(shortened(test.title, to: 300))
    var text = "### \(test.outcome.symbol) \(test.outcome.word): \(title)\n\n"
    let facts = [
      testName(test), (test.leadingIssue?.location ?? test.location).map(placeName),
      test.duration.flatMap(durationText),
    ]
    text += facts.compactMap { $0 }.joined(separator: " · ") + "\n\n"
    text += remark(on: test).map { "\($0)\n\n" } ?? ""
    text += test.crash.map(crashBlock) ?? ""
    for issue in test.issues.prefix(mostIssues) { text += issueBlock(issue) }
    let rest = test.issues.count - mostIssues
    if rest > 0 { text += "… and \(counted(rest, "more issue")).\n\n" }
    let told = [
      storyText(test, length: 300).map { "What the test did: \($0)" },
      findingText(test, length: 300).map { "Suspicious: \($0)" },
    ].compactMap { $0 }
    if !told.isEmpty { text += told.joined(separator: " · ") + "\n\n" }
    for evidence in test.evidence { text += evidenceLines(evidence) }
    return text + (test.evidence.isEmpty ? "" : "\n")
  }

  private func placeName(_ place: SourceReference) -> String {
    linked(codeSpan(place.text), options.repository?.link(to: place))
  }

  private func evidenceLines(_ evidence: TestEvidence) -> String {
    let run = evidence.run.map { " of run \(codeSpan(shortened($0.name, to: 100)))" } ?? ""
    let name = "- \(evidence.kind.title) \(codeSpan(evidence.name))\(run)"
    guard let path = evidence.path, evidence.failure == nil else {
      return "\(name) is missing: \(codeSpan(evidence.failure ?? "no input says why"))\n"
    }
    let size = evidence.bytes.map { ", \(sizeText($0))" } ?? ""
    let state = evidence.stateText.map { ", \($0)" } ?? ""
    let uncommitted = evidence.database?.uncommitted == true ? ", includes uncommitted rows" : ""
    return "\(name)\(state)\(uncommitted)\(size): \(linked(codeSpan(path), options.link(to: path)))\n"
      + (context.contents.databases[path].map(tableLines) ?? "")
  }
}

/// A code span that is a link where there is an address.
private func linked(_ span: String, _ address: String?) -> String {
  // webLink and relativeLink leave neither an angle bracket nor a space in an address.
  address.map { "[\(span)](<\($0)>)" } ?? span
}

private func issueBlock(_ issue: TestIssue) -> String {
  let message = issue.message
  let isCut = message.unicodeScalars.count > longestMessage
  return codeBlock(shortened(message, to: longestMessage))
    + (isCut ? "\nThe message was cut; the whole is in `report.json`.\n\n" : "\n")
}

/// The last lines before a crash and the first frames of the tests' own code.
private func crashBlock(_ crash: CrashOutput) -> String {
  let lines = crash.brief.map { shortened($0, to: 300) }
  return lines.isEmpty ? "" : codeBlock(lines.joined(separator: "\n")) + "\n"
}

/// Tables named one by one.
private let mostTables = 30

private func tableLines(_ database: DatabaseInspection) -> String {
  var check =
    database.check == "ok" ? "" : "  - quick_check: \(codeSpan(shortened(database.check, to: 300)))\n"
  if !database.foreignKeys.isSound {
    check += "  - foreign_key_check: \(codeSpan(shortened(keyCheckText(database.foreignKeys), to: 300)))\n"
  }
  let tables = database.tables.filter { $0.kind != .shadow }
  guard !tables.isEmpty else { return check + "  - no tables\n" }
  let names = tables.prefix(mostTables).map { table in
    "\(codeSpan(shortened(table.name, to: 100))) \(table.rowCount.map { counted($0, "row") } ?? "rows not counted")"
  }
  let rest = tables.count > mostTables ? ", … and \(counted(tables.count - mostTables, "more table"))" : ""
  return check + "  - \(names.joined(separator: ", "))\(rest)\n"
}

// MARK: - Runs

private func runLines(_ runs: [Report.Run]) -> String {
  runs.map { run in
    let facts = [
      "Run \(codeSpan(run.name))", run.start.flatMap(timeText), run.toolchain.map(codeSpan),
      run.commit.map { "commit \(codeSpan(shortened($0, to: 12)))" },
    ]
    return facts.compactMap { $0 }.joined(separator: " · ") + "\n"
  }.joined(separator: "\n")
}
