import Collector

/// The report as `summary.md`: for a CI's step summary, a merge request or a terminal.
///
/// Text from outside stands only in code, so it stays text on GitHub and GitLab. There are no links: evidence is named
/// by its path in the report folder. What does not fit into GitHub's 1 MiB is left out, and said to be.
func renderSummary(_ contents: ReportContents) -> ReportFile {
  let report = contents.report
  let failures = report.tests.filter(\.outcome.isFailure)
  var text = summaryHead(report)
  var isFull = false
  for (index, test) in failures.enumerated() where !isFull {
    let section = failureSection(test, contents)
    isFull = text.utf8.count + section.utf8.count > summaryBudget
    text +=
      isFull ? "… and \(counted(failures.count - index, "more failed test")): see `index.html`.\n\n" : section
  }
  text += otherTests(report.tests, room: summaryBudget - text.utf8.count)
  return ReportFile(path: "summary.md", text: text + runLines(report.runs))
}

/// Bytes; GitHub drops a step summary of more than 1 MiB as a whole.
private let summaryBudget = 900 * 1024

/// Unicode scalars shown of a message.
private let longestMessage = 8000

/// Findings of a kind named one by one.
private let mostFindings = 50

// MARK: - Head

private func summaryHead(_ report: Report) -> String {
  let symbol =
    switch Verdict(report).style {
    case .failed: "✗"
    case .degraded: "!"
    case .passed: "✓"
    case .neutral: "–"
    }
  var text = "## \(symbol) \(Verdict(report).text)\n\n\(codeSpan(report.title))"
  text += totalDuration(report.tests).flatMap(durationText).map { " · \($0) of tests" } ?? ""
  text += "\n\n" + countTable(report.tests)
  text += findingList(report.faults, title: "This report is incomplete")
  return text + findingList(report.notices, title: "Notices")
}

private func countTable(_ tests: [TestResult]) -> String {
  let counts = Outcome.allCases.map { outcome in (outcome, tests.count { $0.outcome == outcome }) }
    .filter { $0.1 > 0 }
  guard !counts.isEmpty else { return "No input named a test. The report cannot say whether any failed.\n\n" }
  let cells = counts.map { "| \($0.0.symbol) \($0.0.word) " }.joined()
  let numbers = counts.map { "| \(grouped($0.1)) " }.joined()
  return "\(cells)|\n" + String(repeating: "| ---: ", count: counts.count) + "|\n\(numbers)|\n\n"
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

private func failureSection(_ test: TestResult, _ contents: ReportContents) -> String {
  var text =
    "### \(test.outcome.symbol) \(test.outcome.word): \(codeSpan(shortened(test.title, to: 300)))\n\n"
  let facts = [
    codeSpan(shortened(test.id.description, to: 500)),
    (test.leadingIssue?.location ?? test.location).map { codeSpan($0.text) },
    test.duration.flatMap(durationText),
  ]
  text += facts.compactMap { $0 }.joined(separator: " · ") + "\n\n"
  text += remark(on: test).map { "\($0)\n\n" } ?? ""
  for issue in test.issues {
    text += issueBlock(issue)
  }
  for evidence in test.evidence {
    text += evidenceLines(evidence, contents)
  }
  return text + (test.evidence.isEmpty ? "" : "\n")
}

private func issueBlock(_ issue: TestIssue) -> String {
  let message = withoutTerminalColors(issue.message)
  let isCut = message.unicodeScalars.count > longestMessage
  return codeBlock(shortened(message, to: longestMessage))
    + (isCut ? "\nThe message was cut; the whole is in `report.json`.\n\n" : "\n")
}

private func evidenceLines(_ evidence: TestEvidence, _ contents: ReportContents) -> String {
  let name = "- \(evidence.kind.title) \(codeSpan(evidence.name))"
  guard let path = evidence.path, evidence.failure == nil else {
    return "\(name) is missing: \(codeSpan(evidence.failure ?? "no input says why"))\n"
  }
  let size = evidence.bytes.map { ", \(sizeText($0))" } ?? ""
  let uncommitted = evidence.database?.uncommitted == true ? ", includes uncommitted rows" : ""
  return "\(name)\(uncommitted)\(size): \(codeSpan(path))\n"
    + (contents.databases[path].map(tableLines) ?? "")
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

private func otherTests(_ tests: [TestResult], room: Int) -> String {
  let others = tests.filter { !$0.outcome.isFailure }
  guard !others.isEmpty else { return "" }
  var lines = ""
  var shown = 0
  for test in others {
    let line = otherTestLine(test)
    guard lines.utf8.count + line.utf8.count < min(room, otherTestsBudget) else { break }
    lines += line
    shown += 1
  }
  let rest = others.count - shown
  let title = others.contains { $0.outcome != .passed } ? "Other tests" : "Passed tests"
  return "<details>\n<summary>\(title): \(grouped(others.count))</summary>\n\n\(lines)"
    + (rest > 0 ? "- … and \(grouped(rest)) more: see `index.html`\n" : "") + "\n</details>\n\n"
}

/// Bytes: the list nobody reads to its end stays small.
private let otherTestsBudget = 200 * 1024

private func otherTestLine(_ test: TestResult) -> String {
  let reason = test.outcome == .skipped ? test.skipReason : test.leadingIssue?.message
  let remark = reason.map { ": \(codeSpan(shortened(firstLine($0), to: 160)))" } ?? ""
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
