import ExhibitSQLite
import Foundation

@testable import Collector
@testable import ReportHistory
@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory

/// The report of a small shop's tests, as a real run would give it; its databases are made by sqlite3.
func ordersReport() throws -> ReportContents {
  let folder = try TemporaryFolder()
  let orders = inspectDatabase(at: try folder.database("orders.sqlite", ordersSQL), rows: true)
  let store = inspectDatabase(at: try folder.database("store.sqlite", coreDataSQL), rows: true)
  var contents = ReportContents(
    report: Report(
      title: "Orders", runs: [ordersRun], tests: ordersTests().sorted { $0.id < $1.id }, faults: [],
      notices: [
        Remark(
          kind: "repairedXML", message: "3 control characters were removed from the XML before it was read.",
          input: "inputs/xunit.xml")
      ]),
    nonce: "fixed")
  contents.databases = [
    "evidence/OrderStoreTests-testTotal/orders.sqlite": orders, "evidence/Migration/Model.sqlite": store,
  ]
  contents.archives["evidence/Migration/Store.zip"] = storeArchive
  contents.texts["evidence/OrderStoreTests-testTotal/response.json"] =
    "{\"id\":42,\"total\":\"129.90\",\"items\":[]}\n"
  contents.sources[.init(file: "Tests/OrdersTests/OrderStoreTests.swift", line: 48)] = totalExcerpt
  if let test = contents.report.tests.first(where: { $0.id.name == "testTotalAfterDiscount" }) {
    contents.stories[test.id] = try discountStory(failing: test.issues.map(\.message))
    contents.findings["evidence/OrderStoreTests-testTotal/orders.sqlite"] = ordersFindings
    contents.pasts[test.id] = discountPast
  }
  return contents
}

/// The last runs of the test that fails: it passed, and fails since a commit, once also with changes.
private let discountPast: TestPast = {
  let runs: [(commit: String, isDirty: Bool, outcome: Outcome)] = [
    ("a", false, .passed), ("a", false, .passed), ("b", false, .failed), ("b", true, .passed),
    ("c", false, .failed), ("4", false, .failed),
  ]
  let outcomes = runs.enumerated().map { index, each in
    let run = HistoryRun(
      key: "\(index)", name: "run-\(index)", label: "linux",
      commit: each.commit + String(repeating: "5", count: 39),
      isDirty: each.isDirty, branch: "main", began: 1_795_246_588 - Double(5 - index) * 86_400)
    return PastOutcome(
      run: run, outcome: each.outcome, duration: 0.5,
      message: each.outcome == .failed ? "total is # EUR" : nil)
  }
  return TestPast(outcomes: outcomes)
}()

private let ordersRun = Report.Run(
  name: "2026-11-21T073628Z-4711", start: 1_795_246_588, toolchain: "Swift 6.3.1 (x86_64-unknown-linux-gnu)",
  commit: "4f1c2d7e9b0a4c3d8e5f60718293a4b5c6d7e8f9", link: "https://ci.example.org/orders/jobs/1234")

private let totalExcerpt = SourceExcerpt(
  firstLine: 44,
  lines: [
    "  func testTotalAfterDiscount() throws {", "    let store = try OrderStore(path: path)",
    "    try store.insert(Order(customer: \"Ada\", items: items))",
    "    try store.apply(.discount(percent: 10), to: 1)",
    "    XCTAssertEqual(try store.total(of: 1), \"116.91 EUR\", \"discount of ten percent\")",
    "    try store.close()", "  }",
  ], markedLine: 48)

