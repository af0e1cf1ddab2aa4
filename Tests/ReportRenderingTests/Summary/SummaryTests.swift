import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct SummaryTests {
  @Test(arguments: ["`", "``` x", "a ```` b", "`a`", " ", "x"])
  func codeIsFencedByMoreThanItHolds(text: String) throws {
    let longest = text.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    let block = codeBlock(text + "\n" + text)
    let fence = block.prefix { $0 == "`" }
    #expect(fence.count > longest && fence.count >= 3)
    #expect(block.hasSuffix("\n\(fence)\n"))
    guard text != " " else { return }
    let span = codeSpan(text)
    let spanFence = span.prefix { $0 == "`" }
    #expect(spanFence.count > longest)
    #expect(span.hasSuffix(String(spanFence)))
    #expect(span.dropFirst(spanFence.count).first != "`")
  }

  @Test func aSpanIsOneLine() {
    #expect(!codeSpan("a\n\n# b\r\n- c").contains { $0.isNewline })
  }

  @Test func theSummaryStaysBelowGitHubsLimitAndSaysWhatIsMissing() {
    let tests = (0..<400).map { number in
      // Words of their own: numbers alone would not tell them apart.
      let message = String(repeating: "y", count: number) + String(repeating: "x", count: 8000)
      return TestResult(
        id: TestCaseID(module: "M", suite: [], name: "t\(number)"), framework: .xctest,
        outcome: number < 300 ? .failed : .passed,
        issues: [TestIssue(message: message, location: nil, severity: .error, isKnown: false)])
    }
    let summary = renderSummary(
      ReportContents(
        report: Report(title: "T", runs: [], tests: tests, faults: [], notices: []), databases: [:],
        archives: [:],
        texts: [:], sources: [:], nonce: "n"))
    let text = String(decoding: summary.contents, as: UTF8.self)
    let shown = text.matches(of: #/<summary>✗ Failed: /#).count
    #expect(summary.contents.count < 1024 * 1024)
    #expect(shown < 300)
    #expect(shown > 50)
    #expect(text.contains("<summary>Every failure: 300</summary>"))
    #expect(text.matches(of: /(?m)^- ✗ `M\.t/).count == 300)
    #expect(text.contains("the details of \(300 - shown) failed tests"))
  }
}
