import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportStory
@testable import ReportTestSupport

/// The story against the captured database.
@Suite struct StoryCheckTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let orders =
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT, total REAL, photo BLOB);"

  /// What the captured database says otherwise.
  ///
  /// - Parameter damaged: A text in the page of the file that is overwritten.
  private func contradictions(
    _ sql: String, damaged: String? = nil, _ write: (inout WrittenStory) -> Void
  ) throws -> [String] {
    let file = try folder.database("shop.sqlite", Self.orders + sql)
    if let damaged {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      let page = try #require(bytes.range(of: Data(damaged.utf8))).lowerBound / 4096 * 4096
      bytes.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
      try bytes.write(to: URL(fileURLWithPath: file))
    }
    var written = WrittenStory()
    write(&written)
    let recorded = try #require(StoryFile(written.bytes).story)
    let schema = CapturedSchema(of: file, evidence: "shop", source: "/tmp/shop.sqlite", isUncommitted: false)
    let builder = StoryBuilder(recorded, issues: [], schemas: [schema], inspections: [:], path: { $0 })
    let database = try #require(builder.database(of: schema))
    return StoryCheck.contradictions(of: builder.toldRows(in: database), in: file, schema)
  }

  @Test func theSchemaTellsColumnsKeysAndTriggers() throws {
    let file = try folder.database(
      "schema.sqlite",
      Self.orders
        + """
        CREATE TABLE stock(shelf, article TEXT, rowid, both AS (shelf || article), PRIMARY KEY (article, shelf)) WITHOUT ROWID;
        CREATE VIRTUAL TABLE note USING fts5(title, body);
        CREATE TRIGGER log AFTER UPDATE ON orders BEGIN DELETE FROM stock; INSERT OR IGNORE INTO note VALUES (1, 2); END;
        """)
    let schema = CapturedSchema(of: file, evidence: "", source: nil, isUncommitted: false)
    #expect(schema.tables["orders"]?.columns.map(\.name) == ["id", "state", "total", "photo"])
    #expect(schema.tables["orders"]?.rowid == "rowid" && schema.tables["orders"]?.key == [0])
    let stock = try #require(schema.tables["stock"])
    #expect(stock.stored.map(\.name) == ["shelf", "article", "rowid"] && stock.columns.count == 4)
    #expect(
      stock.key == [1, 0] && stock.rowid == nil && stock.columns(count: 4) == stock.columns.map(\.name))
    #expect(
      schema.tables["note"]?.isVirtual == true
        && schema.tables["note"]?.columns(count: 2) == ["title", "body"])
    #expect(schema.triggers == [.init(name: "log", written: ["stock", "note"])])
  }

  /// The rows that were told last are looked at first.
  @Test func whatWasFoundBeforeAnUnreadablePageIsTold() throws {
    let sql = (1...200).map { "INSERT INTO orders(state) VALUES ('row \($0) ' || hex(zeroblob(1500)));" }
      .joined()
    let found = try contradictions(sql, damaged: "row 20 ") { story in
      story.step("INSERT INTO orders …")
      for key in 1...200 { story.insert("orders", key, #"[\#(key),"other",null,null]"#) }
    }
    #expect(found.count == 4 && found.last?.hasPrefix("So it is of ") == true, "\(found)")
  }

  @Test func aStoryThatTheDatabaseBearsOutHasNone() throws {
    let long = String(repeating: "x", count: 3000)
    let sql = "INSERT INTO orders VALUES (1, 'paid', 5, x'00ff'), (3, '\(long)', 0.5, NULL);"
    let found = try contradictions(sql) { story in
      story.step("INSERT INTO orders …")
      story.change(.insert, "orders", 1, new: #"[null,"new",5,{"blob":"00ff","size":2}]"#)
      story.change(
        .update, "orders", 1, old: #"[1,"new",5,null]"#,
        new: #"[1,"paid",{"real":"5.0"},{"blob":"00","size":2}]"#)
      story.change(.insert, "orders", 2, new: "[2,null,null,null]")
      story.change(.delete, "orders", 2, old: "[2,null,null,null]")
      story.change(
        .insert, "orders", 3, new: #"[3,{"text":"\#(long.prefix(256))","size":3000},{"real":"0.5"},null]"#)
      story.step("BEGIN")
      story.insert("orders", 9, "[9,null,null,null]")
    }
    #expect(found == [])
  }

  /// Two that begin alike are two.
  @Test(arguments: [999, 20_000]) func namesOfAnyLengthAreLookedUpWhole(length: Int) throws {
    let start = String(repeating: "t", count: length)
    let sql = ["a", "b"].map { end in
      "CREATE TABLE \(start)\(end)(id INTEGER PRIMARY KEY, \(start)c); INSERT INTO \(start)\(end) VALUES (1, '\(end)');"
    }
    let found = try contradictions(sql.joined()) { story in
      story.insert(start + "a", 1, #"[1,"a"]"#)
      story.insert(start + "b", 1, #"[1,"a"]"#)
      story.insert(start + "b", 2, #"[2,"b"]"#)
    }
    #expect(
      found.count == 2 && found.allSatisfy { $0.utf8.count < 30_000 }, "\(found.map { $0.prefix(300) })")
  }

  @Test func whatTheDatabaseSaysOtherwiseIsNamed() throws {
    let found = try contradictions("INSERT INTO orders VALUES (1, 'other', 5, NULL), (2, 'there', 1, NULL);")
    { story in
      story.insert("orders", 1, #"[1,"paid",5,null]"#)
      story.step("DELETE FROM orders WHERE id = 2", changed: 1)
      story.change(.delete, "orders", 2, old: #"[2,"there",1,null]"#)
      story.insert("orders", 3, #"[3,"gone",1,null]"#)
    }
    #expect(
      found == [
        "Row 3 of orders was written by step 3, and is not in the captured database.",
        "Row 2 of orders was deleted by step 2, and is in the captured database.",
        "Row 1 of orders has another value in state in the captured database than step 1 wrote.",
      ])
  }

  @Test func rowsOfOneStepAreNamedInTheirOrder() throws {
    let found = try contradictions("") { story in
      story.step("INSERT INTO orders …", changed: 20)
      for key in (1...20).reversed() {
        story.change(.insert, "orders", key, new: "[\(key),null,null,null]")
      }
    }
    #expect(found.prefix(3).map { $0.split(separator: " ")[1] } == ["1", "2", "3"])
  }

  @Test func manyContradictionsAreCounted() throws {
    let found = try contradictions("") { story in
      for key in 1...250 { story.insert("orders", key, "[\(key),null,null,null]") }
    }
    #expect(found.count == 4 && found.last == "So it is of 247 more rows.")
  }

  @Test(arguments: ["VACUUM", "DROP TABLE orders", "ALTER TABLE orders ADD COLUMN note"])
  func whatCameBeforeATableWasAlteredIsNotLookedAt(sql: String) throws {
    let found = try contradictions("") { story in
      story.insert("orders", 1, "[1,null,null,null]")
      story.step(sql)
    }
    #expect(found == [])
  }

  /// A file of its name may have been another one before.
  @Test func aTableThatIsMadeAnewHasNoRowsOfTheOldOne() throws {
    let found = try contradictions("INSERT INTO orders VALUES (2, NULL, NULL, NULL);") { story in
      story.insert("orders", 1, "[1,null,null,null]")
      story.step("CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT, total REAL, photo BLOB)")
      story.insert("orders", 2, "[2,null,null,null]")
    }
    #expect(found == [])
  }

  @Test func whatAFailedOrRunningStepLeavesIsNotKnown() throws {
    let found = try contradictions("") { story in
      story.insert("orders", 1, "[1,null,null,null]")
      story.step("UPDATE OR FAIL orders SET id = 5", changed: 1, error: "UNIQUE")
      story.change(
        .update, "orders", 1, old: "[1,null,null,null]", new: "[5,null,null,null]", more: ",\"newKey\":5")
      story.step("INSERT INTO orders SELECT 7", more: ",\"running\":true")
      story.change(.insert, "orders", 7, new: "[7,null,null,null]")
    }
    #expect(found == [])
  }

  /// Of a text that is no UTF-8, told as characters that stand for its bytes.
  @Test func textsThatAreNoUTF8ContradictNothing() throws {
    let text = String(repeating: "a", count: 300)
    let found = try contradictions(
      "INSERT INTO orders VALUES (1, CAST(x'ff' || '\(text)' AS TEXT), 1, NULL);"
    ) {
      $0.insert("orders", 1, "[1,\"\u{FFFD}\(text)\",1,null]")
    }
    #expect(found == [])
  }

  @Test func whereRowsAreMissingNothingIsContradicted() throws {
    let found = try contradictions("") { story in
      story.insert("orders", 1, "[1,null,null,null]")
      story.step("DELETE FROM orders", changed: 9000, more: ",\"unkept\":9000")
    }
    #expect(found == [])
  }
}
