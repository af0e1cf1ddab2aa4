import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct ReportDocumentTests {
  @Test func theFileIsTheRecordedOne() throws {
    try Golden.expect(ReportDocument(.hostile).file(), in: "hostile")
  }

  @Test func everyKeyIsPresentAlsoWithoutAValue() throws {
    let report = Report(
      title: "", runs: [], tests: [TestResult(id: .store("test"), outcome: .passed)], faults: [],
      notices: [Remark(kind: "k", message: "m", input: nil)])
    let file = ReportDocument(report).file()
    let json = try #require(try JSONSerialization.jsonObject(with: Data(file.contents)) as? [String: Any])
    #expect(
      json.keys.sorted() == [
        "counts", "degraded", "faults", "flaky", "format", "notices", "outcome", "runs", "tests",
      ])
    let test = try #require((json["tests"] as? [[String: Any]])?.first)
    #expect(
      test.keys.sorted() == [
        "argument", "attempts", "crash", "displayName", "duration", "evidence", "file", "findings", "flaky",
        "framework", "history",
        "id",
        "issues", "labels", "line",
        "module", "name",
        "outcome", "page", "skipReason", "story", "suite", "tags", "unexamined",
      ])
    #expect(test["duration"] is NSNull)
    #expect((json["notices"] as? [[String: Any]])?.first?.keys.sorted() == ["input", "kind", "message"])
    let counts = try #require(json["counts"] as? [String: Int])
    #expect(counts.keys.sorted() == Outcome.allCases.map(\.rawValue).sorted())
  }

  @Test(arguments: [
    (Outcome.passed, "passed"), (.knownIssue, "passed"), (.skipped, "passed"), (.crashed, "failed"),
    (.unfinished, "failed"), (.failed, "failed"),
  ])
  func theOutcomeIsThatOfTheWorstTest(outcome: Outcome, word: String) throws {
    let report = Report(
      title: "", runs: [], tests: [TestResult(id: .store("test"), outcome: outcome)], faults: [], notices: [])
    let json = try JSONSerialization.jsonObject(with: Data(ReportDocument(report).file().contents))
    #expect((json as? [String: Any])?["outcome"] as? String == word)
  }
}
