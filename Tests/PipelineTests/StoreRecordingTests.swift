import Collector
import ExhibitSystem
import Foundation
import Testing

/// Stores, seeds and baselines in real runs, of SQLite and of GRDB.
@Suite struct StoreRecordingTests {
  private func run() async throws -> FixtureRun { try await RecordedRun.serial.run() }

  private static let classes = ["SQLiteStationTests", "GRDBStationTests"]

  @Test(arguments: classes) func everyXCTestHasAFreshStore(name: String) async throws {
    let run = try await run()
    for test in ["testEveryTestStartsAfresh", "testEveryTestStartsAfreshAgain"] {
      #expect(run.outcomes["StoreTests.\(name)/\(test)"] == .passed)
    }
  }

  @Test(arguments: classes) func aFailedOneHasItsDatabaseAndItsFolder(name: String) async throws {
    let run = try await run()
    let evidence = run.evidence(of: "StoreTests.\(name)/testFails")
    #expect(evidence.map(\.kind) == [.database, .directory])
    let sql = "SELECT group_concat(destination || track) FROM departure"
    #expect(try run.value(sql, in: evidence[0]) == "Oslo9,Bergen2,Bodø4")
    let listing = try ArchiveListing(path: run.path(of: evidence[1])).entries.map(\.path)
    #expect(listing.contains("Store.sqlite") && listing.contains(".Station_SUPPORT/_EXTERNAL_DATA/0001"))
    let thrown = run.evidence(of: "StoreTests.\(name)/testThrows")
    #expect(thrown.count == 2)
    #expect(try run.value("SELECT count(*) FROM departure", in: thrown[0]) == "4")
  }

  @Test func aStoreWhosePreparationFailsIsCapturedAsFarAsItCame() async throws {
    let run = try await run()
    let test = "StoreTests.UnpreparedStationTests/testIsNotReached"
    #expect(run.outcomes[test] == .failed)
    #expect(run.issues(of: test).first?.message.contains("NOT NULL constraint failed") == true)
    let evidence = try #require(run.evidence(of: test).first)
    #expect(run.evidence(of: test).count == 1)
    #expect(try run.value("SELECT group_concat(destination) FROM departure", in: evidence) == "Oslo")
    #expect(evidence.database?.baseline == nil)
  }

  @Test(arguments: classes) func whatPrepareMadeIsTheBaseline(name: String) async throws {
    let run = try await run()
    let evidence = try #require(run.evidence(of: "StoreTests.\(name)/testFails").first)
    let sql = "SELECT group_concat(destination || track) FROM departure"
    #expect(try baseline(sql, of: evidence, in: run) == "Oslo1,Bergen2,Narvik3")
  }

  private func baseline(_ sql: String, of evidence: CapturedEvidence, in run: FixtureRun) throws -> String? {
    var baseline = evidence
    baseline.path = try #require(evidence.database?.baseline)
    return try run.value(sql, in: baseline)
  }

  @Test func storesOfGRDBDoWhatTheyPromise() async throws {
    let outcomes = try await run().outcomes.filter { $0.key.hasPrefix("StoreTests.GRDBStoreTests/") }
    #expect(outcomes.count == 11)
    #expect(outcomes.filter { $0.value != .passed } == [:])
  }

  @Test func storesAreGoneAfterTheirTests() async throws {
    let run = try await run()
    let sources = run.records.compactMap { record -> String? in
      guard let evidence = record.payload as? CapturedEvidence, evidence.kind != .story else { return nil }
      return evidence.source?.contains("/exhibit-store-") == true ? evidence.source : nil
    }
    #expect(sources.count > 8)
    #expect(!sources.contains { FileManager.default.fileExists(atPath: $0) })
  }

  // MARK: - Traits

  @Test(arguments: ["SeededTests", "SeededGRDBTests"])
  func everyCaseHasItsOwnStoreAndCountsFromZero(suite: String) async throws {
    let outcomes = try await run().outcomes.filter {
      $0.key.hasPrefix("StoreTests.\(suite)/eachCaseHasAStoreOfItsOwn(number:)")
    }
    #expect(outcomes.count == 20)
    #expect(outcomes.values.allSatisfy { $0 == .passed })
  }

