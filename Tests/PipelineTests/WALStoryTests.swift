import Foundation
import Testing

/// What a captured WAL adds to a recorded story.
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

  @Test func withoutATraceThePageSaysWhereTheTransactionsAre() async throws {
    let (report, run) = try await report(["EXHIBIT_TRACE": "off"])
    #expect(report.faults.map(\.message) == [] && report.notices.map(\.kind) == [])
    let story = try #require(report.tests.first?.story)
    #expect(story.source == "none" && story.steps.isEmpty && story.changes == "")
    let page = try run.page("testAnotherProcessWritesMeanwhile")
    #expect(page.contains("EXHIBIT_TRACE=all") && page.contains("reporter inspect tells the transactions"))
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
