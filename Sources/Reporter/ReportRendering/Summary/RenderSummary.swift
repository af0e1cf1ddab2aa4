import Collector
import ReportHistory
import ReportModel

/// `summary.md` for a CI job, merge request or terminal.
///
/// At most 60 visible lines, 300 in all, and 900 KiB: counts, news and leading failures; then collapsed details.
/// Untrusted text is only in code spans. Links need addresses in the options. Omissions are stated.
package func renderSummary(_ context: PageContext) -> ReportFile {
  var summary = Summary(context: context)
  summary.write()
  return ReportFile(path: "summary.md", text: fittedMarkdown(summary.text, to: summary.options.limit))
}

struct MarkdownRoom {
  var bytes: Int
  var lines: Int

  var isLeft: Bool { bytes >= 0 && lines >= 0 }

  mutating func take(_ text: String) {
    bytes -= text.utf8.count
    lines -= lineFeeds(in: text)
  }

  func most(_ lines: Int) -> MarkdownRoom { MarkdownRoom(bytes: bytes, lines: min(lines, self.lines)) }
}

private func lineFeeds(in text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }

private struct Summary {
  private static let mostLines = 300

  let context: PageContext
  private(set) var text = ""
  private(set) var leftOut: [String] = []

  private var failures: SummaryFailures { SummaryFailures(context: context) }

  var options: SummaryOptions { failures.options }

  private var counts: OutcomeCounts { context.counts }

  private var reserve: Int { min(2048, options.limit / 4) }

  private var room: MarkdownRoom {
    MarkdownRoom(
      bytes: options.limit - reserve - text.utf8.count, lines: Self.mostLines - 6 - lineFeeds(in: text))
  }

  mutating func write() {
    let report = context.contents.report
    text = summaryHead(context, heading: "##")
    if !report.faults.isEmpty { text += "**This report is incomplete: \(grouped(report.faults.count))**\n\n" }
    writeRemarks(report.faults, shown: 3) { "\(counted($0, "more reason"))" }
    let entries = writeLeading()
    // Short parts get room first but follow the failures.
    let head = text
    if counts.flaky > 0 { writeFlaky(report.tests) }
    writeFixed(report.tests)
    if let baseline = options.baseline { writeChanges(ReportChanges(from: baseline, to: report.tests)) }
    writeOthers(report.tests)
    writeRemarks(report.notices, shown: 0) { "Notices: \(grouped($0))" }
    writeRuns(report.runs)
    let behind = String(decoding: text.utf8.dropFirst(head.utf8.count), as: UTF8.self)
    writeFailures(isListed: entries.areAll)
    let told = text.utf8.dropFirst(head.utf8.count + behind.utf8.count)
    text = head + String(decoding: told, as: UTF8.self) + behind
    if !leftOut.isEmpty { text += "\nLeft out here: \(leftOut.joined(separator: ", ")).\n" }
    if !leftOut.isEmpty || options.reportURL != nil { text += "\n\(whereAllIs(context))\n" }
  }

  /// New failures first.
  private mutating func writeLeading() -> SummaryFailures.Entries {
    let entries = failures.entries(most: 10, room.most(30))
    let rest = counts.failures - entries.told
    text += entries.text + (rest > 0 ? "\n\(counted(rest, "more failure")) below.\n" : "")
    if counts.failures > 0 { text += "\n" }
    return entries
  }

  /// All failures in a line each, then some in full.
  ///
  /// - Parameter isListed: True when all have a line already.
  private mutating func writeFailures(isListed: Bool) {
    guard counts.failures > 0 else { return }
    // Lines first; an eighth of the room for full ones.
    var list = FoldedLines()
    if !isListed {
      list = failures.list(MarkdownRoom(bytes: room.bytes * 7 / 8, lines: room.lines * 5 / 8))
    }
    var left = room
    left.take(list.text)
    left.take("<details>\n<summary>12345 failures in full</summary>\n\n\n</details>\n\n")
    let sections = failures.sections(left)
    if sections.count == 1, counts.failures == 1 {
      text += sections[0] + "\n"
    } else {
      text += list.text
      if !sections.isEmpty {
        text +=
          "<details>\n<summary>\(counted(sections.count, "failure")) in full</summary>\n\n\(sections.joined())\n</details>\n\n"
      }
    }
    let untold = context.groups.dropFirst(sections.count).reduce(0) { $0 + $1.total }
    if untold > 0 { leftOut.append("the details of \(counted(untold, "failed test"))") }
    if list.leftOut > 0 { leftOut.append(counted(list.leftOut, "failed test")) }
  }

