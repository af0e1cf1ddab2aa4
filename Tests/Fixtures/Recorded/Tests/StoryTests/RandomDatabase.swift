import Foundation
import GRDBSQLite

/// SplitMix64: the same numbers for the same seed.
struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = (seed &* 0xD134_2543_DE82_EF95) ^ (seed << 32) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// One connection with tables of its own, on which random statements run; it looks at every row before and after
/// each, and keeps what differs.
final class RandomDatabase {
  /// What a statement did.
  struct Line: Encodable {
    var sql: String
    var code: Int32
    /// Rows as `schema.table|rowid|values`, sorted, that were there before and are not afterwards, and the other way.
    var removed: [String]
    var added: [String]
  }

  /// Stands at the end of each of its statements, in a comment.
  let name: String
  private(set) var lines: [Line] = []
  /// Every row, as those of a line, before the first statement.
  private(set) var first: [String] = []
  private let connection: OpaquePointer
  private let schemas: [String]
  private var numbers: RandomNumbers
  private var rows: [String: Int] = [:]

  /// Opens a database and makes its tables.
  ///
  /// - Parameter attached: Another one, which becomes the schema `other`.
  init(
    _ path: String, attached: String? = nil, name: String, seed: UInt64, setup: String = "", flags: Int32 = 0
  ) throws {
    var opened: OpaquePointer?
    let all = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | flags
    guard sqlite3_open_v2(path, &opened, all, nil) == SQLITE_OK, let opened else {
      throw CocoaError(.fileReadUnknown)
    }
    connection = opened
    self.name = name
    numbers = RandomNumbers(seed: seed)
    schemas = attached == nil ? ["main", "temp"] : ["main", "other", "temp"]
    sqlite3_busy_timeout(connection, 10_000)
    if !setup.isEmpty { sqlite3_exec(connection, setup, nil, nil, nil) }
    if let attached { sqlite3_exec(connection, "ATTACH '\(attached)' AS other", nil, nil, nil) }
    for schema in schemas where schema != "temp" { makeTables(in: schema) }
    rows = look()
    first = rows.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
  }

  func close() { sqlite3_close_v2(connection) }

  private func makeTables(in schema: String) {
    let s = "\(schema)."
    for sql in [
      "CREATE TABLE \(s)a_\(name)(id INTEGER PRIMARY KEY, x UNIQUE, y, r REAL)",
      "CREATE TABLE \(s)b_\(name)(v, k TEXT, n, PRIMARY KEY(k, n)) WITHOUT ROWID",
      "CREATE TABLE \(s)c_\(name)(x, ref REFERENCES a_\(name)(id) ON DELETE CASCADE ON UPDATE CASCADE, data BLOB)",
      "CREATE TABLE \(s)log_\(name)(what, old, new, half AS (old / 2) STORED)",
      "CREATE VIEW \(s)w_\(name) AS SELECT id, y FROM a_\(name)",
      "CREATE TRIGGER \(s)ai_\(name) AFTER INSERT ON a_\(name) BEGIN INSERT INTO log_\(name)(what, new) VALUES('+', new.x); END",
      "CREATE TRIGGER \(s)ad_\(name) AFTER DELETE ON a_\(name) BEGIN INSERT INTO log_\(name)(what, old) VALUES('-', old.x); END",
      "CREATE TRIGGER \(s)bu_\(name) BEFORE UPDATE ON b_\(name) BEGIN UPDATE c_\(name) SET x = new.v WHERE x = old.n; END",
      "CREATE TRIGGER \(s)wi_\(name) INSTEAD OF UPDATE ON w_\(name) BEGIN UPDATE a_\(name) SET y = new.y WHERE id = old.id; END",
      "CREATE VIRTUAL TABLE \(s)f_\(name) USING fts5(words)",
      "CREATE TABLE \(s)h_\(name)(x, y)",
    ] { sqlite3_exec(connection, "\(sql) /*look*/", nil, nil, nil) }
  }

  // What there is

  /// How often each row is there.
  private func look() -> [String: Int] {
    var found: [String: Int] = [:]
    for schema in schemas {
      let master = schema == "temp" ? "sqlite_temp_master" : "\(schema).sqlite_master"
      let tables = query("SELECT name, sql FROM \(master) WHERE type = 'table' AND name GLOB '*_\(name)*'")
      for table in tables {
        guard table[1].lowercased().contains("create table") else { continue }
        let name = String(table[0].dropFirst())
        let hasKey = !table[1].uppercased().contains("WITHOUT ROWID")
        for row in query("SELECT \(hasKey ? "rowid" : "NULL"), * FROM \(schema).\"\(name)\"") {
          let key = hasKey ? row[0] : "-"
          found["\(schema).\(name)|\(key)|\(row.dropFirst().joined(separator: "|"))", default: 0] += 1
        }
      }
    }
    return found
  }

