import ExhibitSQLite
import Foundation
import Testing

@testable import ReportStory
@testable import ReportTestSupport

/// `--no-rows`: nothing that was in a row, and no literal or comment of a statement, is in the report.
@Suite struct WithheldRowsTests {
  /// Values of rows: captured, before the test, in the WAL only, in a statement's text and as its parameter.
  private static let values = [
    "secretCaptured", "secretBefore", "secretWritten", "secretLiteral", "secretBound", "secretRead",
  ]

  /// Texts of the schema before the test and of that after it.
  private static let declared = [
    "secretDefault", "secretQuoted", "secretCheck", "secretTableComment", "secretView", "secretViewComment",
    "secretTrigger", "secretTriggerComment", "secretIndex", "secretIndexComment", "secretGenerated",
    "secretNewDefault", "secretNewComment",
  ]

  /// Texts of statements: comments, literals in the names of result columns, and what a constraint's message quotes.
  private static let told = [
    "secretLineComment", "secretBlockComment", "secretColumnName", "secretFailedCheck", "secretFailedComment",
  ]

  private func run() throws -> WrittenRun {
    var run = try WrittenRun(message: "XCTAssertTrue failed")
    try run.database(
      before: """
        CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT);
        CREATE TABLE "lines"(-- secretTableComment
          "id" INTEGER PRIMARY KEY, "note" TEXT DEFAULT 'secretDefault' CHECK ("note" <> 'secretCheck'),
          "kind" TEXT DEFAULT "secretQuoted", /* secretTableComment */
          "label" TEXT AS ("note" || 'secretGenerated'));
        CREATE VIEW "open" AS SELECT state /* secretViewComment */ AS "State" FROM orders WHERE state = 'secretView';
        CREATE TRIGGER noted AFTER UPDATE ON "lines" WHEN new.note = 'secretTrigger' BEGIN
          SELECT 1; -- secretTriggerComment
        END;
        CREATE INDEX "byNote" ON "lines"("note" || 'secretIndex') WHERE 1 /* secretIndexComment */;
        INSERT INTO orders VALUES (1, 'secretCaptured'), (2, 'secretBefore');
        """,
      changes: """
        UPDATE orders SET state = 'secretWritten' WHERE id = 2;
        INSERT INTO orders VALUES (3, 'secretLiteral'), (4, 'secretBound');
        UPDATE orders SET state = 'sent' WHERE state LIKE 'secretL%';
        CREATE TABLE added(a DEFAULT 'secretNewDefault' /* secretNewComment */);
        """)
    try run.story { story in
      story.baseline()
      story.step("UPDATE orders SET state = 'secretWritten' WHERE id = 2", changed: 1)
      story.change(.update, "orders", 2, old: #"[2,"secretBefore"]"#, new: #"[2,"secretWritten"]"#)
      story.step("INSERT INTO orders VALUES (3, 'secretLiteral')", changed: 1)
      story.change(.insert, "orders", 3, new: #"[3,"secretLiteral"]"#)
      story.step(
        "INSERT INTO orders VALUES (4, ?)", changed: 1,
        more: #","expanded":"INSERT INTO orders VALUES (4, 'secretBound')""#)
      story.change(.insert, "orders", 4, new: #"[4,"secretBound"]"#)
      story.step(
        "SELECT state FROM orders WHERE id = 1", rows: 1, results: #"[["secretRead"]]"#,
        columns: #"["state"]"#)
      story.step(
        "SELECT -- secretLineComment 'quoted\\n/* secretBlockComment */ state || 'secretColumnName' FROM orders",
        rows: 1, results: #"[["secretRead"]]"#, columns: #"["state || 'secretColumnName'"]"#)
      story.step(
        "INSERT INTO lines(note) VALUES ('secretLiteral')",
        error: "CHECK constraint failed: note <> 'secretFailedCheck' /* secretFailedComment */", code: 275)
    }
    return run
  }

  @Test func noValueOfARowIsInAnyFileOfTheReport() throws {
    var run = try run()
    try run.report(["--no-rows"])
    for path in run.folder.files where path.hasPrefix("out/") && !path.hasPrefix("out/evidence/") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: run.folder(path)))
      for value in Self.values + Self.declared + Self.told {
        for text in [value, Data(value.utf8).base64EncodedString()] {
          #expect(bytes.range(of: Data(text.utf8)) == nil, "\(value) in \(path)")
        }
      }
      #expect(!path.hasPrefix("out/data/rows") && !path.hasPrefix("out/data/pages"), "\(path)")
    }
    let html = try run.folder.read("out/index.html")
    #expect(html.contains("Rows are left out"), "the page says why there are no rows")
    #expect(html.contains("UPDATE orders SET state = ? WHERE id = ?"), "what was done is told")
    for name in ["lines", "note", "label", "noted", "byNote", "open", "State", "added"] {
      #expect(html.contains(name), "names stay: \(name)")
    }
    #expect(html.contains("CHECK constraint failed: note &lt;&gt; ?"))
  }

  @Test(arguments: [[], ["--format", "markdown"], ["--step", "5"], ["--row", "orders:2"]])
  func noneIsPrinted(arguments: [String]) throws {
    let run = try run()
    try run.write()
    let printed = try ReporterProcess.run(
      ["show", "testShip", "artifacts", "--no-rows"] + arguments, in: run.folder.path)
    #expect(printed.status == 0, "\(printed.errors)")
    for value in Self.values + Self.declared + Self.told {
      #expect(!printed.output.contains(value), "\(value) in \(arguments)")
    }
  }

  @Test func withRowsEachOfThemIsThere() throws {
    var run = try run()
    try run.report()
    let pages = try run.folder.files.filter { $0.hasPrefix("out/") && !$0.hasPrefix("out/evidence/") }
      .map { try Data(contentsOf: URL(fileURLWithPath: run.folder($0))) }
    for value in Self.values + Self.declared + Self.told {
      #expect(pages.contains { $0.range(of: Data(value.utf8)) != nil }, "\(value)")
    }
  }
}
