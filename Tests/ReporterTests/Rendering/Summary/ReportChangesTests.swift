import Collector
import Foundation
import Testing

@testable import Reporter

@Suite struct ReportChangesTests {
  @Test func everyChangeIsTold() throws {
    let changes = ReportChanges(
      from: ReportBaseline(tests: [
        .init(id: "M.stays", outcome: .passed, duration: 0.1),
        .init(id: "M.breaks", outcome: .passed, duration: 0.1), .init(id: "M.mended", outcome: .failed),
        .init(id: "M.broken", outcome: .crashed), .init(id: "M.gone", outcome: .passed),
        .init(id: "M.slow", outcome: .passed, duration: 0.3), .init(id: "M.off", outcome: .failed),
      ]),
      to: [
        test("stays", .passed, 0.15), test("breaks", .failed), test("mended", .passed),
        test("broken", .failed), test("slow", .passed, 1), test("new", .passed), test("newFailing", .failed),
        test("off", .skipped),
      ])
    #expect(changes.newlyFailed == ["M.breaks", "M.newFailing"])
    #expect(changes.stillFailed == ["M.broken"])
    #expect(changes.fixed == ["M.mended"])
    #expect(changes.added == ["M.new", "M.newFailing"])
    #expect(changes.removed == ["M.gone"])
    #expect(changes.slower == [.init(id: "M.slow", before: 0.3, after: 1)])
  }

  @Test func aReportComparedWithItselfHasNoChange() throws {
    let report = try ordersReport().report
    let baseline = try JSONDecoder().decode(
      ReportBaseline.self, from: Data(ReportDocument(report).file().contents))
    var changes = ReportChanges(from: baseline, to: report.tests)
    #expect(changes.stillFailed.count == 3)
    changes.stillFailed = []
    #expect(changeLines(changes) == "Against the baseline: nothing changed.\n\n")
  }

  @Test func theSummaryCountsAndNamesThem() throws {
    var options = SummaryOptions()
    options.baseline = ReportBaseline(tests: [
      .init(id: "OrdersTests.SyncTests/testReconnect", outcome: .passed),
      .init(id: "`gone`", outcome: .passed),
    ])
    let text = String(decoding: renderSummary(try ordersReport(), options).contents, as: UTF8.self)
    #expect(text.contains("Against the baseline: **3 newly failed, 9 new, 1 removed**"))
    #expect(text.contains("**Removed**\n\n- `` `gone` ``\n"))
  }

  private func test(_ name: String, _ outcome: Outcome, _ duration: Double? = nil) -> TestResult {
    TestResult(
      id: TestCaseID(module: "M", suite: [], name: name), framework: .xctest, outcome: outcome,
      duration: duration)
  }
}