  private func query(_ sql: String) -> [[String]] {
    var (statement, rows) = (OpaquePointer?.none, [[String]]())
    guard sqlite3_prepare_v2(connection, "\(sql) /*look*/", -1, &statement, nil) == SQLITE_OK else {
      return []
    }
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
    }
    sqlite3_finalize(statement)
    return rows
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> String {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return "i\(sqlite3_column_int64(statement, column))"
    case SQLITE_FLOAT: return "r\(sqlite3_column_double(statement, column))"
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      return "t" + String(decoding: bytes, as: UTF8.self)
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      return "b" + bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    default: return "n"
    }
  }

  // What happens

  /// Runs one random statement.
  func change() {
    var binds: [Any] = []
    let sql = statement(&binds)
    var code: Int32
    if sql.hasPrefix("-- sqlite3_blob_write") {
      code = writeBlob()
    } else {
      code = run("\(sql) /*\(name)*/", binds)
    }
    let after = look()
    var (removed, added) = ([String](), [String]())
    for (row, count) in rows where count > after[row, default: 0] {
      removed += Array(repeating: row, count: count - after[row, default: 0])
    }
    for (row, count) in after where count > rows[row, default: 0] {
      added += Array(repeating: row, count: count - rows[row, default: 0])
    }
    rows = after
    code &= 0xFF
    lines.append(
      Line(
        sql: sql.hasPrefix("--") ? sql : "\(sql) /*\(name)*/", code: code, removed: removed.sorted(),
        added: added.sorted()))
  }

  private func run(_ sql: String, _ binds: [Any]) -> Int32 {
    if binds.isEmpty, Bool.random(using: &numbers) { return sqlite3_exec(connection, sql, nil, nil, nil) }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { return code }
    for (index, value) in binds.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case let value as Int64: sqlite3_bind_int64(statement, place, value)
      case let value as Double: sqlite3_bind_double(statement, place, value)
      case let value as String:
        sqlite3_bind_text(statement, place, value, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      case let value as [UInt8]:
        sqlite3_bind_blob(
          statement, place, value, Int32(value.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      default: sqlite3_bind_null(statement, place)
      }
    }
    while sqlite3_step(statement) == SQLITE_ROW {}
    return sqlite3_finalize(statement)
  }

  private func writeBlob() -> Int32 {
    let key = query(
      "SELECT rowid FROM main.c_\(name) WHERE length(data) >= 2 AND typeof(data) = 'blob' LIMIT 1")
    guard let id = key.first.flatMap({ Int64($0[0].dropFirst()) }) else { return -1 }
    var (blob, bytes) = (OpaquePointer?.none, [UInt8](repeating: UInt8(pick(256)), count: 2))
    let code = sqlite3_blob_open(connection, "main", "c_\(name)", "data", id, 1, &blob)
    guard code == SQLITE_OK else { return code }
    let written = sqlite3_blob_write(blob, &bytes, 2, 0)
    sqlite3_blob_close(blob)
    return written
  }

  private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

  private func bound(_ binds: inout [Any]) -> String {
    let value: Any =
      switch pick(6) {
      case 0: Int64(pick(20))
      case 1: Double(pick(100)) / 4
      case 2: "text \(pick(20))" + (pick(8) == 0 ? " “ä”" : "")
      case 3: (0..<pick(6)).map { UInt8($0 * 40) }
      case 4: NSNull()
      default: Int64.random(in: .min ... .max, using: &numbers)
      }
    binds.append(value)
    return "?"
  }

  private func literal() -> String {
    ["\(pick(20))", "'text \(pick(20))'", "NULL", "\(pick(9)).5", "x'0\(pick(9))ff'", "-\(pick(5))"][pick(6)]
  }

  private func statement(_ binds: inout [Any]) -> String {
    let schema = schemas[pick(schemas.count - 1)]
    func table(_ letter: String) -> String { "\(schema).\(letter)_\(name)" }
    let (a, b, c) = (table("a"), table("b"), table("c"))
    let conflict = ["", "", "OR IGNORE ", "OR REPLACE ", "OR FAIL ", "OR ABORT ", "OR ROLLBACK "][pick(7)]
    let (id, other) = (pick(20), pick(20))
    switch pick(40) {
    case 0, 1, 2:
      return "INSERT \(conflict)INTO \(a) VALUES(\(id), \(bound(&binds)), \(bound(&binds)), \(bound(&binds)))"
    case 3:
      return
        "INSERT \(conflict)INTO \(a)(x, y) VALUES(\(literal()), \(literal())), (\(literal()), 1), (\(literal()), 2)"
    case 4: return "REPLACE INTO \(a) VALUES(\(id), \(literal()), 'replaced', \(other))"
    case 5:
      return
        "INSERT INTO \(a)(id, x) VALUES(\(id), \(literal())) ON CONFLICT DO UPDATE SET y = coalesce(y, 0) || excluded.x"
    case 6: return "UPDATE \(conflict)\(a) SET y = \(bound(&binds)), r = \(pick(9)) WHERE id % 3 = \(pick(3))"
    case 7: return "UPDATE \(conflict)\(a) SET x = \(literal()) WHERE id < \(id)"
    case 8: return "UPDATE \(conflict)\(a) SET id = id + \(pick(7)) WHERE id = \(id)"
    case 9: return "DELETE FROM \(a) WHERE id = \(id) OR y = \(bound(&binds))"
    case 10: return "DELETE FROM \(a) WHERE id > \(id)"
    case 11, 12:
      return "INSERT \(conflict)INTO \(b)(k, n, v) VALUES('k\(pick(4))', \(pick(4)), \(bound(&binds)))"
    case 13: return "UPDATE \(conflict)\(b) SET v = \(bound(&binds)) WHERE n = \(pick(4))"
    case 14: return "UPDATE \(conflict)\(b) SET n = n + 1 WHERE k = 'k\(pick(4))'"
    case 15:
      return
        "REPLACE INTO \(b) SELECT \(literal()), 'k' || (value % 4), value % 3 FROM (SELECT id AS value FROM \(a) LIMIT 4)"
    case 16: return pick(3) == 0 ? "DELETE FROM \(b)" : "DELETE FROM \(b) WHERE n = \(pick(4))"
    case 17, 18:
      return
        "INSERT INTO \(c) VALUES(\(pick(4)), (SELECT id FROM \(a) LIMIT 1 OFFSET \(pick(4))), \(bound(&binds)))"
    case 19: return "UPDATE \(c) SET data = zeroblob(\(pick(5))) WHERE x = \(pick(4))"
    case 20: return pick(2) == 0 ? "DELETE FROM \(c)" : "DELETE FROM \(c) WHERE rowid % 2 = 0"
    case 21: return "-- sqlite3_blob_write"
    case 22: return "UPDATE \(table("w")) SET y = \(literal()) WHERE id < \(id)"
    case 23: return "INSERT INTO \(table("f"))(words) VALUES('one two \(literal().filter { $0 != "'" })')"
    case 24: return "DELETE FROM \(table("f")) WHERE rowid = (SELECT min(rowid) FROM \(table("f")))"
    case 25: return "DELETE FROM \(table("log")) WHERE rowid % 3 = 0"
    case 26: return ["BEGIN", "BEGIN IMMEDIATE", "COMMIT", "COMMIT"][pick(4)]
    case 27: return ["SAVEPOINT s", "SAVEPOINT q", "RELEASE s", "ROLLBACK TO s", "ROLLBACK TO q"][pick(5)]
    case 28: return ["ROLLBACK", "BEGIN", "COMMIT"][pick(3)]
    case 29:
      return [
        "ALTER TABLE \(c) ADD COLUMN more\(pick(3)) DEFAULT \(pick(9))",
        "ALTER TABLE \(c) DROP COLUMN more\(pick(3))",
        "CREATE TABLE IF NOT EXISTS \(table("d")) AS SELECT * FROM \(b)",
        "DROP TABLE IF EXISTS \(table("d"))",
        "CREATE TEMP TABLE IF NOT EXISTS e_\(name)(x)",
        "CREATE INDEX IF NOT EXISTS \(table("i")) ON a_\(name)(y)",
      ][pick(6)]
    case 30: return "PRAGMA recursive_triggers = \(pick(2))"
    case 31: return "PRAGMA foreign_keys = \(pick(4) == 0 ? 0 : 1)"
    case 32:
      return pick(2) == 0
        ? "SELECT * FROM \(a) ORDER BY id" : "INSERT INTO temp.e_\(name) VALUES(\(literal()))"
    case 33, 34, 35, 36, 37, 38: return change(of: table("h"), like: b, schema)
    default: return pick(2) == 0 ? "INSERT INTO \(table("d")) VALUES(1, 'd', 3)" : "nonsense \(pick(3))"
    }
  }

  /// Of a table that comes and goes, and has no key but its rowid.
  private func change(of h: String, like b: String, _ schema: String) -> String {
    switch pick(24) {
    case 0: return "DROP TABLE \(h)"
    case 1: return "DROP TABLE IF EXISTS \(h)"
    case 2, 3: return "CREATE TABLE \(h)(x, y)"
    case 4: return "CREATE TABLE IF NOT EXISTS \(h)(x, y)"
    case 5: return "CREATE TABLE \(h) AS SELECT k AS x, n AS y FROM \(b)"
    case 6: return "ALTER TABLE \(h) RENAME TO hh_\(name)"
    case 7: return "ALTER TABLE \(schema).hh_\(name) RENAME TO h_\(name)"
    case 8: return "ALTER TABLE \(h) RENAME COLUMN x TO x\(pick(3))"
    case 9: return pick(2) == 0 ? "VACUUM \(schema)" : "REINDEX"
    case 10: return "INSERT INTO \(h) SELECT * FROM \(h)"
    case 11: return "DELETE FROM \(h)"
    case 12, 13: return "DELETE FROM \(h) WHERE rowid % 3 = \(pick(3))"
    case 14, 15: return "UPDATE \(h) SET y = \(literal()) WHERE rowid % 2 = 0"
    case 16: return "UPDATE \(h) SET rowid = rowid + \(pick(9)) WHERE rowid = \(pick(6))"
    default: return "INSERT INTO \(h) VALUES(\(literal()), \(literal()))"
    }
  }
}
