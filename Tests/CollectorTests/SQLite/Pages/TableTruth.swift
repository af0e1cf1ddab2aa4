import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import TestSupport
import Testing

/// The rows of one table: by rowid, or by the values of the key.
struct TableTruth: Equatable {
  /// Values behind which only NULLs follow; a record may have them or not.
  var rows: [[DatabaseValue]: [DatabaseValue]] = [:]

  /// As SQLite reads them.
  init(_ connection: TestConnection, _ table: String, keyColumns: Int?) throws {
    var statement: OpaquePointer?
    let columns = keyColumns == nil ? "rowid, *" : "*"
    let sql = "SELECT \(columns) FROM \(SQLText.name(table))"
    guard sqlite3_prepare_v2(connection.pointer, sql, -1, &statement, nil) == SQLITE_OK else {
      throw TestConnection.Refused(message: "\(sql): \(String(cString: sqlite3_errmsg(connection.pointer)))")
    }
    defer { sqlite3_finalize(statement) }
    while sqlite3_step(statement) == SQLITE_ROW {
      let values = (0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) }
      if let keyColumns {
        rows[Array(values.prefix(keyColumns))] = Self.trimmed(values)
      } else {
        rows[[values[0]]] = Self.trimmed(Array(values.dropFirst()))
      }
    }
  }

  /// As its pages say.
  init(_ state: DatabaseState, root: UInt32, keyColumns: Int?) throws {
    try state.forEachRow(of: root) { row in
      let (key, values) = try Self.keyAndValues(row, keyColumns)
      #expect(rows.updateValue(values, forKey: key) == nil)
      return true
    }
  }

  init() {}

  static func keyAndValues(
    _ row: StoredRow, _ keyColumns: Int?
  ) throws -> (key: [DatabaseValue], values: [DatabaseValue]) {
    let values = try row.values()
    let key = keyColumns.map { Array(values.prefix($0)) } ?? [.integer(row.rowid)]
    return (key, trimmed(values))
  }

  private static func trimmed(_ values: [DatabaseValue]) -> [DatabaseValue] {
    var values = values
    while values.last == .null { values.removeLast() }
    return values
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> DatabaseValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      return .text(
        String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let blob = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      return .blob(Array(UnsafeRawBufferPointer(start: blob, count: count)))
    default: return .null
    }
  }
}

/// The tables of one state, by name.
struct StateTruth: Equatable {
  var tables: [String: TableTruth] = [:]

  /// The tables WITHOUT ROWID of these tests have this name, and two columns as key.
  static func keyColumns(_ name: String) -> Int? { name.hasPrefix("w") ? 2 : nil }

  /// As SQLite reads them.
  init(_ connection: TestConnection) throws {
    let list = try connection.text(
      "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for name in list.split(separator: ",").map(String.init) {
      tables[name] = try TableTruth(connection, name, keyColumns: Self.keyColumns(name))
    }
  }

  /// As its pages say.
  init(_ state: DatabaseState) throws {
    for entry in try state.schema() where entry.isTable && !entry.name.hasPrefix("sqlite_") {
      tables[entry.name] = try TableTruth(
        state, root: entry.rootPage, keyColumns: Self.keyColumns(entry.name))
    }
  }
}

/// Numbers that are the same for the same seed.
struct SeededNumbers {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// An SQL literal of any type, some longer than a page.
  mutating func literal() -> String {
    switch below(12) {
    case 0: return "NULL"
    case 1: return "\(below(3) - 1)"
    case 2: return "\(Int64(bitPattern: next()) >> Int64(below(64)))"
    case 3: return ["-9223372036854775808", "9223372036854775807", "9e999", "-9e999", "0.0"][below(5)]
    case 4: return "\(Double(below(1000)) / 7 - 50)"
    case 5: return "x''"
    case 6: return "''"
    case 7: return "x'" + (0..<below(40)).map { _ in String(format: "%02x", below(256)) }.joined() + "'"
    case 8: return "'Grüße \(below(100)) 😀'"
    case 9: return "replace(hex(zeroblob(\(below(9000)))), '00', '\(["a", "é", "𝄞"][below(3)])')"
    case 10: return "CAST(replace(hex(zeroblob(\(below(3000)))), '00', 'xy') AS BLOB)"
    default: return "'text \(below(1_000_000))'"
    }
  }
}
