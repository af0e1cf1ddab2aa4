import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// Statements in the page: which databases get their pages into the report, and what a browser does with them.
@Suite struct SQLBoxTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func test(_ name: String, _ databases: String..., before: String? = nil) -> TestResult {
    var test = TestResult(
      id: TestCaseID(module: "AppTests", suite: ["StoreTests"], name: name), framework: .xctest,
      outcome: .failed, duration: 0.1)
    test.evidence = databases.map { name in
      var evidence = TestEvidence(kind: .database, name: name, path: "evidence/\(name)")
      evidence.details.database = DatabaseCapture(
        method: .immutable, databaseBytes: 1, baseline: before.map { "evidence/\($0)" })
      return evidence
    }
    return test
  }

  private func database(_ name: String, _ sql: String) throws {
    _ = try folder.makeFolder("evidence")
    try folder.database("evidence/\(name)", sql)
  }

  private func contents(_ tests: [TestResult]) -> ReportContents {
    var contents = ReportContents(
      report: Report(title: "App", runs: [], tests: tests, faults: [], notices: []), nonce: "n")
    for path in tests.flatMap(\.evidence).compactMap(\.path) {
      contents.databases[path] = inspectDatabase(at: folder(path), rows: true)
    }
    return contents
  }

  private func pages(_ tests: [TestResult], limits: ByteBudget = .files) -> DatabasePages {
    DatabasePages(PageContext(contents(tests)), folder: folder.path, limits: limits)
  }

  @discardableResult private func write(_ tests: [TestResult], limits: ByteBudget = .files) throws
    -> DatabasePages
  {
    var contents = contents(tests)
    let pages = DatabasePages(PageContext(contents), folder: folder.path, limits: limits)
    contents.databasePages = pages.rooms
    try folder.write(contents)
    for task in databasePageTasks(pages, take: { try folder.write($0.contents, to: $0.path) }) { try task() }
    return pages
  }

  // MARK: - What goes in

  @Test func identicalDatabasesAreThereOnce() throws {
    try database("one.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (1);")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder("evidence/one.sqlite")))
    try folder.write(bytes, to: "evidence/same.sqlite")
    try database("other.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (2);")
    let pages = pages([test("testOne", "one.sqlite", "other.sqlite"), test("testTwo", "same.sqlite")])
    #expect(pages.databases.map(\.path) == ["evidence/one.sqlite", "evidence/other.sqlite"])
    #expect(pages.rooms["evidence/same.sqlite"] == pages.rooms["evidence/one.sqlite"])
    #expect(pages.rooms["evidence/other.sqlite"] != pages.rooms["evidence/one.sqlite"])
  }

  @Test func whatCannotBeReadHasAReason() throws {
    let long = String(repeating: "x", count: 300)
    try database("real.sqlite", "CREATE TABLE t(a)")
    try FileManager.default.createSymbolicLink(
      atPath: folder("evidence/link.sqlite"), withDestinationPath: folder("evidence/real.sqlite"))
    let tests = [test("testOne", "link.sqlite", long, "gone.sqlite")]
    let pages = try write(tests)
    #expect(pages.databases.isEmpty && pages.rooms["evidence/gone.sqlite"] == nil)
    #expect(
      pages.rooms["evidence/\(long)"] == DatabasePages.Room.none("it cannot be read (File name too long)"))
    guard case DatabasePages.Room.none(let reason)? = pages.rooms["evidence/link.sqlite"] else {
      Issue.record("it has pages")
      return
    }
    #expect(reason.hasPrefix("it is a link or no file"))
    let page = try folder.read(try #require(folder.files.first { $0.hasPrefix("tests/") }))
    #expect(page.contains("No statements run on it in the page: \(reason)."))
  }

  @Test func databasesThatDifferWhereNobodyLooksFirstAreTwo() throws {
    var bytes = [UInt8](repeating: 0, count: 100_000)
    try folder.write(bytes, to: "evidence/one.sqlite")
    bytes[10_000] = 1
    try folder.write(bytes, to: "evidence/other.sqlite")
    let pages = pages([test("testOne", "one.sqlite", "other.sqlite")])
    #expect(Set(pages.databases.map(\.name)).count == 2)
  }

  @Test func chunksHoldTheBytesOfTheFile() throws {
    try database(
      "one.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(1500000)), (randomblob(1500000));")
    let pages = try write([test("testOne", "one.sqlite")])
    let name = try #require(pages.databases.first?.name)
    var bytes = Data()
    for number in 0... {
      let file = "data/pages/\(name)-\(number).js"
      guard folder.files.contains(file) else { break }
      let text = try folder.read(file)
      let part = try dataOfScript(text, "pages", "\"\(name)\",\(number)")
      #expect(part.count <= DatabasePages.chunkBytes)
      bytes += part
    }
    #expect(bytes == FileManager.default.contents(atPath: folder("evidence/one.sqlite")))
  }

  @Test func theDatabaseBeforeIsToldByWhatItDiffersIn() throws {
    try database("before.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (randomblob(100000));")
    try FileManager.default.copyItem(
      atPath: folder("evidence/before.sqlite"), toPath: folder("evidence/one.sqlite"))
    try database("one.sqlite", "INSERT INTO t VALUES (2);")
    let pages = try write([test("testOne", "one.sqlite", before: "before.sqlite")])
    let names = pages.databases.map(\.name)
    let (captured, before) = try (bytes("evidence/one.sqlite"), bytes("evidence/before.sqlite"))
    #expect(
      pages.rooms["evidence/before.sqlite"]
        == .pages(name: names[1], bytes: before.count, over: "evidence/one.sqlite"))
    let script = try folder.read("data/pages/\(names[1])-0.js")
    let difference = [UInt8](try dataOfScript(script, "pages", "\"\(names[1])\",0"))
    #expect(zip(difference, captured).map(^) == Array(before.prefix(captured.count)))
    #expect(difference.count == before.count && script.utf8.count < 2000)
    let page = try folder.read(try #require(folder.files.first { $0.hasPrefix("tests/") }))
    #expect(page.contains("data-over=\"../data/pages/\(names[0])\" data-over-bytes=\"\(captured.count)\""))
  }

  private func bytes(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder(file))))
  }

  @Test func whatHasNoRoomIsNamedWithItsReason() throws {
    try database("small.sqlite", "CREATE TABLE t(a);")
    try database("large.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(20000));")
    try database("next.sqlite", "CREATE TABLE u(a);")
    let tests = [test("testOne", "large.sqlite", "small.sqlite", "next.sqlite")]
    let pages = try write(tests, limits: .init(report: 10_000, database: 10_000))
    #expect(pages.databases.map(\.path) == ["evidence/small.sqlite"])
    let page = try folder.read(try #require(folder.files.first { $0.hasPrefix("tests/") }))
    #expect(page.contains("a page takes databases of up to 10.0 kB"))
    #expect(page.contains("come before it take the 10.0 kB of a report"))
  }

  @Test func databasesBehindALinkStayOutside() throws {
    try database("one.sqlite", "CREATE TABLE t(a);")
    try FileManager.default.createSymbolicLink(
      atPath: folder("evidence/link.sqlite"), withDestinationPath: folder("evidence/one.sqlite"))
    let pages = pages([test("testOne", "link.sqlite", "../../one.sqlite", "gone.sqlite")])
    #expect(pages.databases.isEmpty && Set(pages.rooms.keys) == ["evidence/link.sqlite"])
  }

  @Test func aReportWithoutDatabasesHasNoSQLite() throws {
    try write([test("testOne")])
    #expect(!folder.files.contains("viewer.js"))
    for page in folder.files where page.hasSuffix(".html") {
      #expect(!(try folder.read(page)).contains("wasm-unsafe-eval"))
    }
  }

  @Test func theOneFileSaysWhereTheBoxIs() throws {
    try database("one.sqlite", "CREATE TABLE t(a);")
    var contents = contents([test("testOne", "one.sqlite")])
    contents.databasePages = DatabasePages(PageContext(contents), folder: folder.path).rooms
    try folder.writeSingleFile(contents)
    let file = try folder.read(SingleFile.path)
    #expect(file.contains("The box for statements is in the report’s folder"))
    #expect(!file.contains("wasm-unsafe-eval"))
  }
}

