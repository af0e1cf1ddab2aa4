import Collector
import ExhibitSystem
import Foundation
import Testing

/// What the report of a whole run says of a version that is listed and tests another file.
@Suite struct MigrationFixtureNoticesTests {
  private func run(_ suite: String) async throws -> FixtureRun {
    try await FixturePackage.recorded.report(["--filter", "^VersionTests\\.\(suite)/"])
  }

  private func text(_ name: String, of run: FixtureRun) throws -> String {
    try String(contentsOfFile: run.artifacts.path + "/report/" + name, encoding: .utf8)
  }

  private func notices(of run: FixtureRun) throws -> [String] {
    try ReportJSON(of: run).document.notices.filter { $0.kind.hasPrefix("fixture") }.map(\.message)
  }

  @Test(
    arguments: [
      ("ListedTests", "version1_3() and VersionTests.ListedTests/version1_3_5()", "version1_4()"),
      ("ListedXCTests", "test1_3 and VersionTests.ListedXCTests/test1_3_5", "test1_4"),
    ])
  func aTestOnAnotherVersionsFixture(suite: String, twins: String, failing: String) async throws {
    let run = try await run(suite)
    let report = try ReportJSON(of: run)
    #expect(!report.degraded && report.document.counts["failed"] == 1, "\(run.output)")
    let notices = try notices(of: run)
    #expect(
      notices == [
        "No test of this run used the migration fixture Folio-1.3.5.sqlite. If a test is named after its version, it"
          + " tests another file.",
        "VersionTests.\(suite)/\(twins) use the same migration fixture, Folio-1.3.sqlite.",
      ])
    for notice in notices {
      // Names are code there.
      #expect(try text("summary.md", of: run).filter { !"`\\".contains($0) }.contains(notice))
      #expect(try text("index.html", of: run).contains(notice.prefix(60)))
    }
    // The failing one has its store before and after all the same.
    let evidence = try #require(run.evidence(of: "VersionTests.\(suite)/\(failing)").first)
    #expect(evidence.database?.baseline?.hasSuffix("Folio-1.4.baseline.sqlite") == true)
    let page = try #require(FileSystem.entries(of: report.folder + "/tests").first)
    #expect(try text("tests/" + page, of: run).contains("Before and after"))
  }

  @Test func anArgumentOnAnotherVersionsFixture() async throws {
    let notices = try notices(of: try await run("ArgumentTests"))
    #expect(notices.count == 2)
    #expect(notices.first?.contains("used the migration fixture Folio-1.3.5.sqlite") == true)
    #expect(notices.last?.contains("use the same migration fixture, Folio-1.3.sqlite") == true)
  }

  @Test func aLoopOverAllIsInOrder() async throws {
    let run = try await run("LoopXCTests")
    #expect(try notices(of: run) == [])
    #expect(try ReportJSON(of: run).document.counts["failed"] == 1)
  }
}
