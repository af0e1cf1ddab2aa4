import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct FittedMarkdownTests {
  private let text = """
    # Head

    <details>
    <summary>One</summary>

    ````text
    ```
    <details>
    line
    ````

    </details>

    End

    """

  @Test func whatFitsStays() {
    #expect(fittedMarkdown(text, to: text.utf8.count) == text)
  }

  @Test func whereverItIsCutFencesAndDetailsAreClosed() {
    for limit in 0..<text.utf8.count {
      let fitted = fittedMarkdown(text, to: limit)
      #expect(fitted.utf8.count <= limit)
      let lines = fitted.split(separator: "\n")
      #expect(lines.count { $0.hasPrefix("````") }.isMultiple(of: 2))
      let outside = lines.split { $0.hasPrefix("````") }.enumerated().filter { $0.offset.isMultiple(of: 2) }
        .flatMap(\.element)
      #expect(outside.count { $0 == "<details>" } == outside.count { $0 == "</details>" }, "\(fitted)")
    }
  }

  @Test(arguments: [0, 100, 1000, 5000, 20_000])
  func aSummaryNeverExceedsItsLimit(limit: Int) throws {
    for var contents in [hostileReport(), try ordersReport()] {
      contents.summary.limit = limit
      #expect(renderSummary(contents).contents.count <= limit)
    }
  }

  @Test func whatIsShedIsListed() throws {
    var contents = try ordersReport()
    contents.summary.limit = 1500
    let text = String(decoding: renderSummary(contents).contents, as: UTF8.self)
    #expect(
      text.contains(/Left out here: .*failed test.*\n\nAll is in `index.html`, in the report that/), "\(text)"
    )
    contents.summary.reportURL = "https://pages.example.org/7"
    contents.summary.limit = 2000
    #expect(
      String(decoding: renderSummary(contents).contents, as: UTF8.self).contains(
        "All is in [the report](<https://pages.example.org/7/index.html>); "))
  }

  @Test func alikeFailuresHaveALineEachUnderTheFirst() {
    let text = summary(failures: 60) { "row \($0)" }
    #expect(
      text.contains("\n- ✗ `M.t0` · `row 0` · 59 more like this one:\n  - ✗ `M.t1` · `row 1`\n  - ✗ `M.t2`"))
    for number in 1..<60 { #expect(text.contains("  - ✗ `M.t\(number)` · `row \(number)`\n")) }
    #expect(text.matches(of: #/<summary>✗ Failed: /#).count == 1)
    #expect(summary(failures: 2) { "row \($0)" }.contains("\n- ✗ `t0`, 1 more like this one\n"))
  }

  @Test(arguments: [20_000, 100_000, SummaryOptions.mostBytes], [50, 3000])
  func everyFailureIsOnALineOrCounted(limit: Int, failures: Int) throws {
    // Words of their own: none is like another.
    let text = summary(failures: failures, limit: limit) { "\(String(repeating: "x", count: $0)) failed" }
    #expect(text.utf8.count <= limit)
    let inFull = text.matches(of: #/<summary>✗ Failed: /#).count
    let lines = text.matches(of: /(?m)^- ✗ `M\.t\d+` · `x*/).count
    let counted = try text.firstMatch(of: /(?m)^- … and ([\d,]+) more: see/).map {
      try #require(Int($0.1.filter { $0 != "," }))
    }
    #expect(inFull > 0 && lines > 0)
    #expect(lines + (counted ?? 0) == failures)
    #expect(text.contains("<summary>Every failure: \(grouped(failures))</summary>"))
    let leftOut = try #require(text.split(separator: "\n").last { $0.hasPrefix("Left out here: ") })
    #expect(leftOut.contains("the details of \(grouped(failures - inFull)) failed tests"))
    #expect(counted.map { leftOut.contains(", \(grouped($0)) failed tests") } ?? true)
    #expect((counted == nil) == (failures == 50))
  }

  private func summary(failures: Int, limit: Int = SummaryOptions.mostBytes, message: (Int) -> String)
    -> String
  {
    let tests = (0..<failures).map { number in
      TestResult(
        id: .init(module: "M", suite: [], name: "t\(number)"), framework: .xctest, outcome: .failed,
        issues: [TestIssue(message: message(number), location: nil, severity: .error, isKnown: false)])
    }
    let report = Report(title: "T", runs: [], tests: tests, faults: [], notices: [])
    var contents = ReportContents(report: report, nonce: "n")
    contents.summary.limit = limit
    return String(decoding: renderSummary(contents).contents, as: UTF8.self)
  }
}
