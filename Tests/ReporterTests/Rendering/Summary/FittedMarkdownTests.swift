import Collector
import Testing

@testable import Reporter

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
    #expect(text.contains("Left out to fit into 1.5 kB:"))
    #expect(text.contains(/Left out .*failed test.* All is in `index.html`\./), "\(text)")
  }

  @Test func failuresOfOneCauseAreNamedUnderTheFirst() {
    let tests = (0..<3).map { number in
      TestResult(
        id: .init(module: "M", suite: [], name: "t\(number)"), framework: .xctest, outcome: .failed,
        issues: [TestIssue(message: "row \(number)", location: nil, severity: .error, isKnown: false)])
    }
    let report = Report(title: "T", runs: [], tests: tests, faults: [], notices: [])
    let contents = ReportContents(
      report: report, databases: [:], archives: [:], texts: [:], sources: [:], nonce: "n")
    let text = String(decoding: renderSummary(contents).contents, as: UTF8.self)
    #expect(text.contains("<summary>2 more failures with the same cause</summary>\n\n- `M.t1`\n- `M.t2`\n"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("### ") } == 1)
  }
}
