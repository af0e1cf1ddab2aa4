import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// Databases whose schema calls functions: those of JSON are read, others are refused as before.
@Suite struct SchemaFunctionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func functionsOfJSONAreCalled() throws {
    let path = try folder.database("a.sqlite", SchemaSQL.notes)
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.check == "ok" && database.problems == [])
    #expect(database.tables.allSatisfy { $0.problem == nil })
    let tables = Dictionary(uniqueKeysWithValues: database.tables.map { ($0.name, $0) })
    #expect(tables["note"]?.rows.last == [.integer(2), .text("[]")])
    #expect(
      tables["made"]?.rows.first == [
        .integer(1), .text(#"{"kind": "b", "list": [1, 2]}"#), .null, .text("b"),
        .integer(2), .text("b"),
      ])
    #expect(tables["strictly"]?.rows == [[.integer(1), .text(#"{"a":1}"#)]])
    let found = examineDatabase(at: path, database, rows: true)
    #expect(found.findings.isEmpty && found.unexamined == [], "\(found)")
  }

  @Test func rowsAreCompared() throws {
    let before = try folder.database("a.sqlite", SchemaSQL.notes)
    let after = try folder.database(
      "b.sqlite",
      SchemaSQL.notes + """
        DROP TRIGGER patched; UPDATE note SET data = 'null' WHERE id = 2; INSERT INTO note(data) VALUES ('3');
        UPDATE made SET doc = '{"kind": "c", "list": [1]}' WHERE id = 1; DELETE FROM made WHERE id = 2;
        """)
    let changes = compareDatabases(after, since: before, rows: true)
    #expect(changes.problems == [] && changes.tables.allSatisfy { $0.problem == nil })
    #expect(
      changes.tables.map { "\($0.name) \(TrueChanges($0))" }.sorted() == ["made +0 -1 ~1", "note +1 -0 ~1"])
  }

  @Test func theTransactionsOfAWALAreTold() throws {
    try crash(
      folder.database("w.sqlite", SchemaSQL.notes),
      """
      PRAGMA journal_mode=WAL;UPDATE note SET data = '{}' WHERE id = 1;UPDATE made SET doc = '{"kind": "z"}' WHERE id = 2
      """)
    let database = try NamedDatabase(folder("w.sqlite"), copyingInto: folder.path)
    let raw = try #require(database.raw)
    let history = readWALHistory(of: raw, wal: raw + "-wal", captured: database.path, rows: true)
    let tables = history.transactions.flatMap(\.tables)
    #expect(tables.map(\.name) == ["note", "made"] && tables.allSatisfy { $0.problem == nil })
    // The stored column is `size`, which the new text does not have.
    #expect(
      tables.map { $0.groups.map(\.change) } == [
        [.init(.update, columns: [1])], [.init(.update, columns: [1, 3])],
      ])
  }

  /// The file is only read, for which SQLite leaves CHECK constraints out.
  @Test func whatACHECKConstraintWouldRefuseIsShown() throws {
    let path = try folder.database(
      "a.sqlite",
      SchemaSQL.notes
        + "DROP TRIGGER patched; PRAGMA ignore_check_constraints = ON; INSERT INTO note(data) VALUES ('{');")
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.tables.first { $0.name == "note" }?.rows.last?.last == .text("{"))
    #expect(database.check == "ok" && database.checkName == "quick_check without CHECK constraints")
  }

  @Test func aTextThatIsNoJSONIsSaid() throws {
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t(a); INSERT INTO t VALUES ('{"a":1}'), ('{'); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a, b AS (json_extract(a, ''$.a'')))';
      """)
    let table = try #require(inspectDatabase(at: path, rows: true).tables.first)
    #expect(table.rowCount == 2 && table.rows == [[.text(#"{"a":1}"#), .integer(1)]])
    #expect(table.problem?.contains("malformed JSON") == true)
  }

  // MARK: - Others

  /// Beside a function of JSON, for which the schema is looked at.
  @Test(
    arguments: [
      "load_extension('x')", "\"LOAD_extension\"('x')", "[load_extension] /* ( */ ('x')",
      "fts3_tokenizer('simple')",
      "rtreecheck('t')", "rtreenode(2, a)", "`rtreedepth`(a)", "fts5_source_id()", "json_set(a, a, 1)",
      "json_insert(a, a, 1)", "json_patch(a, a)", "json_group_array(a)", "\u{FEFF}json_patch(a, a)",
    ],
    [
      "CREATE TABLE t(a, b AS (%))", "CREATE TABLE t(a, b AS (%) STORED)",
      "CREATE TABLE t(a UNIQUE DEFAULT (%))",
      "CREATE TABLE t(a CHECK (%))",
    ])
  func othersAreNotCalled(call: String, table: String) throws {
    let sql = table.replacingOccurrences(of: "%", with: call)
    let planted = """
      CREATE TABLE json(a, b AS (json_extract(a, '$.a'))); INSERT INTO json(a) VALUES ('{"a":1}');
      CREATE TABLE t(a); INSERT INTO t VALUES ('x'); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = '\(sql.replacingOccurrences(of: "'", with: "''"))' WHERE name = 't';
      """
    let path = try folder.database("a.sqlite", planted)
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.tables.isEmpty)
    #expect("\(database.problems) \(database.check)".contains("unsafe use of json_extract()"))
    let other = try folder.database("b.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES ('y');")
    #expect(!compareDatabases(path, since: other, rows: true).isSame)
    let entry = SchemaEntry(type: "table", name: "t", tableName: "t", rootPage: 2, sql: sql)
    // A default is not parsed, nor does SQLite look at all functions of a CHECK constraint; ours has neither evaluated.
    guard table.contains(" AS ") else { return }
    #expect(throws: TableLayout.Unknown.self) { try TableLayout(entry, encoding: .utf8) }
  }

  @Test func anIndexWithAnotherFunctionIsNotUsed() throws {
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t(a); INSERT INTO t VALUES ('[1]'); CREATE INDEX i ON t(json_type(a));
      CREATE INDEX j ON t(a) WHERE a > 1; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX j ON t(a) WHERE json_patch(a, a) > 1' WHERE name = 'j';
      """)
    #expect(inspectDatabase(at: path, rows: true).problems.joined().contains("unsafe use of json_"))
  }

  /// The index of the schema has other statements than the schema.
  @Test func anIndexOfTheSchemaItselfIsNotBelieved() throws {
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t(a, sql); INSERT INTO t VALUES (1, 'CREATE TABLE t(a)'); CREATE INDEX i ON t(sql);
      CREATE TABLE u(a); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET tbl_name = 'sqlite_master', sql = 'CREATE INDEX i ON sqlite_master(sql)' WHERE name = 'i';
      UPDATE sqlite_schema SET sql = 'CREATE TABLE u(a, b AS (json_patch(a, a)))' WHERE name = 'u';
      """)
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.tables.isEmpty && "\(database.problems)".contains("unsafe use of json_patch()"))
  }

  @Test func textsThatAreHardToReadEndInTime() throws {
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t(a);
      INSERT INTO t VALUES (replace(hex(zeroblob(100000)), '00', '['));
      INSERT INTO t VALUES (replace(hex(zeroblob(100000)), '00', '[') || replace(hex(zeroblob(100000)), '00', ']'));
      INSERT INTO t VALUES (replace(hex(zeroblob(100000)), '00', '{"a":'));
      CREATE TABLE big(a, b AS (json_array_length(a))); INSERT INTO big VALUES ('[' || replace(hex(zeroblob(400000)), '00', '0,') || '0]');
      CREATE TABLE deep(a, b AS (json_valid(a)));
      INSERT INTO deep VALUES (replace(hex(zeroblob(100000)), '00', '[') || replace(hex(zeroblob(100000)), '00', ']'));
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a, b AS (json_valid(a)), c AS (json_valid(printf(''%.*c'', 900000000, a))),
        d AS (json_type(a, ''$'' || replace(hex(zeroblob(100000)), ''00'', ''[0]''))))' WHERE name = 't';
      """)
    var limits = InspectionLimits()
    // Longer than it takes anywhere: what is not read is left out for its steps, or its length.
    limits.totalTime = 600
    var database: DatabaseInspection?
    let time = ProcessorTime.of { database = inspectDatabase(at: path, rows: true, limits: limits) }
    #expect(database?.isCutByTime == false && time < .seconds(300), "\(time)")
    let tables = try #require(database).tables
    let told = Comment(rawValue: "\(database?.problems ?? []) \(tables.map(\.problem))")
    #expect(tables.first { $0.name == "t" }?.problem != nil, told)
    #expect(tables.first { $0.name == "big" }?.rows.first?.last == .integer(400_001), told)
    #expect(tables.first { $0.name == "deep" }?.rows.first?.last == .integer(0), told)
  }

  /// SQLite counts the memory of all its connections in the process.
  @Test func aLargeDatabaseElsewhereLeavesRoomToRead() throws {
    let path = try folder.database(
      "a.sqlite", "CREATE TABLE t(a, b AS (json_valid(a))); INSERT INTO t VALUES ('[1]');")
    _ = inspectDatabase(at: path, rows: true)
    var held: [UnsafeMutableRawPointer] = []
    defer { held.forEach(sqlite3_free) }
    while held.count < 8 {
      // Another test may set its limit between the two calls.
      sqlite3_hard_heap_limit64(8 << 30)
      if let memory = sqlite3_malloc64(70_000_000) { held.append(memory) }
    }
    let database = inspectDatabase(at: path, rows: true)
    let told = Comment(rawValue: "\(database.problems)")
    #expect(database.tables.first?.rows.first?.last == .integer(1), told)
  }

  /// What no schema of ours tries stays refused, also where a later SQLite brings it.
  @Test func onlyKnownFunctionsAreLetBe() throws {
    let handle = try SQLiteConnection(
      path: ":memory:", named: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, image: .linked
    ).handle
    let functions = try SchemaFunctions(of: handle)
    #expect(functions.suffice(for: "CREATE TABLE t(\"match\", snippet REFERENCES t MATCH FULL)".utf8))
    #expect(!functions.suffice(for: "CREATE TABLE t(a CHECK (rTreeCheck(a)))".utf8))
    #expect(!functions.suffice(for: Array(repeating: UInt8(ascii: " "), count: 1_000_001)))
  }

  @Test(arguments: [
    "bm25(1)", "highlight(1, 2, 3, 4)", "'a' MATCH 'b'", "matchinfo(1)", "offsets(1)", "optimize(1)",
  ])
  func functionsOfSearchIndexesOnlyFail(call: String) throws {
    let connection = try TestConnection(":memory:")
    #expect(throws: (any Error).self) { try connection.integer("SELECT \(call)") }
    #expect(try connection.integer("SELECT fts5(1) IS NULL") == 1)
  }
}
