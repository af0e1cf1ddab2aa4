import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering

/// The run as a picture, whatever its processes.
@Suite struct TimeLineTests {
  @Test func processesThatFollowEachOtherShareALane() throws {
    // 200 processes of half a second each, four at a time.
    let tests = (0..<200).map { test($0, process: "Process \($0)", start: Double($0 / 4), seconds: 0.5) }
    let line = try #require(TimeLine(tests))
    #expect(line.processes == 200)
    #expect(line.rows.map(\.processes) == [50, 50, 50, 50])
    #expect(line.rows.allSatisfy { $0.lines.count == 1 })
    #expect(line.length == 49.5)
  }

  @Test func testsAtOnceLieBelowEachOther() throws {
    let tests = (0..<20).map { test($0, process: "Swift Testing", start: 0, seconds: 1) }
    let line = try #require(TimeLine(tests))
    #expect(line.rows.count == 1)
    #expect(line.rows[0].lines.map(\.count) == [1, 1, 1, 1, 1, 15])
  }

  @Test func withoutTimesThereIsNone() {
    #expect(
      TimeLine([TestResult(id: TestCaseID(module: "M", suite: [], name: "t"), outcome: .passed)]) == nil)
  }

  @Test func itsSizeDoesNotGrowWithTheTests() throws {
    let tests = (0..<100_000).map {
      test($0, process: "Process \($0 % 200)", start: Double($0 / 200), seconds: 0.9, fails: $0 % 3 == 0)
    }
    let line = try #require(TimeLine(ofRun: tests))
    let text = try TemplateLibrary().text(timeLineValues(line, tests), with: "timeline")
    #expect(text.utf8.count < 1_000_000)
    #expect(text.contains("160 more processes not drawn."))
    let contents = ReportContents(
      report: Report(title: "T", runs: [], tests: tests, faults: [], notices: []), nonce: "n")
    let glance = try #require(glanceValues(line, slowestTests(tests), in: PageContext(contents)))
    let above = try TemplateLibrary().text(glance, with: "glance")
    #expect(above.utf8.count < 25_000 && above.contains("All 100,000 tests"))
    #expect(above.contains("66,666 passed") && above.contains("33,334 failed"))
  }

  private func test(
    _ number: Int, process: String, start: Double, seconds: Double, fails: Bool = false
  ) -> TestResult {
    TestResult(
      id: TestCaseID(module: "M", suite: [], name: "test\(number)"), outcome: fails ? .failed : .passed,
      duration: seconds, span: TestSpan(process: process, start: 1000 + start))
  }
}