  private mutating func writeFlaky(_ tests: [TestResult]) {
    let lines = Array(tests.lazy.filter(\.isFlaky).prefix(mostNamed)).map { test in
      let remark = test.failureBefore.map { ", failed before: \(quoted($0))" } ?? ""
      return "- \(failures.name(of: test))\(remark)\n"
    }
    let title = "Flaky: \(grouped(counts.flaky)), failed and passed when repeated"
    writeFolded(title, lines, of: counts.flaky, orElse: counted(counts.flaky, "flaky test"))
  }

  /// Flaky tests, and tests that passed and failed before.
  private mutating func writeFixed(_ tests: [TestResult]) {
    guard !context.contents.pasts.isEmpty else { return }
    let told = tests.filter { $0.outcome == .passed && context.contents.pasts[$0.id]?.standing != nil }
    guard !told.isEmpty else { return }
    let lines = told.prefix(mostNamed).map { test in
      let past = context.contents.pasts[test.id].map { " · \(prose($0.line))" }
      return "- \(failures.name(of: test))\(past ?? "")\n"
    }
    let title = "Passed, and failed before: \(grouped(told.count))"
    writeFolded(
      title, Array(lines), of: told.count, orElse: counted(told.count, "test") + " that failed before")
  }

  /// Skipped tests and known issues with reasons.
  private mutating func writeOthers(_ tests: [TestResult]) {
    let (skipped, known) = (counts[.skipped], counts[.knownIssue])
    guard skipped + known > 0 else { return }
    let others = tests.lazy.filter { $0.outcome == .skipped || $0.outcome == .knownIssue }
    let title = [(skipped, "Skipped"), (known, "Known issues")].filter { $0.0 > 0 }.map {
      "\($0.1): \(grouped($0.0))"
    }.joined(separator: ", ")
    writeFolded(
      title, Array(others.prefix(mostNamed)).map(otherTestLine), of: skipped + known,
      orElse: counted(skipped + known, "test") + " that were skipped or failed as expected")
  }

  private mutating func writeRemarks(_ remarks: [Remark], shown: Int, title: (Int) -> String) {
    guard !remarks.isEmpty else { return }
    let lines = remarks.prefix(shown + mostNamed).map(remarkLine)
    if shown > 0 { text += lines.prefix(shown).joined() + "\n" }
    let rest = remarks.count - min(shown, remarks.count)
    guard rest > 0 else { return }
    writeFolded(title(rest), Array(lines.dropFirst(shown)), of: rest, orElse: counted(rest, "remark"))
  }

  private mutating func writeChanges(_ changes: ReportChanges) {
    let lists = changeLists(changes)
    guard !lists.isEmpty else { return }
    let block =
      "<details>\n<summary>Which tests changed</summary>\n\n\(lists.map(changeSection).joined())</details>\n\n"
    var left = room
    left.take(block)
    guard left.isLeft else { return leftOut.append("which tests changed") }
    text += block
  }

  private mutating func writeRuns(_ runs: [Report.Run]) {
    let lines = runs.map(runLine)
    guard lines.count > 1 else {
      text += lines.joined()
      return
    }
    let count = counted(lines.count, "run")
    writeFolded(count, lines.prefix(mostNamed).map { "- \($0)" }, of: lines.count, orElse: count)
  }

  /// Lines in `<details>` that fit.
  ///
  /// - Parameter lost: Words for lines if none fits.
  private mutating func writeFolded(
    _ title: String, _ lines: [String], of count: Int, orElse lost: String
  ) {
    let list = FoldedLines(title: title, lines: lines, of: count, room: room.most(mostNamed + 8))
    text += list.text
    if list.text.isEmpty { leftOut.append(lost) }
  }
}

/// Lines in `<details>` that fit, with the number of others.
struct FoldedLines {
  private(set) var text = ""
  private(set) var leftOut = 0

  init() {}

