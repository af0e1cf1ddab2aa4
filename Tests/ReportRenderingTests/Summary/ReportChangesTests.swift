import Collector
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct ReportChangesTests {
  @Test func everyChangeIsTold() throws {
    let changes = ReportChanges(
      from: Baseline(tests: [
        "M.stays": .init(outcome: .passed, duration: 0.1), "M.breaks": .init(outcome: .passed, duration: 0.1),
        "M.mended": .init(outcome: .failed), "M.broken": .init(outcome: .crashed),
        "M.gone": .init(outcome: .passed), "M.slow": .init(outcome: .passed, duration: 0.3),
        "M.off": .init(outcome: .failed),
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
    let tests = report.tests.map {
      ($0.id.description, Baseline.Test(outcome: $0.outcome, duration: $0.duration))
    }
    let baseline = Baseline(tests: Dictionary(uniqueKeysWithValues: tests))
    var changes = ReportChanges(from: baseline, to: report.tests)
    #expect(changes.stillFailed.count == 3)
    changes.stillFailed = []
    #expect(changeLine(changes) == "Against the baseline: nothing changed.\n\n")
  }

  @Test func theSummaryCountsAndNamesThem() throws {
    var contents = try ordersReport()
    contents.summary.baseline = Baseline(tests: [
      "OrdersTests.SyncTests/testReconnect": .init(outcome: .passed), "`gone`": .init(outcome: .passed),
    ])
    let text = String(decoding: renderSummary(contents).contents, as: UTF8.self)
    #expect(text.contains("Against the baseline: **3 newly failed, 9 new, 1 removed**"))
    #expect(text.contains("**Removed**\n\n- `` `gone` ``\n"))
  }

  private func test(_ name: String, _ outcome: Outcome, _ duration: Double? = nil) -> TestResult {
    TestResult(
      id: TestCaseID(module: "M", suite: [], name: name), framework: .xctest, outcome: outcome,
      duration: duration)
  }
}
