import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// The document that a reader gets alone: what Why names is in it, whatever else the test did.
@Suite struct ShownTestTests {
  private let folder: TemporaryFolder
  private let files: [String]

  init() throws {
    folder = try TemporaryFolder()
    files = try [
      folder.database(
        "shop.sqlite",
        """
        CREATE TABLE stock(item INTEGER PRIMARY KEY, units INTEGER, \(Self.wide));
        CREATE UNIQUE INDEX stock_units ON stock(units) WHERE units < 0;
        CREATE INDEX stock_plain ON stock(units);
        CREATE TABLE movement(id INTEGER PRIMARY KEY, item INTEGER REFERENCES stock(item), delta INTEGER);
        CREATE TABLE other(a);
        CREATE TABLE slip(a);
        CREATE TRIGGER movement_slip AFTER INSERT ON movement WHEN new.delta < 0 BEGIN
          UPDATE slip SET a = 1;
        END;
        CREATE TRIGGER movement_stock AFTER INSERT ON movement BEGIN
          UPDATE stock SET units = units + new.delta WHERE item = new.item;
        END;
        CREATE TRIGGER of_other AFTER INSERT ON other BEGIN DELETE FROM stock; END;
        """),
      folder.database("archive.sqlite", "CREATE TABLE movement(id, moved_on); CREATE TABLE unused(a);"),
    ]
  }

  private static let wide = (1...20).map { "column_\($0) TEXT" }.joined(separator: ", ")

  /// 500 movements, of which some changed no stock, in a test whose Why names those.
  private func document(
    named: [Int], explained: Bool = true, limit: Int = ShownTest.usualBytes, expected: String = "45"
  ) throws -> String {
    var written = WrittenStory(path: files[0])
    written.database(1, files[1], schema: "archive")
    for number in 1...500 {
      written.step(
        "INSERT INTO movement(item, delta) VALUES (?, \(String(repeating: " ", count: 60))?)", changed: 1,
        triggers: ["movement_slip", "movement_stock"])
      written.change(.insert, "movement", number, new: "[\(number),7,\(1000 + number)]")
      if !named.contains(number) {
        written.change(.update, "stock", 7, old: "[7,\(number)]", new: "[7,\(number + 1)]", depth: 1)
      }
    }
    written.step("UPDATE archive.movement SET moved_on = 1", changed: 1)
    written.change(.update, "movement", 1, old: "[1,null]", new: "[1,1]", schema: "archive")
    written.step("SELECT sum(units) FROM stock", rows: 1, results: "[[41]]", columns: #"["total"]"#)
    written.issue(0)
    let issue = TestIssue(
      message: "XCTAssertEqual failed: (\"41\") is not equal to (\"\(expected)\")", location: nil,
      severity: .error,
      isKnown: false)
    let evidence = files.map { file in
      TestEvidence(kind: .database, name: "db", path: file, bytes: 1, source: file)
    }
    let inspections = Dictionary(
      uniqueKeysWithValues: files.map { ($0, inspectDatabase(at: $0, rows: false)) })
    let schemas = files.map { CapturedSchema(of: $0, evidence: $0, source: $0, isUncommitted: false) }
    let recorded = try #require(StoryFile(written.bytes).story)
    let builder = StoryBuilder(
      recorded, issues: [issue], schemas: schemas, inspections: inspections, path: { $0 })
    let why = Explanation(
      .likely, [.text("they changed no stock: ")] + named.flatMap { [.step($0), .text(" ")] }, weight: 1)
    var story = builder.story(explained ? [why] : [])
    story.cut()
    let test = TestResult(id: .store("a"), outcome: .failed, issues: [issue], evidence: evidence)
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    contents.databases = inspections
    contents.stories[test.id] = story
    let text = ShownTest(test, contents).markdown(limit: limit)
    #expect(text.utf8.count <= limit)
    return text
  }

  @Test func theStepsThatWhyNamesAreWhole() throws {
    let text = try document(named: [3, 120, 250, 251, 400])
    for number in [3, 120, 250, 251, 400] {
      #expect(
        text.contains("+ movement row \(number): id \(number), item 7, delta \(1000 + number)"), "\(number)")
    }
    #expect(text.contains("! it ran trigger movement_stock, which changed no row of stock"))
    #expect(text.contains(" 251  the statement of step 400"), "\(text)")
    #expect(text.contains("Step 502, 1 row: 41\n  SELECT sum(units) FROM stock\n"))
  }

  @Test func thoseForWhichThereIsNoRoomStandOnOneLineEach() throws {
    let named = Array(stride(from: 10, to: 410, by: 40))
    let text = try document(named: named, limit: 3500)
    for number in named {
      #expect(text.contains("\n  \(padded(String(number), to: 4, with: " "))  "), "\(number)")
    }
    #expect(text.contains("Step 502, 1 row: 41\n  SELECT sum(units) FROM stock\n"))
  }

  @Test func theSchemaIsThatOfTheirTablesWithTriggersByDatabase() throws {
    let text = try document(named: [3])
    let schema = try #require(text.components(separatedBy: "## Schema").last)
    #expect(schema.contains("-- shop.sqlite\nCREATE TABLE stock("), "\(schema)")
    #expect(schema.contains("CREATE TRIGGER movement_stock AFTER INSERT ON movement BEGIN\n  UPDATE stock"))
    #expect(schema.contains("item INTEGER REFERENCES stock(item)") && schema.contains("stock_units"))
    #expect(!schema.contains("other") && !schema.contains("stock_plain") && !schema.contains("archive"))
  }

  @Test func withoutAWhyItIsThatOfWhatChangedDatabaseByDatabase() throws {
    let text = try document(named: [3], explained: false)
    let schema = try #require(text.components(separatedBy: "## Schema").last)
    let archive = try #require(schema.components(separatedBy: "-- archive.sqlite\n").last)
    #expect(archive.hasPrefix("CREATE TABLE movement(id, moved_on);") && !archive.contains("delta"))
    #expect(schema.contains("-- shop.sqlite\n") && !schema.contains("unused"))
    #expect(text.contains("moved_on = 1  → 1 row changed\n"))
    #expect(text.contains("~ movement row 1: moved_on NULL → 1"))
  }

  @Test func whereNotAllStepsHaveRoomEachStatementStandsOnce() throws {
    let text = try document(named: [3], explained: false)
    let (title, end) = ("Each statement at each place once, with one of its runs:\n", "steps left out")
    let table = try #require(
      text.components(separatedBy: title).last?.components(separatedBy: end).first)
    #expect(table.hasPrefix("  in shop.sqlite:\n"))
    #expect(table.contains("→ 500 times, 500 rows changed\n        + movement row "), "\(text)")
    #expect(table.contains("  in archive.sqlite:\n   501  UPDATE"))
    // The read that the value comes from stands above.
    #expect(!table.contains("SELECT sum(units) FROM stock"))
  }

  @Test func aStepThatIsMarkedIsNeverLeftOut() throws {
    let text = try document(named: [3], explained: false, expected: "1250")
    #expect(text.contains("② 1250 (second): step 250, new delta of movement of shop.sqlite, row 250"))
    #expect(text.contains("\n   250  ") && text.contains("delta 1250 ②"), "\(text)")
  }

  @Test func whatAllStepsHaveInCommonIsNoOddity() throws {
    let text = try document(named: [3], explained: false)
    #expect(text.contains("! Step 3 ran trigger movement_stock, which changed no row of stock"))
    #expect(!text.contains("movement_slip, which") && !text.contains("odd step"))
  }
}
