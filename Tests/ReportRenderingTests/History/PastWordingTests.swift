import Collector
import ReportModel
import Testing

@testable import ReportHistory
@testable import ReportRendering
@testable import ReportTestSupport

/// How a test's earlier outcomes read.
@Suite struct PastWordingTests {
  /// Outcomes six hours apart: `P` or `F`, a commit's letter, `*` with changes, `!` for a failed attempt.
  private func past(_ text: String, hasEarlier: Bool = false) -> TestPast {
    let outcomes = text.split(separator: " ").enumerated().map { index, word in
      let commit = "\(word.dropFirst().first ?? "a")" + String(repeating: "1", count: 39)
      return PastOutcome(
        run: HistoryRun(
          key: "\(index)", name: "r", label: "l", commit: commit, isDirty: word.hasSuffix("*"),
          began: Double(index) * 21_600),
        outcome: word.hasPrefix("F") ? .failed : .passed, isFlaky: word.hasSuffix("!"))
    }
    return TestPast(outcomes: outcomes, hasEarlier: hasEarlier)
  }

  @Test(arguments: [
    ("Fa", "✗ new: no earlier run has this test"),
    ("Pa Fb", "✓✗ failing since b111111 (1 run), passed on a111111"),
    ("Pa Fb Fc Fd", "✓✗✗✗ failing since b111111 (3 runs, 12 hours), passed on a111111"),
    ("Fb Fb Fb Fb Fb Fb Fb Fc", "✗✗✗✗✗✗✗✗ failing since b111111 (8 runs, 2 days)"),
    ("Pa Fb Pc", "✓✗✓ fixed: it failed on b111111"),
    ("Pa Fa Pa", "✓✗✓ flaky: passed 2 times and failed once on a111111"),
    ("Pa Pb!", "✓✓ flaky: failed and passed in this run"),
    ("Pa Fa*", "✓✗ failing with changes that are not committed; passed on a111111"),
    ("Fa* Fa*", "✗✗ failing with changes that are not committed"),
  ])
  func itIsALine(outcomes: String, line: String) {
    #expect(past(outcomes).line == line)
  }

  @Test func aPageHasRoomForTheMainOfIt() {
    #expect(past("Pa Fb Fc").briefSentence == "failing since b111111 (2 runs, 6 hours)")
    #expect(past("Pa Fb Pc").briefSentence == "fixed: it failed on b111111")
  }

  @Test func listsTellNewStillAndFixedByIt() {
    let tests = ["Pa Fb", "Pa Fb Fc", "Pa Fb Pc", "Pa Fa Pa", "Pa Pb"].map { text in
      (TestResult(id: TestCaseID(module: "M", suite: [], name: text), outcome: .failed), past(text))
    }
    let pasts = Dictionary(uniqueKeysWithValues: tests.map { ($0.0.id, $0.1) })
    let standings = TestStandings(pasts, tests.map(\.0))
    #expect(tests.map { standings[$0.0.id] } == [.new, .still, .fixed, nil, nil])
    #expect(standings.fixed.map(\.id.name) == ["Pa Fb Pc"])
  }

  @Test func whatPassesWithTheComparedCommitIsNewAndFirstOnTheTerminalToo() throws {
    var contents = try ordersReport()
    let total = try #require(contents.report.tests.first { $0.id.name == "testTotalAfterDiscount" }).id
    for test in contents.report.tests where test.outcome.isFailure {
      contents.pasts[test.id, default: TestPast(outcomes: [])].compared = ComparedOutcome(
        name: "HEAD~1", commit: String(repeating: "a", count: 40),
        outcome: test.id == total ? .passed : .failed)
    }
    let text = printedFailures(PageContext(contents), TerminalSettings(isColoured: false, width: nil))
    let heads = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      heads.first?.hasPrefix("✗ new OrdersTests.OrderStoreTests/testTotalAfterDiscount  ") == true, "\(text)")
    #expect(heads.count == 3 && heads.count { $0.contains(" new ") } == 1)
    #expect(contents.pasts[total]?.sentence == "new: it passes with HEAD~1 (aaaaaaa)")
  }

  @Test func whatSaysNothingHasNoSentence() {
    #expect(past("Pa Pb").sentence == nil)
    #expect(past("Pa Pb").standing == nil)
    #expect(past("Fa Fb", hasEarlier: true).sentence == "failing in at least 2 runs")
  }

  @Test func theStripHasTheLastTwelve() {
    #expect(past(Array(repeating: "Pa", count: 20).joined(separator: " ") + " Fb").strip == "✓✓✓✓✓✓✓✓✓✓✓✗")
  }

  @Test(arguments: [
    (0.0, "1 minute"), (2400, "40 minutes"), (18_000, "5 hours"), (172_800, "2 days"),
    (.infinity, "a long time"),
  ])
  func spansOfTime(seconds: Double, text: String) {
    #expect(timeSpanText(seconds) == text)
  }
}
