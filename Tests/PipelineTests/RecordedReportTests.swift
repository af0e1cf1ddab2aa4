import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Foundation
import Testing

/// From failing tests to a report in which each leads to its database.
@Suite struct RecordedReportTests {
  @Test func everyCapturedDatabaseIsInTheReportAndOpens() async throws {
    let run = try await RecordedRun.serial.run()
    #expect(run.status == 1, "what swift test returned")
    let report = try ReportJSON(of: run)
    var opened = 0
    for test in report.document.tests {
      for evidence in test.evidence where evidence.kind == "database" {
        guard let path = evidence.path else { continue }
        let file = report.folder + "/" + path
        let connection = try SQLiteConnection(path: file, flags: SQLITE_OPEN_READONLY, image: .linked)
        #expect(try connection.handle.text("PRAGMA quick_check") == "ok")
        opened += 1
      }
    }
    let captured = run.records.filter { record in
      if let evidence = record.payload as? CapturedEvidence { evidence.kind == .database } else { false }
    }
    #expect(opened == captured.count && opened > 60)
  }

  @Test func everyFailedTestHasAPageThatLinksToItsDatabase() async throws {
    let run = try await RecordedRun.serial.run()
    let folder = run.artifacts.path + "/report"
    let index = try String(contentsOfFile: folder + "/index.html", encoding: .utf8)
    let page = try #require(
      FileSystem.entries(of: folder + "/tests").first { $0.contains("testLocalQueueOnDisk") })
    #expect(index.contains("tests/\(page)"))
    let html = try String(contentsOfFile: folder + "/tests/" + page, encoding: .utf8)
    #expect(html.contains("href=\"../evidence/QueueTests.QueueTests.testLocalQueueOnDisk/local.sqlite\""))
    #expect(html.contains("Grace"))
    #expect(html.contains("CREATE TABLE player"))
    #expect(html.contains("testLocalQueueOnDisk() throws"), "source lines around the failing one")
  }

  @Test func countsAgreeWithWhatSwiftTestSaid() async throws {
    let run = try await RecordedRun.serial.run()
    let report = try ReportJSON(of: run)
    let counts = report.document.counts
    #expect(counts.values.reduce(0, +) == report.document.tests.count)
    #expect(counts["knownIssue"] == 2)
    #expect(counts["skipped"] == 3)
    #expect(counts["crashed"] == 0)
    #expect(report.document.outcome == "failed")
  }

  @Test func hostileTextStaysText() async throws {
    let run = try await RecordedRun.serial.run()
    let folder = run.artifacts.path + "/report"
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".html") {
      let html = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      #expect(!html.contains("<script>alert"), "\(file)")
      #expect(!html.contains("\u{1B}") && !html.contains("\u{202E}"), "\(file)")
    }
  }

  @Test func anOrdinaryRunHasNoFault() async throws {
    for options in [[], ["--parallel"]] {
      let run = try await FixturePackage.verdicts.report(
        options + [
          "--filter", "testFails$|testPasses|testSkips$|/(passes|expectation|known|warned|cancelled|exits)",
        ])
      let report = try ReportJSON(of: run)
      #expect(report.document.faults.map(\.message) == [])
      #expect(run.status == 1)
    }
  }
}
