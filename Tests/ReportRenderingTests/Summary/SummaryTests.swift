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
      let message = String(repeating: "y", count: number) + String(repeating: "x\n", count: 8000)
      return TestResult(
        id: TestCaseID(module: "M", suite: [], name: "t\(number)"), framework: .xctest,
        outcome: number < 300 ? .failed : .passed,
        issues: [TestIssue(message: message, location: nil, severity: .error, isKnown: false)])
    }
    let summary = renderSummary(
      ReportContents(
        report: Report(title: "T", runs: [], tests: tests, faults: [], notices: []), nonce: "n"))
    let text = String(decoding: summary.contents, as: UTF8.self)
    let shown = text.matches(of: #/<summary>✗ Failed: /#).count
    #expect(summary.contents.count <= SummaryOptions.mostBytes)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 300)
    #expect(shown > 2 && shown < 300)
    #expect(text.contains("<summary>Every failure: 300</summary>"))
    let lines = text.matches(of: /(?m)^- ✗ `M\.t/).count
    #expect(lines > 100 && text.contains("- … and \(300 - lines) more: see `index.html`"))
    #expect(text.contains("the details of \(300 - shown) failed tests, \(300 - lines) failed tests.\n"))
    #expect(text.contains("\n290 more failures below.\n"))
  }

  @Test(arguments: [
    ("a sentence, with “quotes” (step 7): done.", "a sentence, with “quotes” (step 7): done."),
    ("row of order_line @all", "row of `order_line` `@all`"), ("see #1", "see `#1`"),
    ("at 4f1c2d7e9b", "at `4f1c2d7e9b`"), ("www.example.org", "`www.example.org`"),
    ("https://x.org *b* <i>", "`https://x.org` `*b*` `<i>`"), ("GH-12", "`GH-12`"),
    ("a `b` c", "a `` `b` `` c"), ("  two  blanks ", "  two  blanks "),
    ("of order_line. (a@b), “c_d”:", "of `order_line`. `(a@b)`, “`c_d`”:"),
    ("migrate(from:), order.total, 1.5 s", "`migrate(from:)`, `order.total`, 1.5 s"),
    ("in-memory -x x- --option ::", "in-memory `-x` `x-` `--option` `::`"),
    ("+1 orders · −2, 3", "+1 orders · −2, 3"),
  ])
  func wordsThatCouldBeMarkupAreCode(text: String, written: String) {
    #expect(prose(text) == written)
  }

  @Test(arguments: [
    ("Index out of range.", "`Index out of range`."), ("no: a..", "`no: a`.."), ("…", "`…`"), ("..", "`..`"),
    ("a.b", "`a.b`"),
  ])
  func whatEndsAMessageStandsBehindIt(text: String, written: String) {
    #expect(quoted(text) == written)
  }

  /// Sentences are prose; names, places, statements and values are code.
  @Test func noCodeSpanHoldsASentenceOrItsPunctuation() throws {
    var contents = try ordersReport()
    let sentence = "TabsTests/opens(): in-memory was not captured: Databases in memory, of 3 tests."
    contents.report.faults = [Remark(kind: "captureFailed", message: sentence, input: "inputs/a.jsonl")]
    let files = [renderSummary(contents), renderComment(PageContext(contents))].map {
      String(decoding: $0.contents, as: UTF8.self)
    }
    for text in files {
      #expect(
        text.contains("`TabsTests/opens()`: in-memory was not captured: Databases in memory, of 3 tests."))
      let prose = text.replacing(#/(?s)```.*?```/#, with: "")
      let spans = prose.matches(of: #/`([^`\n]+)`/#).map { String($0.1) }
      #expect(spans.count > 10)
      for span in spans {
        #expect(!".,:;".contains(span.last ?? ".") && !".,:;".contains(span.first ?? "."), "\(span)")
        for words in ["failing since", "was changed", "was not captured", "holds a number", "Failed before"] {
          #expect(!span.contains(words), "\(span)")
        }
      }
    }
  }
}
