package import ExhibitSQLite
import ReportModel

/// Explains values in the layouts of Core Data and GRDB.
///
/// Core Data's is undocumented. In its stores, entities are tables `Z…` listed in `Z_PRIMARYKEY`, `TIMESTAMP` columns
/// count seconds since 2001-01-01, and the first byte of a blob tells whether the value follows (1) or the name of an
/// external file (2).
package struct ValueReading {
  private let isCoreData: Bool
  private let isGRDB: Bool
  /// Names by `Z_ENT`, as far as read.
  private let entities: [Int64: String]
  private let support: String

  /// - Parameter source: The original path, after which Core Data names that folder.
  package init(_ database: DatabaseInspection, of source: String? = nil) {
    let names = Set(database.tables.map(\.name))
    isCoreData = names.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"])
    isGRDB = names.contains("grdb_migrations")
    support = source.map { ".\(Self.stem(of: $0))_SUPPORT" } ?? "_SUPPORT"
    entities = isCoreData ? Self.entities(of: database) : [:]
  }

  /// An explanation of a value, if any.
  package func note(on cell: DatabaseValue, of column: Int, in table: DatabaseInspection.Table)
    -> String?
  {
    let name = table.columns.indices.contains(column) ? table.columns[column] : ""
    let type = table.types.indices.contains(column) ? table.types[column].uppercased() : ""
    if isCoreData, let note = coreDataNote(on: cell, column: name, type: type) { return note }
    return isGRDB || type.contains("UUID") ? grdbNote(on: cell, type: type) : nil
  }

  // MARK: - Core Data

  private func coreDataNote(on cell: DatabaseValue, column: String, type: String) -> String? {
    switch cell {
    case .integer(let value) where column == "Z_ENT": entities[value]
    case .integer(let value) where type == "TIMESTAMP": timeText(Double(value) + secondsTo2001)
    case .real(let value) where type == "TIMESTAMP": timeText(value + secondsTo2001)
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

  private static func entities(of database: DatabaseInspection) -> [Int64: String] {
    guard let table = database.tables.first(where: { $0.name == "Z_PRIMARYKEY" }),
      let number = table.columns.firstIndex(of: "Z_ENT"), let name = table.columns.firstIndex(of: "Z_NAME")
    else { return [:] }
    var entities: [Int64: String] = [:]
    for row in table.rows where row.indices.contains(max(number, name)) {
      if case (.integer(let number), .text(let name, _)) = (row[number], row[name]) {
        entities[number] = name
      }
    }
    return entities
  }

  // MARK: - GRDB

  private func grdbNote(on cell: DatabaseValue, type: String) -> String? {
    switch cell {
    case .blob(let bytes, nil) where bytes.count == 16: Self.uuid(bytes)
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

  private static func uuid(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { padded(String($0, radix: 16, uppercase: true), to: 2, with: "0") }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
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
private let secondsTo2001 = 978_307_200.0
