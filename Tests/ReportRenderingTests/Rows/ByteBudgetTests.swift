import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct ByteBudgetTests {
  private static let large = SchemaSQL.rows(of: "log", 5000, "printf('line %d of the log', i)")

  @Test func aDatabaseKeepsToItsLimitAndSaysWhatIsLeftOut() throws {
    var report = try RowsReport()
    try report.fail("a", Self.large)
    try report.write(ByteBudget(database: 50_000))
    let bytes = try report.bytes()
    #expect(bytes <= 50_000 && bytes > 45_000)
    let id = try #require(report.ids.first)
    let here = try report.rows(id, "log").count
    #expect(here > 1000 && here < 5000)
    #expect(
      try report.tables(id)["log"]?["note"] as? String
        == "\(grouped(here)) of 5,000 rows are here; the rest is beyond 50.0 kB for a database (--max-rows-database)."
    )
  }

  @Test func whatTheTestChangedComesFirstWithWhatItRefersTo() throws {
    let shared = """
      CREATE TABLE customer(id INTEGER PRIMARY KEY, name); INSERT INTO customer VALUES (1, 'Ada');
      CREATE TABLE note(id INTEGER PRIMARY KEY, orders REFERENCES orders(id)); INSERT INTO note VALUES (1, 1);
      CREATE TABLE orders(id INTEGER PRIMARY KEY, customer REFERENCES customer, text);
      INSERT INTO orders VALUES (1, 1, '\(String(repeating: "x", count: 8000))');
      CREATE TABLE tiny(a);
      INSERT INTO tiny VALUES (1);

      """
    var report = try RowsReport()
    try report.fail(
      "a", shared + Self.large + "UPDATE orders SET customer = 1, text = text || 'y';", baseline: shared)
    try report.write(ByteBudget(database: 9000))
    let rows = try report.ids.map { id in
      try ["customer", "orders", "note", "log"].map { try report.rows(id, $0).count }
    }
    #expect(rows.contains { $0[..<3] == [1, 1, 1] && $0[3] < 100 }, "\(rows)")
  }

  @Test func leadingFailuresComeFirst() throws {
    var report = try RowsReport()
    for name in ["a", "b", "c"] { try report.fail(name, Self.large + "CREATE TABLE of_\(name)(a);") }
    try report.write(ByteBudget(report: 150_000, database: 100_000))
    #expect(try report.bytes() <= 150_000)
    let ids = RowPlan(PageContext(report.contents), folder: report.folder.path).ids
    let all = try report.contents.report.tests.map { test in
      try report.rows(ids[test.evidence[0].path ?? ""] ?? "", "log").count
    }
    #expect(all[0] > all[1] && all[1] > all[2] && all[2] == 0, "\(all)")
    let last = try report.ids.compactMap { try report.tables($0)["log"]?["note"] as? String }
    #expect(last.contains("0 of 5,000 rows are here; the rest is beyond 150.0 kB for a report (--max-rows)."))
  }

  @Test func identicalDatabasesAreThereOnce() throws {
    var report = try RowsReport()
    try report.fail("a", Self.large)
    try report.fail("b", Self.large)
    try report.fail("c", Self.large + "DELETE FROM log WHERE id = 7;")
    try report.write()
    #expect(report.ids.count == 2)
    let pages = try FileManager.default.contentsOfDirectory(atPath: report.folder("tests"))
    #expect(pages.count == 3)
    for page in pages { #expect(try report.folder.read("tests/\(page)").contains("data-rows=\"")) }
  }

  @Test func marksTellWhatTheTestChanged() throws {
    let shared =
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');"
    var report = try RowsReport()
    try report.fail(
      "a",
      shared
        + "UPDATE t SET v = 'B' WHERE id = 2; DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (4, 'd');",
      baseline: shared)
    try report.write()
    let files = try FileManager.default.contentsOfDirectory(atPath: report.folder("data/marks"))
    let file = try #require(files.first)
    let text = try report.folder.read("data/marks/\(file)")
    #expect(
      text == """
        exhibit.marks("\(file.dropLast(3))",{"1":["since its baseline",[["t",1,1,1,["id","v"],\
        [["~",null,[2,"B"],1,"b"],["+",null,[4,"d"]],["−",null,[3,"c"]]]]]]});

        """)
  }
}
