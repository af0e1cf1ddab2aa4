import Testing

@testable import ReportHistory
@testable import ReportRendering
@testable import ReportTestSupport

/// What `reporter history` prints.
@Suite struct PrintedHistoryTests {
  @Test func theTimeOfARunIsSaidToBeFromStartToEnd() {
    var written = WrittenTrends()
    written.add(".", seconds: 105)
    written.add(".", seconds: nil)
    let overview = HistoryOverview(runs: written.trends.runs, failing: [], flaky: [])
    let lines = PrintedHistory.overview(overview).text(TerminalSettings(isColoured: false, width: nil)).split(
      separator: "\n")
    #expect(lines[1].contains("40 tests, 0 failed · 1 min 45 s from start to end · "))
    #expect(!lines[2].contains("start to end"))
  }
}