  @Test func nestedSeedsRunAfterThoseAround() async throws {
    let outcomes = try await run().outcomes
    #expect(outcomes["StoreTests.SeededTests/Nested/seedsRunFromTheOutsideIn()"] == .passed)
    #expect(outcomes["StoreTests.SeededGRDBTests/theAppsOwnConnectionCountsOn()"] == .passed)
  }

  @Test func theSeededStateIsTheBaseline() async throws {
    let run = try await run()
    for suite in ["SeededTests", "SeededGRDBTests"] {
      let evidence = try #require(run.evidence(of: "StoreTests.\(suite)/fails()").first)
      #expect(try baseline("SELECT group_concat(name) FROM game", of: evidence, in: run) == "outer")
    }
    let thrown = try #require(run.evidence(of: "StoreTests.SeededTests/Nested/throwsAfterClosing()").first)
    #expect(try run.value("SELECT group_concat(name) FROM game", in: thrown) == "outer")
    #expect(try baseline("SELECT group_concat(name) FROM game", of: thrown, in: run) == "outer,inner")
  }

  @Test func rowsOfAnOpenTransactionAreThereToo() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "StoreTests.SeededGRDBTests/failsInATransaction()")
    #expect(try evidence.map { try run.value("SELECT count(*) FROM game", in: $0) } == ["1", "2"])
  }

  @Test func mistakesNameWhatIsToBeDone() async throws {
    let run = try await run()
    func message(_ test: String) -> String { run.issues(of: "StoreTests.\(test)").first?.message ?? "" }
    // Without a trait nothing records the test: the event stream has it.
    let report = try String(contentsOfFile: run.artifacts.path + "/report/report.json", encoding: .utf8)
    #expect(report.contains("Add the trait .store { db in … } to the test"))
    #expect(message("BlankTests/hasNoStoreOfThatType()").contains(".store(GRDBStore.self) { db in … }"))
    #expect(message("BlankTests/seedFails()").contains("StoreTraitTests.swift:"))
    #expect(message("BlankTests/seedFails()").contains("no such table: nowhere"))
    #expect(!message("BlankTests/seedFails()").contains("must not run"))
    #expect(message("SeededTests/Nested/cannotAskForAnotherKind()").contains("has made one in memory"))
    let blank = try #require(run.evidence(of: "StoreTests.BlankTests/seedFails()").first)
    #expect(try run.value("SELECT count(*) FROM sqlite_schema", in: blank) == "0", "the seed was rolled back")
  }

  // MARK: - Baselines of a test's own databases

  @Test(arguments: ["queueInMemory()", "everyDatabase()"])
  func aTestMarksWhatItStartsFrom(name: String) async throws {
    let run = try await run()
    let evidence = try #require(run.evidence(of: "StoreTests.MarkedTests/\(name)").first)
    #expect(try run.value("SELECT group_concat(v) FROM t", in: evidence) == "1,2")
    #expect(try baseline("SELECT group_concat(v) FROM t", of: evidence, in: run) == "1")
  }

  @Test func anEmptyDatabaseIsABaselineToo() async throws {
    let run = try await run()
    let evidence = try #require(run.evidence(of: "StoreTests.MarkedTests/empty()").first)
    #expect(try run.value("SELECT count(*) FROM t", in: evidence) == "1")
    #expect(try baseline("SELECT count(*) FROM sqlite_schema", of: evidence, in: run) == "0")
  }

  @Test(arguments: ["largeInMemory()", "largeOnDisk()"])
  func aLargeDatabaseIsABaselineToo(name: String) async throws {
    let run = try await run()
    let evidence = try #require(run.evidence(of: "StoreTests.MarkedTests/\(name)").first)
    let sql = "SELECT group_concat(length(v)) FROM t"
    #expect(try run.value(sql, in: evidence) == "1")
    #expect(try baseline(sql, of: evidence, in: run) == "5000000")
  }

  @Test func whatWasCopiedForABaselineIsGone() async throws {
    let run = try await run()
    #expect(run.outcomes["StoreTests.MarkedTests/largePasses()"] == .passed)
    let left = try FileManager.default.subpathsOfDirectory(atPath: run.runs[0])
    #expect(!left.contains { $0.contains(".capture-") || $0.contains("largePasses") })
  }

  @Test func aBaselineOverTheBudgetIsNamedAndLeftOut() async throws {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "StoreTests.MarkedTests/large(InMemory|OnDisk)"],
      environment: ["EXHIBIT_MAX_DATABASE": "1MiB"])
    for name in ["largeInMemory()", "largeOnDisk()"] {
      let evidence = try #require(run.evidence(of: "StoreTests.MarkedTests/\(name)").first)
      #expect(evidence.database?.baseline == nil)
      let note = try #require(evidence.database?.note)
      #expect(note.contains("The state the test started from was not kept") && note.contains("bytes"))
    }
    let folder = run.artifacts.path + "/report/tests/"
    let page = try String(
      contentsOfFile: folder + #require(FileSystem.entries(of: folder).first), encoding: .utf8)
    #expect(page.contains("The state the test started from was not kept"))
  }

  // MARK: - Temporary databases

  @Test func aTemporaryDatabaseIsEvidenceWhenItHoldsATable() async throws {
    let run = try await run()
    func names(_ test: String) -> [String] {
      run.evidence(of: "StoreTests.TemporaryTests/\(test)").map(\.name)
    }
    #expect(names("renames()") == ["in-memory"], "SQLite opens an empty one for a renamed table")
    #expect(names("renamesAndCloses()") == ["in-memory"])
    #expect(names("fills()") == ["in-memory", "temp"])
    #expect(names("fillsAndCloses()") == ["in-memory", "temp"])
    let temporary = try #require(run.evidence(of: "StoreTests.TemporaryTests/fills()").last)
    #expect(try run.value("SELECT v FROM basket", in: temporary) == "7")
  }

  @Test func excludedTablesAreEmptyInTheBaselineToo() async throws {
    let run = try await run()
    let evidence = try #require(run.evidence(of: "StoreTests.MarkedTests/excluded()").first)
    #expect(try baseline("SELECT count(*) FROM secret", of: evidence, in: run) == "0")
    let file = try run.runs[0] + "/" + #require(evidence.database?.baseline)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data("XYZZY".utf8)) == nil)
  }

  @Test func aPassingTestLeavesNoBaseline() async throws {
    let run = try await run()
    #expect(run.evidence(of: "StoreTests.MarkedTests/passes()") == [])
    let left = try FileManager.default.subpathsOfDirectory(atPath: run.runs[0])
    #expect(!left.contains { $0.contains("MarkedTests.passes") })
  }

  @Test func thePageOfAFailedTestShowsWhatItChanged() async throws {
    let run = try await run()
    let folder = run.artifacts.path + "/report"
    let page = try #require(
      FileSystem.entries(of: folder + "/tests").first { $0.contains("GRDBStationTests-testFails") })
    let html = try String(contentsOfFile: folder + "/tests/" + page, encoding: .utf8)
    #expect(html.contains("Changed by the test"))
    #expect(html.contains("1 row added · 1 row changed · 1 row removed"))
    #expect(html.contains("<del><bdi>1</bdi></del> <ins><bdi>9</bdi></ins>"))
    #expect(html.contains("Store.baseline.sqlite\""))
  }

  // MARK: - On GRDB's own terms

  @Test(arguments: ["all", "registered"]) func queuesAndPoolsAreCapturedOnTheirOwnTerms(mode: String)
    async throws
  {
    let run = try await FixturePackage.recorded.test(
      ["--filter", "StoreTests.GRDBEvidenceTests"], environment: ["EXHIBIT_CAPTURE": mode])
    func rows(_ test: String) throws -> [String?] {
      let evidence = run.evidence(of: "StoreTests.GRDBEvidenceTests/\(test)()")
      return try evidence.map { try run.value("SELECT count(*) FROM t", in: $0) }
    }
    #expect(try rows("outsideItsQueue") == ["1"])
    #expect(try rows("insideATransaction") == ["2"])
    #expect(try rows("whileAnotherThreadUsesIt") == ["2"])
    #expect(try rows("poolInATransaction") == ["1", "2"])
    #expect(run.failures(of: "StoreTests.GRDBEvidenceTests/insideATransaction()") == [])
  }

  @Test func storesAreCapturedWhereOnlyWhatIsRegisteredIs() async throws {
    let run = try await FixturePackage.recorded.test(
      ["--filter", "StoreTests.*StationTests/testFails"], environment: ["EXHIBIT_CAPTURE": "registered"])
    for name in Self.classes {
      let evidence = run.evidence(of: "StoreTests.\(name)/testFails")
      #expect(evidence.map(\.kind) == [.database, .directory])
      #expect(run.failures(of: "StoreTests.\(name)/testFails") == [])
    }
  }
}
