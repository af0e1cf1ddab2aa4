import Foundation
import Testing

@testable import Reporter

/// `--no-rows`: nothing that was in a row is in the report, wherever a row is told of.
@Suite struct WithheldRowsTests {
  /// Values of rows: captured, before the test, in the WAL only, in a statement's text and as its parameter.
  private static let values = [
    "secretCaptured", "secretBefore", "secretWritten", "secretLiteral", "secretBound", "secretRead",
  ]

  private func run() throws -> WrittenRun {
    var run = try WrittenRun(message: "XCTAssertTrue failed")
    try run.database(
      before: """
        CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT);
        INSERT INTO orders VALUES (1, 'secretCaptured'), (2, 'secretBefore');
        """,
      changes: """
        UPDATE orders SET state = 'secretWritten' WHERE id = 2;
        INSERT INTO orders VALUES (3, 'secretLiteral'), (4, 'secretBound');
        UPDATE orders SET state = 'sent' WHERE state LIKE 'secretL%';
        """)
    try run.story { story in
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
    }
    return run
  }

  @Test func noValueOfARowIsInAnyFileOfTheReport() throws {
    var run = try run()
    try run.report("--no-rows")
    for path in run.folder.files where path.hasPrefix("out/") && !path.hasPrefix("out/evidence/") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: run.folder(path)))
      for value in Self.values {
        for text in [value, Data(value.utf8).base64EncodedString()] {
          #expect(bytes.range(of: Data(text.utf8)) == nil, "\(value) in \(path)")
        }
      }
      #expect(!path.hasPrefix("out/data/rows") && !path.hasPrefix("out/data/pages"), "\(path)")
    }
    let html = try run.folder.read("out/index.html")
    #expect(html.contains("Rows are left out"), "the page says why there are no rows")
    #expect(html.contains("UPDATE orders SET state = ? WHERE id = ?"), "what was done is told")
  }

  @Test func withRowsEachOfThemIsThere() throws {
    var run = try run()
    try run.report()
    let pages = try run.folder.files.filter { $0.hasPrefix("out/") && !$0.hasPrefix("out/evidence/") }
      .map { try Data(contentsOf: URL(fileURLWithPath: run.folder($0))) }
    for value in Self.values {
      #expect(pages.contains { $0.range(of: Data(value.utf8)) != nil }, "\(value)")
    }
  }
}
