import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection

/// Databases whose schema names collations and functions that only their app has.
@Suite struct AppCollationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a database as an app does that has the collation `app`, which turns the order round and knows no case, and
  /// the function `mine`.
  private func database(_ sql: String, _ name: String = "a.sqlite") throws -> String {
    let app = try TestConnection(folder(name))
    sqlite3_create_collation_v2(
      app.pointer, "app", SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
          String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
            .lowercased()
        }
        let (one, two) = (text(left, leftCount), text(right, rightCount))
        return one == two ? 0 : one < two ? 1 : -1
      }, nil)
    sqlite3_create_function_v2(
      app.pointer, "mine", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in sqlite3_result_value(context, values?[0]) }, nil, nil, nil)
    try app.execute(sql)
    app.close()
    return folder(name)
  }

  private func sentences(_ path: String) -> [String] {
    let inspection = inspectDatabase(at: path, rows: true)
    let found = examineDatabase(at: path, inspection, rows: true)
    return found.findings.map(\.sentence) + found.unexamined
  }

  private static let players =
    """
    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE app, score INT CHECK (mine(score) > 0));
    CREATE UNIQUE INDEX player_name ON player(name); CREATE INDEX player_score ON player(mine(score));
    CREATE INDEX many ON player(score) WHERE mine(score) > 5; CREATE INDEX plain ON player(score, name COLLATE NOCASE);
    CREATE VIEW best AS SELECT mine(score) FROM player ORDER BY name;
    INSERT INTO player(name, score) VALUES ('Anna', 1), ('bo', 2), ('Cleo', 3);
    """

  @Test func aSoundDatabaseIsSoundAndWhatWasNotCheckedIsNamed() throws {
    let path = try database(Self.players)
    let inspection = inspectDatabase(at: path, rows: true)
    #expect(inspection.check == "ok" && inspection.problems == [] && inspection.foreignKeys.problems == [])
    #expect(inspection.tables[0].rowCount == 3 && inspection.tables[0].problem == nil)
    #expect(inspection.tables[0].rows.map { $0[1] } == [.text("Anna"), .text("bo"), .text("Cleo")])
    #expect(
      sentences(path) == [
        "Indexes whose order quick_check could not look at, as only the app has what they need: player_name (app), player_score (mine), many (mine)."
      ])
  }

  @Test func generatedColumnsOfTheAppAreLeftOutByName() throws {
    let path = try database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, g AS (mine(b)) NOT NULL, b INT NOT NULL, h AS (g + 1), s AS (mine(b)) STORED,
      u AS (b * 2)); CREATE INDEX i ON t(u); CREATE INDEX j ON t(g); INSERT INTO t(b) VALUES (7), (8);
      """)
    let inspection = inspectDatabase(at: path, rows: true)
    #expect(
      inspection.check == "ok" && inspection.tables[0].problem == nil && inspection.tables[0].rowCount == 2)
    #expect(inspection.tables[0].columns == ["id", "b", "s", "u"])
    #expect(inspection.tables[0].rows.last == [.integer(2), .integer(8), .integer(8), .integer(16)])
    #expect(inspection.schema.tables["t"]?.indexes.map(\.columns) == [[3], [-2]])
    #expect(sentences(path) == ["Columns that were not read, as only the app has what they need: t.g, t.h."])
  }

  @Test(arguments: [players, "CREATE TABLE player(id INTEGER PRIMARY KEY, g AS (mine(b)) NOT NULL, b);"])
  func realDamageIsStillFound(schema: String) throws {
    let path = try database(
      schema + """
        CREATE TABLE other(x);
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) INSERT INTO other SELECT 'row ' || i FROM n;
        """)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in bytes.count - 3 * 4096..<bytes.count - 4096 { bytes[index] = 0xAB }
    let damaged = try folder.write(bytes, to: "b.sqlite")
    #expect(inspectDatabase(at: path, rows: true).check == "ok")
    #expect(sentences(damaged).contains { $0.hasPrefix("quick_check says that the database is damaged: ") })
  }

  /// The rows lie in the app's order, in which a search by bytes finds only some.
  @Test func whatHangsOnTheOrderOfTheAppIsRefusedAndNeverWrong() throws {
    let path = try database(
      """
      CREATE TABLE t(k TEXT COLLATE app PRIMARY KEY, v) WITHOUT ROWID;
      WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT 50) INSERT INTO t SELECT 'K' || i, i FROM n;
      CREATE TABLE c(k REFERENCES t); INSERT INTO c VALUES ('k12');
      CREATE TABLE d(k REFERENCES t); INSERT INTO d VALUES (NULL);
      """)
    let connection = try InspectionConnection(path: path, limits: InspectionLimits())
    func rows(_ sql: String) throws -> [String] {
      let statement = try connection.prepare(sql)
      var rows: [String] = []
      while try statement.step() { rows.append(statement.text(at: 0) ?? "") }
      return rows
    }
    #expect(try rows("SELECT k FROM t LIMIT 2") == ["K59", "K58"])
    #expect(
      try rows("SELECT count(*) FROM t") == ["50"] && rows("SELECT k FROM t ORDER BY k LIMIT 1") == ["K59"])
    for sql in [
      "WHERE k = 'K12'", "WHERE k = 'k12'", "ORDER BY k || '' COLLATE app", "GROUP BY k COLLATE app, v",
    ] {
      #expect(throws: (any Error).self) { try rows("SELECT k FROM t NOT INDEXED \(sql)") }
    }
    #expect(try rows("SELECT v FROM t WHERE k COLLATE BINARY = 'K12'") == ["12"])
    let inspection = inspectDatabase(at: path, rows: true)
    #expect(
      inspection.check == "ok" && inspection.tables[0].rowCount == 50 && inspection.foreignKeys.broken == 0)
    #expect(
      inspection.foreignKeys.problems == [
        "The foreign keys of c could not be checked: it hangs on a collation that only the app has."
      ])
  }

  @Test func thousandsOfCollationsAreRead() throws {
    let columns = (0..<1900).map { "c\($0) COLLATE app\($0)" }.joined(separator: ", ")
    let plain = (0..<1900).map { "c\($0)" }.joined(separator: ", ")
    let names = (0..<1900).map { "mine\($0)(a)" }
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t(\(plain)); INSERT INTO t(c0) VALUES ('x'); CREATE TABLE f(a); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE f(a, \(names.enumerated().map { "g\($0.offset) AS (\($0.element))" }.joined(separator: ", ")))' WHERE name = 'f';
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t(\(columns))' WHERE name = 't';
      """)
    let inspection = inspectDatabase(at: path, rows: true)
    #expect(inspection.tables.map(\.rowCount) == [1, 0] && inspection.tables[1].columns == ["a"])
    #expect(inspection.check == "ok")
    #expect(sentences(path).allSatisfy { !$0.contains("damaged") })
  }
}
