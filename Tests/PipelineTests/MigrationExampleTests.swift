import Collector
import ExhibitSystem
import Foundation
import Testing

/// What the reports of the examples about migrations show of their failing tests.
@Suite struct MigrationExampleTests {
  /// One run of both examples.
  private static let examples = ExampleRun(of: "^(ShopsterTests|FolioTests)\\.")
  private let run: FixtureRun

  init() async throws {
    run = try await Self.examples.run()
  }

  @Test func onlyTheTestsThatShouldFailDo() throws {
    let report = try ReportJSON(of: run)
    #expect(!report.degraded, "\(report.document.faults)")
    let failed = report.document.tests.filter { $0.outcome == "failed" }.map(\.id)
    #expect(
      Set(failed) == [
        "ShopsterTests.MigrationTests/testTheStoreSurvivesAMigrationThatRenames",
        "FolioTests.MigrationTests/everyDocumentIsStillThere(_:) (1.4)",
      ], "\(failed)")
  }

  @Test func shopsterShowsTheForeignWALBothViewsAndTheRemedy() throws {
    let html = try run.page("testTheStoreSurvivesAMigrationThatRenames")
    #expect(html.contains("This -wal belongs to another database."))
    #expect(html.contains("<strong>Remedy.</strong>") && html.contains("StoreMigration"))
    #expect(html.contains("/Shop.sqlite\"") && html.contains("/Shop.with-wal.sqlite\""))
    #expect(html.contains("linked below as raw files"))
    #expect(
      html.contains("<bdi>Shop.sqlite</bdi></h3>\n<span class=\"label\">the database file alone</span>"))
    #expect(!html.contains("SQLite did not open them. What SQLite reads"))
    let summary = try String(contentsOfFile: run.artifacts.path + "/report/summary.md", encoding: .utf8)
    #expect(summary.contains("`Shop.sqlite`, as SQLite reads it with the foreign -wal, "))
    #expect(html.contains("/Shop.raw/Shop.sqlite\"") && html.contains("/Shop.raw/Shop.sqlite-wal\""))
    #expect(!html.contains("temp.sqlite"), "the empty temporary database of the connection that migrated")
    let evidence = run.evidence(
      of: "ShopsterTests.MigrationTests/testTheStoreSurvivesAMigrationThatRenames"
    ).filter { $0.name == "Shop.sqlite" }
    let counts = try evidence.map { try run.value("SELECT count(*) FROM product", in: $0) }
    #expect(counts == ["40", "60"], "the database alone, and with the WAL that is not its own")
    let columns = try evidence.map {
      try run.value("SELECT group_concat(name) FROM pragma_table_info('product')", in: $0)
    }
    #expect(columns == ["id,name,price,currency", "id,name,price"])
  }

  @Test func folioShowsTheStoreBeforeAndAfter() throws {
    let html = try run.page("everyDocumentIsStillThere")
    #expect(html.contains("Before and after"))
    let row = try #require(html.firstMatch(of: /<tr><td class="text"><bdi>document<\/bdi>.*/)).output
    #expect(
      row.contains(">22<") && row.contains(">20<") && row.contains("−2") && row.contains("schema changed"))
    #expect(html.contains("UNIQUE (folder, title)"), "the schema after it")
    #expect(html.contains("The database before") && html.contains("/Folio-1.4.baseline.sqlite\""))
    #expect(html.contains("Migrations that GRDB has recorded"))
  }

  @Test func everyFixtureWasUsedOnceByTheTestOfAllVersions() throws {
    let used = run.records.compactMap { record -> String? in
      guard let fixture = record.payload as? UsedFixture else { return nil }
      return record.test?.name == "everyDocumentIsStillThere(_:)" ? fixture.version : nil
    }
    #expect(used.sorted() == ["1.3", "1.3.5", "1.4", "1.6"])
    let notices = try String(contentsOfFile: run.artifacts.path + "/report/report.json", encoding: .utf8)
    #expect(!notices.contains("fixtureUnused") && !notices.contains("fixtureRepeated"))
  }

  @Test func theFixturesAreAsTheyWere() throws {
    let folder = ThisPackage.file("Examples/Tests/FolioTests/Fixtures").path
    let names = try FileSystem.entries(of: folder).sorted()
    #expect(
      names == ["1.3.5", "1.3", "1.4", "1.6"].map { "Folio-\($0).sqlite" },
      "no -wal and no -journal beside them")
  }
}
