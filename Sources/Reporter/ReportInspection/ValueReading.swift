package import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// Explains values in the layouts of Core Data and GRDB.
///
/// Core Data's is undocumented. In its stores, entities are tables `Z…` listed in `Z_PRIMARYKEY`, `TIMESTAMP` columns
/// count seconds since 2001-01-01, and the first byte of a blob tells whether the value follows (1) or the name of an
/// external file (2).
package struct ValueReading: Sendable, Equatable {
  private let store: CoreDataStore?
  private let isGRDB: Bool
  /// Declared types in capitals, by table and column.
  private let types: [String: [String: String]]
  /// The columns of UUIDs that the model of a store tells, by table.
  private let identifiers: [String: Set<String>]
  private let support: String

  /// - Parameter source: The original path, after which Core Data names the folder of external values.
  package init(_ schema: DatabaseSchema, _ store: CoreDataStore?, of source: String? = nil) {
    self.store = store
    isGRDB = schema.tables.keys.contains("grdb_migrations")
    support = source.map { ".\(Self.stem(of: $0))_SUPPORT" } ?? "_SUPPORT"
    identifiers = store?.identifiers ?? [:]
    types = schema.tables.mapValues { table in
      Dictionary(table.columns.map { ($0.name, $0.type.uppercased()) }) { first, _ in first }
    }
  }

  package init(_ database: DatabaseInspection, of source: String? = nil) {
    self.init(database.schema, database.coreData, of: source)
  }

  /// Reads what explains the values of a database.
  ///
  /// - Returns: `nil` where nothing does, as in most databases.
  init?(_ database: ComparedDatabase, of path: String, _ limits: InspectionLimits) {
    let names = database.schema.lazy.map(\.name)
    guard
      CoreDataStore.isStore(names) || names.contains("grdb_migrations")
        || database.schema.contains(where: { $0.sql?.uppercased().contains("UUID") == true })
    else { return nil }
    database.connection.allow(steps: limits.tableSteps)
    let schema = DatabaseSchema(of: database.connection, leading: [], limits: limits)
    self.init(schema, CoreDataStore(database.connection, schema, limits), of: path)
  }

  /// An explanation of a value, if any.
  package func note(on cell: DatabaseValue, column: String, of table: String) -> String? {
    let type = types[table]?[column] ?? ""
    if let store, let note = note(on: cell, column, type, of: table, in: store) { return note }
    return isGRDB || type.contains("UUID") ? grdbNote(on: cell, type: type) : nil
  }

  /// An explanation of a value in a row of a table, some of whose columns may be unknown.
  package func note(on cell: DatabaseValue, at column: Int, of columns: [String], in table: String) -> String?
  {
    columns[safe: column].flatMap { note(on: cell, column: $0, of: table) }
  }

  // MARK: - Core Data

  private func note(
    on cell: DatabaseValue, _ column: String, _ type: String, of table: String, in store: CoreDataStore
  ) -> String? {
    switch cell {
    case .integer(let value) where CoreDataStore.namesEntity(column, of: table): store.name(of: value)
    case .integer(let value) where table == "ACHANGE" && column == "ZCHANGETYPE":
      ["inserted", "updated", "deleted"][safe: Int(clamping: value)]
    case .integer(let value) where type == "TIMESTAMP": timeText(Double(value) + secondsTo2001)
    case .real(let value) where type == "TIMESTAMP": timeText(value + secondsTo2001)
    case .blob(let bytes, nil) where bytes.count == 16 && identifiers[table]?.contains(column) == true:
      uuidText(bytes)
    case .blob(let bytes, _) where column.hasPrefix("Z"): place(of: bytes, count: cell.byteCount)
    default: nil
    }
  }

  private func place(of bytes: [UInt8], count: Int) -> String? {
    guard bytes.first == 2, count == 38 || count == 37 else { return nil }
    let name = String(decoding: bytes.dropFirst().prefix(36), as: UTF8.self)
    guard name.utf8.count == 36, name.utf8.allSatisfy({ $0.isHexadecimal || $0 == UInt8(ascii: "-") }) else {
      return nil
    }
    return "external: \(support)/_EXTERNAL_DATA/\(name)"
  }

  private static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  // MARK: - GRDB

  private func grdbNote(on cell: DatabaseValue, type: String) -> String? {
    switch cell {
    case .blob(let bytes, nil) where bytes.count == 16: uuidText(bytes)
    case .text(let text, nil) where type == "DATETIME" && Self.isDateWithoutZone(text): "UTC"
    case .integer(let value) where type == "DATETIME": timeText(Double(value))
    case .real(let value) where type == "DATETIME": timeText(value)
    default: nil
    }
  }

  /// GRDB's dates, `2024-05-01 09:30:00.000`.
  private static func isDateWithoutZone(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 16, bytes.count <= 23 else { return false }
    return zip(bytes, "dddd-dd-dd dd:dd:dd.ddd".utf8).allSatisfy { byte, pattern in
      pattern == UInt8(ascii: "d") ? byte.isDigit : byte == pattern
    }
  }
}

/// Sixteen bytes as a UUID.
func uuidText(_ bytes: [UInt8]) -> String {
  [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]).uppercased() }
    .joined(separator: "-")
}

extension DatabaseInspection {
  /// The migrations that GRDB recorded, as far as read.
  package var migrations: [String] {
    guard let table = tables.first(where: { $0.name == "grdb_migrations" }) else { return [] }
    return table.rows.compactMap { row in
      if case .text(let name, _)? = row.first { name } else { nil }
    }
  }
}

/// From the Unix epoch to Core Data's.
let secondsTo2001 = 978_307_200.0
