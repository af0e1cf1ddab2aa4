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

  private mutating func writeFailures(_ groups: [FailureGroup]) {
    for (index, group) in groups.enumerated() {
      let section = groupSection(group)
      guard section.utf8.count <= room else {
        let rest = groups[index...].reduce(0) { $0 + $1.total }
        text += "… and \(counted(rest, "more failed test")): see `index.html`.\n\n"
        leftOut.append(counted(rest, "failed test"))
        return
      }
      text += section
    }
  }

  /// The first failure of a cause in full, and the names of the others.
  private func groupSection(_ group: FailureGroup) -> String {
    guard let first = group.failures.first else { return "" }
    let others = group.failures.dropFirst()
    guard !others.isEmpty else { return failureSection(first) }
    let lines = others.prefix(mostOfOneCause).map { "- \(testName($0))\n" }
    let rest = others.count - lines.count
    return failureSection(first)
      + "<details>\n<summary>\(counted(others.count, "more failure")) with the same cause</summary>\n\n"
      + lines.joined() + (rest > 0 ? "- … and \(grouped(rest)) more: see `index.html`\n" : "")
      + "\n</details>\n\n"
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

/// Failures of one cause named one by one.
private let mostOfOneCause = 50

/// Unicode scalars shown of a message.
private let longestMessage = 8000

/// Findings of a kind named one by one.
private let mostFindings = 50

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

private func findingList(_ findings: [Finding], title: String) -> String {
  guard !findings.isEmpty else { return "" }
  let lines = findings.prefix(mostFindings).map { finding in
    let input = finding.input.map { " in \(codeSpan(shortened($0, to: 300)))" } ?? ""
    return
      "- \(codeSpan(finding.kind))\(input): \(codeSpan(shortened(withoutTerminalColors(finding.message), to: 500)))\n"
  }
  let rest = findings.count - lines.count
  return "**\(title): \(grouped(findings.count))**\n\n" + lines.joined()
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
    for evidence in test.evidence { text += evidenceLines(evidence) }
    return text + (test.evidence.isEmpty ? "" : "\n")
  }

  private func placeName(_ place: SourceReference) -> String {
    linked(codeSpan(place.text), options.repository?.link(to: place))
  }

  private func evidenceLines(_ evidence: TestEvidence) -> String {
    let name = "- \(evidence.kind.title) \(codeSpan(evidence.name))"
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
  let message = withoutTerminalColors(issue.message)
  let isCut = message.unicodeScalars.count > longestMessage
  return codeBlock(shortened(message, to: longestMessage))
    + (isCut ? "\nThe message was cut; the whole is in `report.json`.\n\n" : "\n")
}

/// The last lines before a crash and the first frames of the tests' own code.
private func crashBlock(_ crash: CrashOutput) -> String {
  let lines = crash.brief.map { shortened(withoutTerminalColors($0), to: 300) }
  return lines.isEmpty ? "" : codeBlock(lines.joined(separator: "\n")) + "\n"
}

/// Tables named one by one.
private let mostTables = 30

private func tableLines(_ database: DatabaseInspection) -> String {
  let check =
    database.check == "ok" ? "" : "  - quick_check: \(codeSpan(shortened(database.check, to: 300)))\n"
  let tables = database.tables.filter { $0.kind != .shadow }
  guard !tables.isEmpty else { return check + "  - no tables\n" }
  let names = tables.prefix(mostTables).map { table in
    "\(codeSpan(shortened(table.name, to: 100))) \(table.rowCount.map { counted($0, "row") } ?? "rows not counted")"
  }
  let rest = tables.count > mostTables ? ", … and \(counted(tables.count - mostTables, "more table"))" : ""
  return check + "  - \(names.joined(separator: ", "))\(rest)\n"
}

// MARK: - The rest

private func otherTests(
  _ tests: [TestResult], _ counts: OutcomeCounts, room: Int
) -> (text: String, leftOut: Int) {
  let count = counts.total - counts.failures
  guard count > 0 else { return ("", 0) }
  var lines = ""
  var shown = 0
  for test in tests where !test.outcome.isFailure {
    let line = otherTestLine(test)
    guard lines.utf8.count + line.utf8.count < min(room, otherTestsBudget) else { break }
    lines += line
    shown += 1
  }
  let rest = count - shown
  let title = counts[.passed] == count ? "Passed tests" : "Other tests"
  guard shown > 0 else { return ("", count) }
  let text =
    "<details>\n<summary>\(title): \(grouped(count))</summary>\n\n\(lines)"
    + (rest > 0 ? "- … and \(grouped(rest)) more: see `index.html`\n" : "") + "\n</details>\n\n"
  return (text, rest)
}

/// Bytes: the list nobody reads to its end stays small.
private let otherTestsBudget = 200 * 1024

private func otherTestLine(_ test: TestResult) -> String {
  let reason = test.outcome == .skipped ? test.skipReason : test.leadingIssue?.message
  let remark = reason.map { ": \(codeSpan(shortened(firstLine(withoutTerminalColors($0)), to: 160)))" } ?? ""
  let duration = test.duration.flatMap(durationText).map { " · \($0)" } ?? ""
  return
    "- \(test.outcome.symbol) \(test.outcome.word) \(codeSpan(shortened(test.id.description, to: 300)))\(duration)\(remark)\n"
}

private func runLines(_ runs: [Report.Run]) -> String {
  runs.map { run in
    let facts = [
      "Run \(codeSpan(run.name))", run.start.flatMap(timeText), run.toolchain.map(codeSpan),
      run.commit.map { "commit \(codeSpan(shortened($0, to: 12)))" },
    ]
    return facts.compactMap { $0 }.joined(separator: " · ") + "\n"
  }.joined(separator: "\n")
}
