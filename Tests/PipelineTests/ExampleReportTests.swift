import Collector
import ExhibitSystem
import Foundation
import Testing

/// What the reports of the examples show of their failing tests: what the authors of such tests want to see.
@Suite struct ExampleReportTests {
  /// One run of the examples that have stores.
  private static let examples = ExampleRun(of: "^(StationTests|ColorsTests|ScorekeeperTests)\\.")
  private let run: FixtureRun

  init() async throws {
    run = try await Self.examples.run()
  }

  @Test func nothingElseFailsAndNothingIsLost() throws {
    let report = try ReportJSON(of: run)
    #expect(!report.degraded, "\(report.document.faults)")
    let failing = try String(
      contentsOf: ThisPackage.file("Examples/failing-tests.txt"), encoding: .utf8)
    let expected = failing.split(separator: "\n").filter { line in
      ["StationTests.", "ColorsTests.", "ScorekeeperTests."].contains { line.hasPrefix($0) }
    }
    let failed = report.document.tests.filter { $0.outcome == "failed" }.map {
      $0.id.split(separator: "(")[0]
    }
    #expect(Set(failed) == Set(expected) && expected.count == 5)
  }

  @Test func stationLeadsToTheDatabaseAndToTheWholeFolder() throws {
    let html = try run.page("testWhatHasLeftTakesItsPlanAlong")
    #expect(html.contains("3 rows removed"), "what the test changed")
    #expect(html.contains(".Store_SUPPORT/_EXTERNAL_DATA/Oslo.plan"), "the hidden folder in the archive")
    #expect(html.contains("/Store.sqlite\"") && html.contains("/Store.baseline.sqlite\""))
    let delayed = try run.page("testADelayOfOneHourGoesForThatHourOnly")
    #expect(delayed.contains("<del><bdi>470</bdi></del> <ins><bdi>510</bdi></ins>"))
  }

  @Test(
    .enabled(
      if: Browser.isAvailable,
      "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
  func tablesAreShownAsTheyWereAfterAnyStep() async throws {
    try await Browser.check("check-time", at: run.reportFolder)
    try await Browser.check("check-media", at: run.reportFolder)
  }

  @Test func stationsCopyHasWhatAPlainOneMisses() throws {
    let evidence = run.evidence(of: "StationTests.CheckpointTests/testACaptureHasThemWithoutACheckpoint")
    let database = try #require(evidence.first { $0.kind == .database && $0.database?.wal == .committed })
    #expect(try run.value("SELECT count(*) FROM departure", in: database) == "2")
    let html = try run.page("testACaptureHasThemWithoutACheckpoint")
    #expect(html.contains("the WAL’s committed rows are folded in") && html.contains("Bergen"))
  }

  @Test func colorsLeadToTheDatabaseInMemory() throws {
    let html = try run.page("deletesOneOfTwoNamesForAColor")
    #expect(html.contains("Crimson"))
    #expect(html.contains("1 row removed"), "Red is gone with Scarlet")
  }

  @Test func scorekeepersDifferenceIsShownAsOne() throws {
    let html = try run.page("equalPointsAreListedByName")
    #expect(html.contains("class=\"line removed\"") && html.contains("class=\"line added\""))
    #expect(html.contains("00000000-0000-0000-0000-000000000000"), "the first identifier of the test")
    #expect(html.contains("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFE"), "an identifier of the seed")
    #expect(html.contains("1 row added") && html.contains("baseline"))
  }
}
