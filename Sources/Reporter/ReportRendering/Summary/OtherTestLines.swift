import Collector
import ReportModel

/// The tests that did not fail, folded, as many as fit.
func otherTests(
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
  let remark = reason.map { ": \(codeSpan(shortened(firstLine($0), to: 160)))" } ?? ""
  let duration = test.duration.flatMap(durationText).map { " · \($0)" } ?? ""
  return
    "- \(test.outcome.symbol) \(test.outcome.word) \(codeSpan(shortened(test.id.description, to: 300)))\(duration)\(remark)\n"
}
