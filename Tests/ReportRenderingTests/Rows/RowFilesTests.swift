import Collector
import Foundation
import Testing

@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct RowFilesTests {
  @Test func everyValueIsExact() throws {
    var report = try RowsReport()
    try report.fail(
      "a",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v, r REAL);
      INSERT INTO t VALUES (1, NULL, 2), (2, 9007199254740992, 0.1), (3, 9007199254740993, -0.0), (4, 1.0, 1e999),
        (5, '', NULL), (6, 'ü </script> "' || char(0) || char(8232), NULL), (7, x'00ff', NULL),
        (8, CAST(x'ff41' AS TEXT), NULL), (9, printf('%.*c', 20000, 'x'), NULL), (10, zeroblob(70000), NULL),
        (11, -9223372036854775808, -1e999);
      """)
    try report.write()
    let id = try #require(report.ids.first)
    let rows = try report.rows(id, "t")
    #expect(rows.count == 11)
    #expect(rows[0][1] is NSNull)
    #expect(rows[0][2] as? Double == 2 && rows[1][2] as? Double == 0.1)
    #expect(rows[1][1] as? Int == 9_007_199_254_740_992)
    #expect(rows[2][1] as? [String] == ["i", "9007199254740993"])
    #expect(rows[2][2] as? Double == 0, "SQLite keeps no sign of it in such a column")
    #expect(rows[3][1] as? [String] == ["r", "1.0"])
    #expect(rows[3][2] as? [String] == ["r", "inf"] && rows[10][2] as? [String] == ["r", "-inf"])
    #expect(rows[4][1] as? String == "")
    #expect(rows[5][1] as? String == "ü </script> \"\0\u{2028}")
    #expect((rows[6][1] as? [Any])?[1] as? String == "AP8=" && (rows[6][1] as? [Any])?[2] as? Int == 2)
    let text = try #require(rows[7][1] as? [Any])
    #expect(text[0] as? String == "u" && text[1] as? String == "\u{FFFD}A" && text[2] as? Int == 2)
    let long = try #require(rows[8][1] as? [Any])
    #expect(
      long[0] as? String == "t" && (long[1] as? String)?.utf8.count == 16_384 && long[2] as? Int == 20_000)
    let blob = try #require(rows[9][1] as? [Any])
    #expect(blob[0] as? String == "b" && blob[2] as? Int == 70_000)
    #expect((blob[1] as? String).flatMap { Data(base64Encoded: $0) }?.count == 1024)
    #expect(rows[10][1] as? [String] == ["i", "-9223372036854775808"])
  }

  @Test func nothingInAFileEndsAScript() throws {
    var report = try RowsReport()
    try report.fail(
      "a", "CREATE TABLE \"</script><!--\"(\"<b>\" TEXT); INSERT INTO \"</script><!--\" VALUES ('</script>');"
    )
    try report.write()
    for file in try FileManager.default.subpathsOfDirectory(atPath: report.folder("data/rows"))
    where file.hasSuffix(".js") {
      let text = try report.folder.read("data/rows/\(file)")
      #expect(!text.contains("<"), "\(file)")
    }
  }

  @Test func aTableSaysWhatNamesItsRows() throws {
    var report = try RowsReport()
    try report.fail(
      "a",
      """
      CREATE TABLE plain(a, b); INSERT INTO plain(rowid, a) VALUES (7, 'x');
      CREATE TABLE alias(a TEXT, id INTEGER PRIMARY KEY); INSERT INTO alias VALUES ('x', 9);
      CREATE TABLE "desc"(id INTEGER PRIMARY KEY DESC); INSERT INTO "desc" VALUES (5);
      CREATE TABLE pair(a, b, c, PRIMARY KEY(c, a)) WITHOUT ROWID; INSERT INTO pair VALUES (1, 2, 3);
      CREATE TABLE hidden(rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO hidden VALUES ('a', 'b', 'c');
      CREATE TABLE made(a INTEGER, b AS (a + 1), c AS (a * 2) STORED); INSERT INTO made(a) VALUES (3);
      CREATE VIRTUAL TABLE found USING fts5(title); INSERT INTO found VALUES ('a title');
      """)
    try report.write()
    let id = try #require(report.ids.first)
    let tables = try report.tables(id)
    #expect(tables["plain"]?["rowid"] as? Bool == true)
    #expect(try report.rows(id, "plain")[0][0] as? Int == 7)
    #expect(tables["alias"]?["rowid"] as? Bool == false && tables["alias"]?["key"] as? [Int] == [1])
    #expect(tables["desc"]?["rowid"] as? Bool == true)
    #expect(try report.rows(id, "desc")[0].count == 2)
    #expect(tables["pair"]?["rowid"] as? Bool == false && tables["pair"]?["key"] as? [Int] == [2, 0])
    #expect(tables["hidden"]?["rowid"] as? Bool == false && tables["hidden"]?["key"] as? [Int] == [])
    #expect(try report.rows(id, "made")[0].compactMap { $0 as? Int } == [1, 3, 4, 6])
    #expect(try report.rows(id, "found")[0].last as? String == "a title")
    #expect(tables["found_data"]?["kind"] as? String == "shadow")
  }

  @Test func foreignKeysAreToldByColumns() throws {
    var report = try RowsReport()
    try report.fail(
      "a",
      """
      CREATE TABLE parent(id INTEGER PRIMARY KEY, a, b, UNIQUE(a, b));
      CREATE TABLE child(x, p REFERENCES Parent, a, b, FOREIGN KEY(b, a) REFERENCES parent(b, a));
      """)
    try report.write()
    let id = try #require(report.ids.first)
    let keys = try #require(try report.tables(id)["child"]?["foreignKeys"] as? [[Any]])
    #expect(keys.count == 2)
    #expect(keys[0][0] as? [Int] == [3, 2] && keys[0][2] as? [String] == ["b", "a"])
    #expect(
      keys[1][0] as? [Int] == [1] && keys[1][1] as? String == "Parent" && keys[1][2] as? [String] == ["id"])
  }

  /// No foreign key says so: the model that the store keeps does.
  @Test func relationshipsAndEntitiesOfCoreDataAreTold() throws {
    var report = try RowsReport()
    try report.fail("a", SampleStore.sql())
    try report.write()
    let id = try #require(report.ids.first)
    let tables = try report.tables(id)
    let head = try report.folder.read("data/rows/\(id)/head.js")
    #expect(head.contains(#""entities":[[1,"Author"],[2,"Book"],[3,"Novel"],[4,"Shelf"]]"#))
    let columns = try #require(tables["ZBOOK"]?["columns"] as? [[Any]])
    #expect(columns.map { $0[2] as? Int } == [0, 4, 0, 0, 0, 0])
    let keys = try #require(tables["ZBOOK"]?["foreignKeys"] as? [[Any]])
    #expect(keys.count == 1 && keys[0][0] as? [Int] == [3] && keys[0][1] as? String == "ZAUTHOR")
    #expect((tables["Z_2SHELVES"]?["foreignKeys"] as? [[Any]])?.count == 2)
  }

  @Test func longTablesAreInSeveralFilesWithoutALoss() throws {
    var report = try RowsReport()
    try report.fail(
      "a",
      SchemaSQL.rows(of: "t", 20_000, "printf('the text of row %d', i)") + SchemaSQL.rows(of: "u", 3, "i"))
    try report.write()
    let id = try #require(report.ids.first)
    let rows = try report.rows(id, "t")
    #expect(rows.compactMap { $0[0] as? Int } == Array(1...20_000))
    let parts = try #require(try report.tables(id)["t"]?["parts"] as? [[Int]])
    #expect(parts.count > 2)
    for name in Set(parts.map { "data/rows/\(id)/\($0[0]).js" }) {
      #expect(try report.folder.read(name).utf8.count < RowFiles.fileBytes + 1000)
    }
    #expect(try report.rows(id, "u").count == 3)
  }

  @Test func damageLosesOnlyTheRowsBehindIt() throws {
    var report = try RowsReport()
    try report.fail(
      "a", SchemaSQL.rows(of: "good", 3, "i") + SchemaSQL.rows(of: "bad", 3000, "printf('row %d of many', i)")
    )
    let path = report.folder("evidence/a/shop.sqlite")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 4096 * 5..<4096 * 8 { bytes[index] = 0xAB }
    try report.folder.write(bytes, to: "evidence/a/shop.sqlite")
    try report.write()
    let id = try #require(report.ids.first)
    #expect(try report.rows(id, "good").count == 3)
    let note = try report.tables(id)["bad"]?["note"] as? String
    #expect(note?.contains("malformed") == true)
    #expect(try report.rows(id, "bad").count < 3000)
  }

}
