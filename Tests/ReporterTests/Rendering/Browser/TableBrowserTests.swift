import Foundation
import Testing

@testable import ReportRendering
@testable import ReportTestSupport

/// The tables of captured databases in Chromium, from disk as users open them.
@Suite(
  .enabled(
    if: Browser.isAvailable,
    "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
struct TableBrowserTests {
  @Test func allRowsCanBeLookedAt() async throws {
    var report = try RowsReport()
    try report.fail("orders", Self.shop + Self.changes, baseline: Self.shop)
    try report.fail("hostile", Self.hostile)
    try report.fail("keys", Self.keys)
    try report.fail("wide", Self.wide)
    try report.fail("many", Self.many)
    try report.fail(
      "long", Self.long + "UPDATE shipment SET state = 'lost' WHERE units = 1003;", baseline: Self.long)
    try report.write()
    try await Browser.check("check-tables", report.folder)
  }

  @Test func theOneFileHasRowsToo() async throws {
    var report = try RowsReport()
    try report.fail("orders", Self.shop + Self.changes, baseline: Self.shop)
    try report.fail("second", "CREATE TABLE other(id INTEGER PRIMARY KEY, name TEXT);\n" + Self.threeRows)
    try report.fail("hostile", Self.hostile)
    let bytes = try report.writeSingleFile()
    #expect(bytes < 2_000_000)
    try await Browser.check("check-single-tables", report.folder)
  }

  @Test func rowsOfTheOneFileKeepToTheirShare() throws {
    var report = try RowsReport()
    try report.fail("orders", Self.shop)
    try report.fail("second", "CREATE TABLE other(id INTEGER PRIMARY KEY, name TEXT);\n" + Self.threeRows)
    let bytes = try report.writeSingleFile(limit: 1_000_000)
    #expect(bytes < 1_000_000)
    let page = try report.folder.read(SingleFile.path)
    #expect(page.contains("of rows in report.html"))
    #expect(page.contains(" data-part=\"t-1\"") && page.contains("id=\"t-2\""))
  }

  private static let threeRows = "INSERT INTO other VALUES (1, 'one'), (2, 'two'), (3, 'three');\n"

  private static let shop = """
    CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO customer VALUES (1, 'Ada'), (2, 'Grace');
    CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, status TEXT, total INTEGER,
      placed_at REAL, note TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO orders SELECT i, CASE i % 2 WHEN 0 THEN 2 ELSE 1 END, CASE i % 3 WHEN 0 THEN 'paid' ELSE 'open' END,
      CASE WHEN i % 100 = 50 THEN -i / 100 - 1 ELSE i END, 1704067200 + (i - 10) * 60,
      CASE i % 2 WHEN 0 THEN 'two words' END FROM n;
    CREATE TABLE line(id INTEGER PRIMARY KEY, orders INTEGER REFERENCES orders);
    INSERT INTO line VALUES (1, 1), (2, 77777), (3, NULL);
    CREATE TABLE kinds(id INTEGER PRIMARY KEY, created_at INTEGER, json TEXT, bytes BLOB, uuid BLOB, picture BLOB);
    INSERT INTO kinds VALUES (1, 1700000000, '{"a":[1,{"b":null}]}', x'0001ff', x'00112233445566778899aabbccddeeff',
      x'89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc00000030101\
    00c9fe92ef0000000049454e44ae426082');

    """

  private static let changes = """
    UPDATE orders SET status = 'sent' WHERE id = 2;
    DELETE FROM orders WHERE id = 10;
    INSERT INTO orders VALUES (5001, 1, 'open', 1, 1704067200, NULL);
    CREATE TABLE refund(id INTEGER PRIMARY KEY, reason TEXT);
    INSERT INTO refund VALUES (1, 'broken'), (2, 'late');
    """

  private static let markup = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"

  private static let hostile = """
    CREATE TABLE "\(markup)"("</td>\(markup)" INTEGER PRIMARY KEY, "\u{2028}\u{202E}" TEXT, b BLOB, "__proto__", c);
    INSERT INTO "\(markup)" VALUES (1, '\(markup)', x'', '\u{202E}abc', 9223372036854775807),
      (2, 'a' || char(0) || 'b', x'ff', char(55296), 1e999), (3, '`${1}', NULL, CAST(x'ff41' AS TEXT), 1.0),
      (4, '</script>', zeroblob(100000), printf('%.*c', 100000, 'x'), -9223372036854775808);
    CREATE TABLE "constructor"(a TEXT, b INTEGER, "toString", PRIMARY KEY(a, b)) WITHOUT ROWID;
    INSERT INTO "constructor" VALUES ('"],"', 1, 1), ('', 2, NULL);
    CREATE TABLE child(p REFERENCES "\(markup)"); INSERT INTO child VALUES (1), ('x');
    CREATE VIRTUAL TABLE found USING fts5(title, body); INSERT INTO found VALUES ('\(markup)', 'b');
    CREATE VIRTUAL TABLE places USING rtree(id, low, high); INSERT INTO places VALUES (1, 0, 1);
    CREATE TABLE "\(String(repeating: "n", count: 900))"("\(String(repeating: "m", count: 100_000))");
    """

  private static let keys = """
    CREATE TABLE product(tenant INTEGER, id INTEGER, title TEXT, PRIMARY KEY(tenant, id));
    INSERT INTO product VALUES (1, 2, 'Tea'), (1, 3, 'Rice');
    CREATE TABLE buyer(tenant INTEGER, id INTEGER, name TEXT, PRIMARY KEY(tenant, id));
    INSERT INTO buyer VALUES (1, 2, 'Ada'), (1, 3, 'Grace');
    CREATE TABLE sale(id INTEGER PRIMARY KEY, tenant INTEGER, product INTEGER, buyer INTEGER,
      FOREIGN KEY(tenant, product) REFERENCES product, FOREIGN KEY(tenant, buyer) REFERENCES buyer);
    INSERT INTO sale VALUES (1, 1, 2, 3);
    CREATE TABLE word(k TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO word VALUES (''), (''''), ('null'), ('"q"'), ('["a",1]'), ('one' || char(10) || 'two'),
      ('three' || char(13, 10)), ('one'), (' "'), ('C:\\new'), ('x''00''');
    CREATE TABLE said(id INTEGER PRIMARY KEY, [a "word"] TEXT REFERENCES word);
    INSERT INTO said([a "word"]) SELECT k FROM word;
    INSERT INTO said VALUES (99, NULL);
    CREATE TABLE bytes(k BLOB PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO bytes VALUES (x''), (x'00'), (x'00112233445566778899aabbccddeeff'), (zeroblob(60)), (zeroblob(61));
    CREATE TABLE kept(id INTEGER PRIMARY KEY, bytes BLOB REFERENCES bytes);
    INSERT INTO kept(bytes) SELECT k FROM bytes;

    """

  /// Values that decide behind long ones.
  private static let long: String = {
    let names = ["id", "customer", "warehouse", "courier", "carrier"]
    let uuids = names.indices.map { "printf('%08X-D205-4C82-8149-67AB%08X', \($0), i)" }.joined(
      separator: ", ")
    return """
      CREATE TABLE shipment(\(names.map { "\($0) TEXT" }.joined(separator: ", ")),
        the_number_of_units_that_somebody_counted_by_hand_in_the_warehouse INTEGER, state TEXT, units INTEGER, PRIMARY KEY(id));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
      INSERT INTO shipment SELECT \(uuids), i, 'sent', 1000 + i FROM n;

      """
  }()

  private static let wide: String = {
    let columns = (0..<200).map { "column\($0) INTEGER" }.joined(separator: ", ")
    let values = (0..<200).map { "i + \($0)" }.joined(separator: ", ")
    return """
      CREATE TABLE wide(\(columns));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO wide SELECT \(values) FROM n;
      """
  }()

  private static let many = (0..<200).map { number in
    """
    CREATE TABLE t\(number)(id INTEGER PRIMARY KEY, name TEXT, status TEXT, amount INTEGER, created_at TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO t\(number) SELECT i, printf('row %d', i), 'open', 3 * i, '2024-01-01 10:00:00' FROM n;

    """
  }.joined()
}
