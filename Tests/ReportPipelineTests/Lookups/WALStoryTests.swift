import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// What a captured WAL tells where nothing was recorded.
@Suite struct WALStoryTests {
  private let folder: TemporaryFolder
  private let live: TestConnection

  init() throws {
    folder = try TemporaryFolder()
    live = try TestConnection(
      folder("live.db"),
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT)"
    )
  }

  /// The evidence of a capture at this moment.
  private func captured(baseline: String? = nil, wal: DatabaseCapture.WALState = .committed) throws
    -> TestEvidence
  {
    for end in ["", "-wal"] { try folder.copy("live.db" + end, to: "raw.sqlite" + end) }
    try folder.fold("raw.sqlite", to: "shop.sqlite")
    return TestEvidence(
      kind: .database, name: "shop", path: "shop.sqlite", bytes: 1, source: "shop.sqlite",
      database: DatabaseCapture(method: .readTransaction, wal: wal, databaseBytes: 1, baseline: baseline),
      rawFiles: ["raw.sqlite", "raw.sqlite-wal"].map { RawFile(path: $0, bytes: 1) })
  }

  private func contents(_ evidence: [TestEvidence], rows: Bool = true, message: String = "no")
    -> ReportContents
  {
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: message, location: nil, severity: .error, isKnown: false)],
      evidence: evidence)
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    return ContentsLookup(folder: folder.path, sourceRoot: SourceRoot(path: folder.path), includesRows: rows)
      .contents(of: report, nonce: "n")
  }

  private func story(_ contents: ReportContents) throws -> Story {
    try #require(contents.stories[.store("a")])
  }

  private func insert(_ count: Int) throws {
    for _ in 0..<count { try live.execute("INSERT INTO orders(state) VALUES ('open')") }
  }

  @Test func transactionsAreToldOneByOneAndAlikeOnesAreFolded() throws {
    try insert(900)
    try live.execute(
      "BEGIN; UPDATE orders SET state = 'sent' WHERE id = 7; DELETE FROM orders WHERE id = 8; COMMIT")
    let contents = contents([try captured()])
    let story = try story(contents)
    #expect(story.source == .wal && story.stepCount == 902 && story.notices == [])
    #expect(contents.report.notices == [] && contents.report.faults == [])
    let entries = story.groups.flatMap(\.entries)
    #expect(story.groups.map(\.state) == [.inWAL] && entries.count == 3)
    #expect(entries.first?.steps.first?.commit?.text == "orders created")
    #expect(
      entries.first?.steps.first?.commit?.statements == [
        "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT)"
      ])
    guard case .repeated(let repeated) = entries[1] else {
      Issue.record("not folded")
      return
    }
    #expect(repeated.times == 900 && repeated.changed == [900])
    #expect(repeated.last[0].commit?.text == "+1 orders" && repeated.last[0].commit?.number == 901)
    let last = try #require(entries.last?.steps.first)
    #expect(last.commit?.text == "−1 orders, 1 row of orders changed in state only")
    #expect(last.changes.first?.columns == ["id", "state"])
    #expect(
      last.changes.first?.changes.first { $0.operation == .update }?.old == [
        .integer(7), .text("open"),
      ])
    #expect(story.changes.sentence == "+899 orders, orders created")
    #expect(story.ending.first?.text.hasPrefix("Committed last, in transaction 902: −1 orders") == true)
  }

  @Test func thePageNamesNoFileThatIsNotThere() throws {
    for number in 1...(StoryBudget.shownSteps + 200) {
      try live.execute(
        number % 2 == 0
          ? "INSERT INTO orders(state) VALUES ('s\(number)')"
          : "UPDATE orders SET state = 't\(number)' WHERE id <= \(number / 4)"
      )
    }
    let pages = try renderPages(contents([try captured()]), templates: TemplateLibrary())
    let page = try #require(pages.first { $0.path.hasPrefix("tests/") })
    let text = String(decoding: page.contents, as: UTF8.self)
    #expect(text.contains("<details class=\"repeat brief\">"))
    #expect(!text.contains("story.jsonl"))
  }

  @Test func whatCameBeforeTheBaselineIsTheSetUp() throws {
    try insert(3)
    try folder.fold("live.db", to: "baseline.sqlite")
    try insert(2)
    let story = try story(contents([try captured(baseline: "baseline.sqlite")]))
    #expect(story.setUp.flatMap(\.steps).compactMap(\.commit?.number) == [1, 2, 4])
    #expect(story.changes.sentence == "+2 orders")
    #expect(story.steps.map(\.number) == [1, 2, 4, 5, 6])
  }

  @Test func valuesOfTheMessageAreFoundInItsRows() throws {
    try live.execute("INSERT INTO orders(state) VALUES ('misplaced order')")
    let message = "XCTAssertEqual failed: (\"misplaced order\") is not equal to (\"open\")"
    let story = try story(contents([try captured()], message: message))
    #expect(story.valuePlaces.first?.place.step == 2)
  }

  @Test func withoutRowsThereIsNoValue() throws {
    try live.execute("INSERT INTO orders(state) VALUES ('secret')")
    try live.execute("CREATE TABLE other(a DEFAULT 'secret')")
    let contents = contents([try captured()], rows: false)
    let story = try story(contents)
    #expect(story.changes.sentence == "+1 orders, 2 tables created")
    #expect(!"\(story)".contains("secret"))
    let json = ReportDocument(contents.report, stories: contents.stories).file().contents
    #expect(!String(decoding: json, as: UTF8.self).contains("secret"))
  }

  @Test func aForeignWALIsNeverReadWithTheDatabase() throws {
    let story = try story(contents([try captured(wal: .foreign)]))
    #expect(story.source == Story.Source.none && story.notices.first?.contains("another database's") == true)
    let history = readWALHistory(of: folder("shop.sqlite"), wal: folder("raw.sqlite-wal"), rows: true)
    #expect(history.transactions.isEmpty && history.problems.first?.contains("not in WAL mode") == true)
  }

  @Test func aCapturedFileThatIsAnotherStateIsANotice() throws {
    try insert(1)
    let evidence = try captured()
    try TestConnection(folder("shop.sqlite")).execute("UPDATE orders SET state = 'other'")
    let contents = contents([evidence])
    #expect(contents.report.notices.map(\.kind) == ["storyContradicted"])
  }

  @Test func whatACheckpointHasWrittenIsNotGuessed() throws {
    try insert(3)
    try live.execute("PRAGMA wal_checkpoint(PASSIVE)")
    var history = try self.history()
    // What the first one wrote, the others wrote again: their states are all in the WAL.
    #expect(history.checkpointed == 1 && history.transactions.map(\.number) == [2, 3, 4])
    #expect(
      history.problems.first?.hasSuffix("so what transaction 1 of the WAL changed is not known.") == true)
    // The next writer begins the WAL anew, unless somebody reads.
    let reader = try TestConnection(folder("live.db"), "BEGIN; SELECT * FROM orders")
    try live.execute("INSERT INTO orders VALUES (50, 'first')")
    try live.execute("INSERT INTO orders VALUES (51, 'second')")
    try live.execute("PRAGMA wal_checkpoint(PASSIVE)")
    try reader.execute("COMMIT")
    history = try self.history()
    #expect(
      history.transactions.allSatisfy {
        $0.tables.flatMap(\.groups).allSatisfy { $0.change == .init(.insert) && $0.count == 1 }
      })
    #expect(history.transactions.last?.number == history.count)
  }

  private func history() throws -> WALHistory {
    let copy = try TemporaryFolder()
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder("live.db" + end), toPath: copy("raw" + end))
    }
    return readWALHistory(of: copy("raw"), wal: copy("raw-wal"), rows: true)
  }
}