private func ordersTests() -> [TestResult] {
  func id(_ suite: String, _ name: String, _ argument: String? = nil) -> TestCaseID {
    TestCaseID(
      module: "OrdersTests", suite: [suite], name: name, argument: argument.map { .init(description: $0) })
  }
  let file = "Tests/OrdersTests/OrderStoreTests.swift"
  var tests = ["testInsert", "testDelete", "testUpdate", "testReopen", "testEmptyStore"].enumerated().map {
    TestResult(
      id: id("OrderStoreTests", $1), framework: .xctest, outcome: .passed, duration: 0.0031 * Double($0 + 1),
      span: TestSpan(process: "Process 4711", start: 1_795_246_588 + 0.02 * Double($0)))
  }
  tests[3].attempts = reopenAttempts
  tests[3].output = reopenOutput
  tests[3].properties = [.init(name: "ticket", value: "EX-7"), .init(name: "seed", value: "8128")]
  tests.append(
    TestResult(
      id: id("OrderStoreTests", "testTotalAfterDiscount"), framework: .xctest, outcome: .failed,
      duration: 0.0432,
      location: .init(file: file, line: 44),
      issues: [
        TestIssue(
          message:
            "XCTAssertEqual failed: (\"129.90 EUR\") is not equal to (\"116.91 EUR\") - discount of ten percent",
          location: .init(file: file, line: 48), severity: .error, isKnown: false)
      ],
      evidence: [
        TestEvidence(
          kind: .database, name: "orders.sqlite", path: "evidence/OrderStoreTests-testTotal/orders.sqlite",
          bytes: 32768, source: "/tmp/orders-4711/orders.sqlite",
          details: .database(
            DatabaseCapture(
              method: .readTransaction, wal: .committed, databaseBytes: 4096, walBytes: 74192,
              history: "history"))),
        TestEvidence(
          kind: .text, name: "response.json", path: "evidence/OrderStoreTests-testTotal/response.json",
          bytes: 39),
      ]))
  tests.append(
    TestResult(
      id: id("MigrationTests", "migrate(from:)", "\"v3\""), framework: .swiftTesting,
      displayName: "Migrating keeps every order", outcome: .failed, duration: 1.284,
      location: .init(file: "Tests/OrdersTests/MigrationTests.swift", line: 12),
      issues: [
        TestIssue(
          message: """
            Expectation failed: (dump → "order 1: Ada, 129.90
            order 2: Grace, 12.00
            order 3: Edsger, 7.50") == (expected → "order 1: Ada, 129.90
            order 2: Grace Hopper, 12.00
            order 3: Edsger, 7.50
            order 4: Barbara, 99.00")
            """, location: .init(file: "Tests/OrdersTests/MigrationTests.swift", line: 31), severity: .error,
          isKnown: false),
        TestIssue(
          message: """
            Difference: …

                Order(
                  id: 2,
              −   customer: "Grace",
              +   customer: "Grace Hopper",
                  total: 12.0
                )

            (First: −, Second: +)
            """, location: .init(file: "Tests/OrdersTests/MigrationTests.swift", line: 36), severity: .error,
          isKnown: false),
      ],
      evidence: [
        TestEvidence(
          kind: .database, name: "Model.sqlite", path: "evidence/Migration/Model.sqlite", bytes: 40960,
          source: "Store/Model.sqlite",
          details: .database(DatabaseCapture(method: .serialize, view: .uncommitted, databaseBytes: 40960))),
        TestEvidence(
          kind: .directory, name: "Store", path: "evidence/Migration/Store.zip", bytes: 18211,
          source: "Store",
          details: .archive(
            DirectoryArchive(entries: 4, skipped: [.init(path: "store.lock", reason: "a FIFO")]))),
        TestEvidence(
          kind: .file, name: "chart-reference.png", path: "evidence/Migration/chart-reference.png", bytes: 427
        ),
        TestEvidence(
          kind: .file, name: "chart-actual.png", path: "evidence/Migration/chart-actual.png", bytes: 431),
        TestEvidence(
          kind: .database, name: "cache.sqlite", source: "Store/cache.sqlite",
          failure:
            "The database cache.sqlite was busy for two seconds, so it was not captured (12,288 bytes)."),
      ], tags: ["slow", "migration"],
      span: TestSpan(process: "Swift Testing", start: (ordersRun.start ?? 0) + 0.2)))
  var crashed = TestResult(
    id: id("SyncTests", "testReconnect"), framework: .xctest, outcome: .crashed,
    location: .init(file: "Tests/OrdersTests/SyncTests.swift", line: 7), crash: reconnectCrash,
    span: TestSpan(process: "Process 4712", start: (ordersRun.start ?? 0) + 0.01))
  crashed.addIssueOfCrash()
  tests.append(crashed)
  tests.append(
    TestResult(
      id: id("SyncTests", "testOffline"), framework: .xctest, outcome: .skipped, duration: 0.0001,
      skipReason: "no network on this machine"))
  tests.append(
    TestResult(
      id: id("MigrationTests", "downgrade()"), framework: .swiftTesting, outcome: .knownIssue, duration: 0.02,
      issues: [
        TestIssue(
          message: "Expectation failed: store.canDowngrade\nnobody downgrades yet", location: nil,
          severity: .error, isKnown: true)
      ]))
  return tests
}

private let reconnectCrash = CrashOutput(
  lastLines: ["Orders/Sync.swift:31: Fatal error: Index out of range"],
  backtrace: ["*** Program crashed: Illegal instruction at 0x7f ***", "", "Thread 0 \"sync\" crashed:"],
  message: "Fatal error: Index out of range",
  place: SourceReference(file: "Sources/Orders/Sync.swift", line: 31),
  frames: [
    .init(function: "Sync.next()", place: SourceReference(file: "Sources/Orders/Sync.swift", line: 31)),
    .init(
      function: "SyncTests.testReconnect()",
      place: SourceReference(file: "Tests/OrdersTests/SyncTests.swift", line: 9)),
  ])

private let reopenAttempts = [
  TestAttempt(
    outcome: .failed, duration: 2.001,
    issues: [
      TestIssue(
        message:
          "failed: \u{1B}[31mthe database is locked\u{1B}[0m after \u{1B}[1m2 s\u{1B}[22m\nwaited for writer 3",
        location: .init(file: "Tests/OrdersTests/OrderStoreTests.swift", line: 71), severity: .error,
        isKnown: false)
    ], run: RunID(name: "2026-11-21T073128Z-4698"), output: "opening orders.sqlite\n")
]

