import Foundation
import Testing

/// What a captured WAL adds to a report: alone where nothing was recorded, and beside a trace.
@Suite struct WALStoryTests {
  private struct Report: Decodable {
    struct Test: Decodable {
      var story: Story?
    }
    struct Story: Decodable {
      struct Step: Decodable {
        struct Transaction: Decodable {
          var changes: String
        }
        var number: Int
        var state: String
        var times: Int
        var transaction: Transaction?
      }
      var source: String
      var changes: String
      var notices: [String]
      var steps: [Step]
    }
    struct Remark: Decodable {
      var kind: String
      var message: String
    }
    var faults: [Remark]
    var notices: [Remark]
    var tests: [Test]
  }

  private func report(_ environment: [String: String]) async throws -> (Report, FixtureRun) {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "RingTests/testAnotherProcessWritesMeanwhile$"], environment: environment)
    let data = try Data(contentsOf: URL(fileURLWithPath: run.artifacts.path + "/report/report.json"))
    return (try JSONDecoder().decode(Report.self, from: data), run)
  }

  private func expectTransactionsAlone(_ environment: [String: String]) async throws {
    let (report, run) = try await report(environment)
    #expect(report.faults.map(\.message) == [] && report.notices.map(\.kind) == [])
    let story = try #require(report.tests.first?.story)
    #expect(story.source == "wal" && story.changes == "+9 number, number created")
    let told = story.steps.map { "\($0.times) × \($0.transaction?.changes ?? "none")" }
    #expect(
      told == ["1 × number created", "5 × +1 number", "2 × +2 number"]
        || told.suffix(3).first == "5 × +1 number", "\(told)")
    let page = try run.page("testAnotherProcessWritesMeanwhile")
    #expect(page.contains("Committed transactions, as the WAL has them"))
  }

  @Test func withoutATraceTheTransactionsAreTold() async throws {
    try await expectTransactionsAlone(["EXHIBIT_TRACE": "off"])
  }

  @Test func whatAnotherProcessCommittedStandsInItsPlace() async throws {
    let (report, run) = try await report(["EXHIBIT_TRACE": "all"])
    #expect(report.faults.map(\.message) == [] && report.notices.map(\.kind) == [])
    let story = try #require(report.tests.first?.story)
    #expect(story.source == "trace")
    #expect(
      story.notices.contains {
        $0.hasPrefix("Another process, connection or test committed to meanwhile.db once")
      })
    #expect(story.steps.filter { $0.state == "unexplained" }.map(\.transaction?.changes) == ["+2 number"])
    let page = try run.page("testAnotherProcessWritesMeanwhile")
    #expect(page.contains("Committed by another process, connection or test") && page.contains("by another"))
  }

  @Test func besideStatementsWithoutRowsTheTransactionsAreTold() async throws {
    let (report, run) = try await report(["EXHIBIT_TRACE": "statements"])
    #expect(report.faults.map(\.message) == [] && report.notices.map(\.kind) == [])
    let story = try #require(report.tests.first?.story)
    #expect(story.source == "trace" && story.changes == "+9 number, number created")
    #expect(story.notices.contains { $0.hasPrefix("The rows of meanwhile.db come from its WAL") })
    #expect(story.steps.compactMap(\.transaction?.changes).contains("+2 number"))
    let page = try run.page("testAnotherProcessWritesMeanwhile")
    #expect(page.contains("Committed transactions, as the WAL has them") && page.contains("by another"))
  }
}
