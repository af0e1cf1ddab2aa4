import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// Which story a failed test gets, from its evidence.
@Suite struct StoryLookupTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let shop = "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT);"

  private func evidence(
    _ path: String, _ kind: EvidenceKind = .database, source: String? = "shop.sqlite",
    baseline: String? = nil,
    view: DatabaseCapture.View? = nil
  ) -> TestEvidence {
    let database = DatabaseCapture(
      method: .immutable, view: view, wal: .absent, databaseBytes: 1, walBytes: 0, baseline: baseline)
    return TestEvidence(
      kind: kind, name: path, path: path, bytes: 1, source: kind == .database ? source : nil,
      details: kind == .database ? .database(database) : nil)
  }

  private func contents(
    _ evidence: [TestEvidence], rows: Bool = true, fixtures: [UsedFixture] = [], outcome: Outcome = .failed
  ) -> ReportContents {
    let test = TestResult(
      id: .store("a"), outcome: outcome,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)], evidence: evidence)
    let lookup = ContentsLookup(
      folder: folder.path, sourceRoot: SourceRoot(path: folder.path), includesRows: rows,
      fixtures: [.store("a"): fixtures])
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    return lookup.contents(of: report, nonce: "n")
  }

  private func recorded(_ write: (inout WrittenStory) -> Void = { _ in }) throws -> TestEvidence {
    var written = WrittenStory(path: folder.path + "/shop.sqlite")
    written.step(
      "UPDATE orders SET state = 'secret' WHERE id IN (1, 0x2F, 2.5e3)", changed: 1,
      more: ",\"expanded\":\"secret\"")
    written.change(.update, "orders", 1, old: #"[1,"secret"]"#, new: #"[1,"secret2"]"#)
    written.step("SELECT 'secret' FROM orders", rows: 1, results: #"[["secret"]]"#)
    write(&written)
    try folder.write(written.bytes, to: "evidence/story.jsonl")
    return evidence("evidence/story.jsonl", .story)
  }

  @Test func aRecordedStoryIsFoundByItsKind() throws {
    let story = try recorded()
    try folder.database("captured.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'secret2');")
    let contents = contents([evidence("captured.sqlite"), story])
    let told = try #require(contents.stories[.store("a")])
    #expect(told.source == .trace && told.stepCount == 2 && told.notices == [])
    #expect(told[step: 1]?.changes.first?.columns == ["id", "state"])
    #expect(told.changes.sentence == "1 row of orders changed in state only")
    #expect(contents.report.faults == [] && contents.report.notices == [])
  }

  @Test func aContradictionIsANotice() throws {
    let story = try recorded()
    try folder.database("captured.sqlite", Self.shop)
    let contents = contents([evidence("captured.sqlite"), story])
    #expect(contents.report.notices.map(\.kind) == ["storyContradicted"] && contents.report.faults == [])
    #expect(contents.stories[.store("a")]?.notices.count == 1)
  }

  @Test func withoutRowsAStoryHasNoValues() throws {
    try folder.database("captured.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'secret2');")
    let recorded = try self.recorded {
      $0.step("SELECT x'00' || \\\"secret\\\" FROM \\\"orders\\\"", error: "no such thing: secret", code: 1)
    }
    let contents = contents([evidence("captured.sqlite"), recorded], rows: false)
    let story = try #require(contents.stories[.store("a")])
    #expect(story[step: 1]?.sql == "UPDATE orders SET state = ? WHERE id IN (?, ?, ?)")
    #expect(story[step: 3]?.sql == "SELECT ? || ? FROM \"orders\"")
    #expect(story[step: 3]?.error?.message == "SQLite error 1")
    #expect(!"\(story)".contains("secret"))
    #expect(story.changes.sentence == "1 row of orders changed in state only")
    let json = ReportDocument(contents).file().contents
    #expect(!String(decoding: json, as: UTF8.self).contains("secret"))
  }

  @Test func aDamagedStoryIsAFaultAndAnotherSourceIsTaken() throws {
    try folder.write(Data("no story".utf8), to: "evidence/story.jsonl")
    try folder.database("captured.sqlite", Self.shop)
    let contents = contents([evidence("evidence/story.jsonl", .story), evidence("captured.sqlite")])
    #expect(contents.report.faults.map(\.kind) == ["storyDamaged"])
    #expect(contents.stories[.store("a")]?.source == Story.Source.none)
  }

  @Test func linesThatCannotBeReadAreANotice() throws {
    let story = try recorded()
    try folder.write(
      Data(folder.read("evidence/story.jsonl").utf8) + Data("?\n".utf8), to: "evidence/story.jsonl")
    let contents = contents([story])
    #expect(contents.report.notices.map(\.kind) == ["storyDamaged"] && contents.report.faults == [])
    #expect(contents.stories[.store("a")]?.stepCount == 2)
  }

  // MARK: - Without a trace

  @Test func theUncommittedCopyIsComparedWithTheCommittedOne() throws {
    try folder.database("committed.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'a');")
    try folder.database("open.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'b'), (2, 'c');")
    let contents = contents([evidence("committed.sqlite"), evidence("open.sqlite", view: .uncommitted)])
    let story = try #require(contents.stories[.store("a")])
    #expect(story.source == .uncommittedCopy && story.states.map(\.path) == ["open.sqlite"])
    #expect(story.statesSentence == "+1 orders, 1 row of orders changed in state only")
    #expect(story.advice?.contains("EXHIBIT_TRACE") == true)
  }

  @Test func theEndIsComparedWithTheBaseline() throws {
    try folder.database("before.sqlite", Self.shop + "INSERT INTO orders VALUES (1, 'a');")
    try folder.database("captured.sqlite", Self.shop)
    let contents = contents([evidence("captured.sqlite", baseline: "before.sqlite")])
    let story = try #require(contents.stories[.store("a")])
    #expect(story.source == .baseline && story.statesSentence == "−1 orders")
  }

  @Test func theEndIsComparedWithTheFixture() throws {
    try folder.write("", to: "Fixtures/README")
    try folder.database("Fixtures/shop-1.sqlite", Self.shop)
    try folder.database("captured.sqlite", Self.shop + "CREATE TABLE added(a);")
    let fixture = UsedFixture(
      folder: folder.path + "/Fixtures", file: "shop-1.sqlite", version: "1", listed: ["shop-1.sqlite"])
    let contents = contents([evidence("captured.sqlite")], fixtures: [fixture])
    let story = try #require(contents.stories[.store("a")])
    #expect(story.source == .fixture && story.statesSentence == "added created")
  }

  @Test func aFixtureOutsideOfThePackageIsNotRead() throws {
    let outside = try TemporaryFolder()
    try outside.database("shop-1.sqlite", Self.shop)
    try folder.database("captured.sqlite", Self.shop)
    let fixture = UsedFixture(
      folder: outside.path, file: "shop-1.sqlite", version: "1", listed: ["shop-1.sqlite"])
    let contents = contents([evidence("captured.sqlite")], fixtures: [fixture])
    let story = try #require(contents.stories[.store("a")])
    #expect(story.source == Story.Source.none && story.advice?.contains("markBaseline") == true)
  }

  @Test func aTestWithoutADatabaseHasNoStory() throws {
    #expect(contents([]).stories.isEmpty)
    #expect(try contents([recorded()], outcome: .passed).stories.isEmpty)
  }
}