private let reopenOutput = """
  \u{1B}[32m✓\u{1B}[0m opened orders.sqlite
  \u{1B}[33mwarning\u{1B}[0m: retried \u{1B}[1mBEGIN IMMEDIATE\u{1B}[0m
  \u{1B}[38;5;39mdebug\u{1B}[0m \u{1B}[2m12 statements\u{1B}[0m, \u{1B}[44mcheckpoint\u{1B}[0m done

  """

private let storeArchive = ArchiveListing(
  entries: [
    .init(path: ".Model_SUPPORT/", kind: .directory, bytes: 0, target: nil),
    .init(path: ".Model_SUPPORT/_EXTERNAL_DATA/6F9619FF", kind: .file, bytes: 16011, target: nil),
    .init(path: "Model.sqlite", kind: .file, bytes: 40960, target: nil),
    .init(path: "current", kind: .link, bytes: 0, target: "Model.sqlite"),
  ], omitted: 0, problems: [])

let ordersSQL = """
  PRAGMA user_version = 3;
  CREATE TABLE customer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT UNIQUE,
    note TEXT
  );
  INSERT INTO customer VALUES
    (1, 'Ada Lovelace', 'ada@example.org', 'Prefers invoices by post.\nCall before noon.'),
    (2, 'Grace Hopper', NULL, 'NULL'), (3, 'Edsger Dijkstra', 'edsger@example.org', '');
  CREATE TABLE "order" (
    id INTEGER PRIMARY KEY,
    customer INTEGER NOT NULL REFERENCES customer (id),
    total REAL NOT NULL CHECK (total >= 0),
    placed TEXT NOT NULL,
    token BLOB,
    gross REAL GENERATED ALWAYS AS (total * 1.19) VIRTUAL
  );
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 128)
  INSERT INTO "order" (customer, total, placed, token)
  SELECT i % 3 + 1, i * 7.25, printf('2026-%02d-%02d 09:%02d:00', i % 12 + 1, i % 28 + 1, i % 60),
    CASE WHEN i % 4 THEN CAST(printf('token %d of the order', i) AS BLOB) END FROM n;
  CREATE TABLE setting (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  INSERT INTO setting VALUES ('currency', 'EUR'), ('discount', 10), ('rate', 1.19), ('logo', x'89504E470D0A1A0A');
  CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT);
  CREATE INDEX order_customer ON "order" (customer);
  CREATE VIEW open_order AS SELECT * FROM "order" WHERE total > 0;
  CREATE TRIGGER order_audit AFTER DELETE ON "order" BEGIN
    INSERT INTO audit (what) VALUES ('deleted ' || old.id);
  END;
  """

let coreDataSQL = """
  CREATE TABLE ZORDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCUSTOMER VARCHAR, ZPLACED TIMESTAMP,
    ZTOTAL DECIMAL);
  INSERT INTO ZORDER VALUES (1, 1, 1, 'Ada', 785430000.5, 129.9), (2, 1, 1, 'Grace', 785430060.25, 12);
  CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
  INSERT INTO Z_PRIMARYKEY VALUES (1, 'Order', 0, 2);
  CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
  INSERT INTO Z_METADATA VALUES (1, '6F9619FF-8B86-D011-B42D-00C04FC964FF', zeroblob(900));
  """

/// A discount that is written and taken back, with a trigger and a read that finds nothing.
private func discountStory(failing messages: [String]) throws -> Story {
  var written = WrittenStory(path: "/tmp/orders-4711/orders.sqlite")
  written.step("BEGIN")
  for key in 1...20 { written.insert("customer", key, "[\(key),\"Ada\",null,null]") }
  written.step("COMMIT")
  written.baseline()
  written.step("BEGIN IMMEDIATE")
  written.step("UPDATE \\\"order\\\" SET total = 116.91 WHERE id = 1", changed: 1, triggers: ["order_audit"])
  written.change(
    .update, "order", 1, old: #"[1,1,{"real":"129.9"},"2026-01-01",null]"#,
    new: #"[1,1,{"real":"116.91"},"2026-01-01",null]"#)
  written.change(.insert, "audit", 1, new: #"[1,"discount of 10 %"]"#, depth: 1)
  written.step("ROLLBACK")
  written.step("UPDATE setting SET value = 10 WHERE key = 'Discount'", changed: 0)
  written.step(
    "SELECT total FROM \\\"order\\\" WHERE id = 1", rows: 1, results: #"[["129.90 EUR"]]"#,
    columns: #"["total"]"#)
  written.issue(0)
  written.step("DELETE FROM audit", changed: 1)
  written.change(.delete, "audit", 1, old: #"[1,"<b>discount</b>"]"#)
  written.end()
  return try written.story(failing: messages)
}