  /// - Parameter lines: With line feeds.
  init(title: String, lines: [String], of count: Int, room: MarkdownRoom) {
    func rest(_ count: Int) -> String {
      count > 0 ? "- … and \(grouped(count)) more: see `index.html`\n" : ""
    }
    let (start, end) = ("<details>\n<summary>\(title)</summary>\n\n", "\n</details>\n\n")
    var (left, shown, told) = (room, 0, "")
    left.take(start + rest(count) + end)
    for line in lines {
      left.take(line)
      guard left.isLeft else { break }
      told += line
      shown += 1
    }
    leftOut = count - shown
    if shown > 0 { text = start + told + rest(leftOut) + end }
  }
}

private let mostNamed = 12

private func otherTestLine(_ test: TestResult) -> String {
  let reason = test.outcome == .skipped ? test.skipReason : test.leadingIssue?.message
  let remark = reason.map { ": \(quoted(shortened(firstLine($0), to: 160)))" } ?? ""
  let name = codeSpan(shortened(test.id.description, to: 300))
  return "- \(test.outcome.symbol) \(test.outcome.word) \(name)\(remark)\n"
}

private func remarkLine(_ remark: Remark) -> String {
  let input = remark.input.map { " in \(codeSpan(shortened($0, to: 300)))" } ?? ""
  return "- \(codeSpan(remark.kind))\(input): \(prose(shortened(remark.message, to: 500)))\n"
}

// MARK: - Head

/// Result, counts and news.
///
/// - Parameter heading: Markdown heading signs.
func summaryHead(_ context: PageContext, heading: String) -> String {
  let (report, counts) = (context.contents.report, context.counts)
  let verdict = Verdict(report, counts)
  let symbol =
    switch verdict.style {
    case .failed: "✗"
    case .degraded: "!"
    case .passed: "✓"
    case .neutral: "–"
    }
  var facts = [codeSpan(shortened(report.title, to: 300))]
  facts += Outcome.allCases.filter { counts[$0] > 0 }.map { "\($0.symbol) \($0.phrase(counts[$0]))" }
  if counts.flaky > 0 { facts.append("↻ \(grouped(counts.flaky)) flaky") }
  if let duration = counts.duration.flatMap(durationText) { facts.append("\(duration) of tests") }
  let nothing = counts.total > 0 ? "" : "No input named a test. The report cannot say whether any failed.\n\n"
  let cutShort = report.cutShort.prefix(3).map { "**\(prose(shortened($0, to: 500)))**\n\n" }.joined()
  return "\(heading) \(symbol) \(verdict.text)\n\n\(facts.joined(separator: " · "))\n\n" + nothing + cutShort
    + news(in: context)
}

/// Changes since the baseline, or by history.
private func news(in context: PageContext) -> String {
  if let baseline = context.contents.summary.baseline {
    return changeLine(ReportChanges(from: baseline, to: context.contents.report.tests))
  }
  let counts = TestStanding.allCases.compactMap { standing -> String? in
    let count = context.standings?.count(standing) ?? 0
    return count > 0 ? "\(grouped(count)) \(standing.phrase)" : nil
  }
  let source = context.contents.comparedWith.map { "Compared with \(codeSpan($0))" } ?? "By the history"
  return counts.isEmpty ? "" : "\(source): **\(counts.joined(separator: ", "))**\n\n"
}

func whereAllIs(_ context: PageContext) -> String {
  let options = context.contents.summary
  let isBare = context.counts.failures > 0 && !options.showsValues
  let end = isBare ? "; values of databases stand only there." : "."
  if let address = options.link(to: "index.html") { return "All is in [the report](<\(address)>)\(end)" }
  let job = (options.jobLink ?? context.contents.report.runs.last?.link).flatMap(webLink)
  return "All is in `index.html`" + (job.map { ", in the report that [this job](<\($0)>) has made" } ?? "")
    + end
}

// MARK: - Runs

private func runLine(_ run: Report.Run) -> String {
  [
    "Run \(codeSpan(shortened(run.name, to: 200)))", run.start.flatMap(timeText), run.toolchain.map(codeSpan),
    run.commit.map { "commit \(codeSpan(shortened($0, to: 12)))" },
  ].compactMap { $0 }.joined(separator: " · ") + "\n"
}
