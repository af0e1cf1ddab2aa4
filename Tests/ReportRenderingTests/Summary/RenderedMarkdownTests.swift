import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportTestSupport

/// The summary as GitHub renders it, whatever the run.
@Suite(.enabled(if: Markdown.isAvailable, "needs the Python package cmarkgfm, which ci/setup installs"))
struct RenderedMarkdownTests {
  @Test(arguments: [0, 1, 2, 10, 11, 300, 20_000]) func atMostSixtyLinesStandOutside(failures: Int) throws {
    try Markdown.check(contents(failures: failures))
  }

  @Test(arguments: [1, 20_000]) func allAtOnceIsNoLonger(failures: Int) throws {
    var contents = contents(failures: failures)
    contents.report.tests += (0..<3000).map { number in
      var test = TestResult(
        id: .init(module: "O", suite: [], name: "o\(number)"), framework: .swiftTesting,
        outcome: [.passed, .skipped, .knownIssue][number % 3], duration: 2)
      test.skipReason = "no network"
      if number % 3 == 0 { test.attempts = [failedAttempt, passedAttempt] }
      return test
    }
    func remarks(_ kind: String) -> [Remark] {
      (0..<100).map {
        Remark(kind: kind, message: "remark <\($0)>\n# no heading |", input: "inputs/\($0)|.xml")
      }
    }
    contents.report.faults = remarks("logEndedEarly")
    contents.report.notices = remarks("repairedXML")
    contents.report.runs = (0..<40).map {
      .init(name: "run \($0)", start: 1_795_246_212, toolchain: "Swift 6.3", commit: "4f1c2d7e9b0a")
    }
    var earlier = Dictionary(
      uniqueKeysWithValues: (0..<900).map { ("O.o\($0)", Baseline.Test(outcome: .failed, duration: 0.1)) })
    for number in 0..<failures / 2 { earlier["M.t\(number)"] = .init(outcome: .crashed) }
    for number in 0..<100 { earlier["M.gone\(number)"] = .init(outcome: .passed) }
    contents.summary.baseline = Baseline(tests: earlier)
    contents.summary.repository = Repository("o/n", commit: "abc")
    contents.summary.reportURL = "https://pages.example.org/7"
    #expect(OutcomeCounts(contents.report.tests).flaky > 0)
    let text = try Markdown.check(contents)
    for part in ["97 more reasons", "Flaky: 1,000", "Notices: 100", "Which tests changed", "40 runs"] {
      #expect(text.contains("<summary>\(part)"), "\(part)")
    }
    #expect(text.contains("\n- ✗ **new** "))
  }

  @Test(arguments: [1000, 3000, 20_000, SummaryOptions.mostBytes]) func whatIsHostileStaysText(limit: Int)
    throws
  {
    var contents = hostileReport()
    contents.summary.limit = limit
    try Markdown.check(contents, isWhole: limit == SummaryOptions.mostBytes)
  }

  @Test(arguments: [
    "a\\|b", "|", "`|`", "\\", "`", "@all #1 https://example.org", "<b>*x*</b>", "\\`|", "a|b|c",
  ])
  func aLineHoldsWhatItIsGiven(text: String) throws {
    var test = TestResult(
      id: .init(module: "M", suite: [], name: text), framework: .xctest, outcome: .failed,
      issues: [.init(message: text, location: .init(file: text, line: 1), severity: .error, isKnown: false)])
    test.location = nil
    let written = try Markdown.check(Self.contents([test, test.renamed("other")]))
    #expect(written.contains(codeSpan(text)))
  }

  private let failedAttempt = TestAttempt(outcome: .failed, duration: 1, issues: [])
  private let passedAttempt = TestAttempt(outcome: .passed, duration: 1, issues: [])

  /// None is like another, and each says a lot.
  private func contents(failures: Int) -> ReportContents {
    Self.contents(
      (0..<failures).map { number in
        let message = "line\n```\n</details>\n" + String(repeating: "x", count: number % 997) + " | failed"
        return TestResult(
          id: .init(module: "M", suite: [], name: "t\(number)"), framework: .xctest, outcome: .failed,
          duration: 0.1,
          issues: (0..<3).map { _ in
            .init(
              message: message, location: .init(file: "Tests/T\(number / 997).swift", line: 1),
              severity: .error, isKnown: false)
          })
      })
  }

  private static func contents(_ tests: [TestResult]) -> ReportContents {
    ReportContents(
      report: Report(title: "T", runs: [], tests: tests, faults: [], notices: []), nonce: "n")
  }
}

extension TestResult {
  fileprivate func renamed(_ name: String) -> TestResult {
    var test = self
    test.id = .init(module: id.module, suite: id.suite, name: name)
    return test
  }
}

/// GitHub's reader of Markdown.
private enum Markdown {
  static let isAvailable: Bool =
    // Without python there is none.
    (try? Command([ThisPackage.python, "-c", "import cmarkgfm"]).run().status) == 0

  /// Records an issue for what of the summary is not as it should be.
  ///
  /// - Parameter isWhole: Whether its limit leaves room for the end of the list of failures.
  @discardableResult static func check(_ contents: ReportContents, isWhole: Bool = true) throws -> String {
    let folder = try TemporaryFolder()
    let summary = renderSummary(contents)
    let text = String(decoding: summary.contents, as: UTF8.self)
    #expect(summary.contents.count <= contents.summary.limit)
    try expect(text, in: folder, outside: 60, all: 300)
    let comment = String(decoding: renderComment(PageContext(contents)).contents, as: UTF8.self)
    #expect(comment.unicodeScalars.count <= 60_000 && comment.hasPrefix("<!-- exhibit report: "))
    try expect(comment, in: folder, outside: 25, all: 25)
    let failures = OutcomeCounts(contents.report.tests).failures
    let list = text.components(separatedBy: "<summary>Every failure").dropFirst().first ?? ""
    let lines = list.matches(of: /(?m)^ {0,2}- [✗!…] [`\[]/).count
    if isWhole && failures > 10 {
      let rest = list.prefix(upTo: list.firstRange(of: "</details>")?.lowerBound ?? list.endIndex)
        .firstMatch(of: /- … and ([\d,]+) more: see/).flatMap { Int($0.1.replacing(",", with: "")) }
      #expect(lines + (rest ?? 0) == failures)
    }
    return text
  }

  /// - Parameters:
  ///   - outside: The most lines outside of details.
  ///   - all: The most lines.
  private static func expect(_ text: String, in folder: TemporaryFolder, outside: Int, all: Int) throws {
    let path = try folder.write(text, to: "text.md")
    let result = try Command([
      ThisPackage.python, "\(Fixture.folder)/Summary/check-summary", path, "\(outside)", "\(all)",
    ]).run()
    #expect(result.output.hasPrefix("ok "), "\(result.output)")
  }
}