extension SQLBoxTests {
  @Test(
    .enabled(
      if: Browser.isAvailable,
      "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
  func statementsRunInABrowserFromDisk() async throws {
    try database("kinds.sqlite", kindsSQL)
    try database("before.sqlite", "CREATE TABLE earlier(a); INSERT INTO earlier VALUES (1);")
    try database(
      "wide.sqlite", "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a); INSERT INTO t VALUES ('ü€😀');")
    try database("large.sqlite", rowsSQL(500_000, bytes: 90))
    try folder.write(
      [UInt8]("SQLite format 3\0".utf8) + [UInt8](repeating: 0xA5, count: 9000), to: "evidence/garbage.sqlite"
    )
    try database("malformed.sqlite", malformedSQL)
    try database("gone.sqlite", "CREATE TABLE gone(a);")
    try database("corrupt.sqlite", rowsSQL(2000, bytes: 500))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder("evidence/corrupt.sqlite")))
    try file.seek(toOffset: 4096 * 20)
    try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 4096 * 50))
    try file.close()
    try database(
      "small.sqlite",
      "PRAGMA page_size = 512; PRAGMA application_id = 252006673; CREATE TABLE t(a); INSERT INTO t VALUES (1); "
        + "PRAGMA writable_schema = 1; INSERT INTO sqlite_master VALUES "
        + "('table', 'lost', 'lost', 0, 'CREATE VIRTUAL TABLE lost USING nowhere(a)');")
    try database(
      "broad.sqlite", "PRAGMA page_size = 65536; CREATE TABLE t(a); INSERT INTO t VALUES (1);")
    var generator = SystemRandomNumberGenerator()
    try folder.write(
      (0..<8192).map { _ in UInt8.random(in: 0...255, using: &generator) }, to: "evidence/encrypted.sqlite")
    let names = [
      "wide", "large", "garbage", "malformed", "corrupt", "gone", "small", "broad", "encrypted",
    ]
    let pages = try write(
      [test("kinds", "kinds.sqlite", before: "before.sqlite"), try testWithWAL()]
        + names.map { test($0, "\($0).sqlite") })
    let gone = try #require(pages.databases.first { $0.path == "evidence/gone.sqlite" })
    try FileManager.default.removeItem(atPath: folder("data/pages/\(gone.name)-0.js"))
    try await Browser.check("check-sql", folder)
  }

  /// One whose database and WAL were kept as they lay on disk while it was open.
  private func testWithWAL() throws -> TestResult {
    let raw = try folder.makeFolder("evidence/raw") + "/history.sqlite"
    try database(
      "history.sqlite",
      """
      PRAGMA journal_mode = wal;
      PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t(a INTEGER PRIMARY KEY, b);
      INSERT INTO t VALUES (1, 'one'), (2, zeroblob(20000));
      UPDATE t SET b = 'changed' WHERE a = 1;
      DELETE FROM t WHERE a = 2;
      .system cp '\(folder("evidence/history.sqlite"))' '\(raw)'
      .system cp '\(folder("evidence/history.sqlite"))-wal' '\(raw)-wal'
      """)
    var test = test("history", "history.sqlite")
    test.evidence[0].details.database?.walFrames = WALFrames(transactions: 4)
    test.evidence[0].rawFiles = ["", "-wal"].map {
      RawFile(path: "evidence/raw/history.sqlite\($0)", bytes: 1)
    }
    return test
  }

  private var kindsSQL: String {
    """
    PRAGMA journal_mode = wal;
    CREATE TABLE item(id INTEGER PRIMARY KEY, value, note TEXT);
    INSERT INTO item VALUES (1, 9007199254740993, ''), (2, 1.0, NULL),
      (-9223372036854775808, x'00ff', 'ü€😀');
    CREATE VIRTUAL TABLE words USING fts5(text);
    INSERT INTO words VALUES ('hello world'), ('bye');
    CREATE VIRTUAL TABLE box USING rtree(id, low, high);
    INSERT INTO box VALUES (1, 2, 3), (2, 4, 5);
    CREATE TABLE pair(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO pair VALUES ('k', 'v');
    CREATE TABLE log(what);
    CREATE TRIGGER logging AFTER UPDATE ON item BEGIN INSERT INTO log VALUES ('update'); END;
    CREATE TABLE hostile(html);
    INSERT INTO hostile VALUES ('<img src=x onerror=alert(1)>'), ('</script><script>alert(1)</script>');
    """
  }

  private var malformedSQL: String {
    """
    CREATE TABLE t(a);
    PRAGMA writable_schema = on;
    INSERT INTO sqlite_master VALUES ('table', 'broken', 'broken', 2, 'CREATE TABLE broken(((');
    """
  }

  private func rowsSQL(_ count: Int, bytes: Int) -> String {
    """
    CREATE TABLE t(id INTEGER PRIMARY KEY, payload);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO t SELECT i, randomblob(\(bytes)) FROM n;
    """
  }
}
