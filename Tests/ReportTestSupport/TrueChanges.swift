import ExhibitSQLite
import Foundation

@testable import ReportInspection

/// How many rows differ between two databases, by two whole SELECTs.
struct TrueChanges: Equatable, CustomStringConvertible {
  var added = 0
  var removed = 0
  var changed = 0

  /// - Parameters:
  ///   - key: what tells rows apart, as SQL.
  ///   - columns: what is compared, as SQL.
  init(_ table: String, key: String, columns: String, from old: String, to new: String) throws {
    let (before, after) = (
      try Self.rows(table, key, columns, old), try Self.rows(table, key, columns, new)
    )
    for (key, row) in after {
      if let former = before[key] {
        if former != row { changed += 1 }
      } else {
        added += 1
      }
    }
    removed = before.keys.count { after[$0] == nil }
  }

  init(_ table: DatabaseChanges.Table?) {
    (added, removed, changed) = (table?.added ?? 0, table?.removed ?? 0, table?.changed ?? 0)
  }

  var description: String { "+\(added) -\(removed) ~\(changed)" }

  /// As SQLite writes the values, each with its type.
  static func rows(
    _ table: String, _ key: String, _ columns: String, _ path: String
  ) throws -> [String: [String]] {
    let connection = try InspectionConnection(path: path, limits: InspectionLimits())
    let quoted = { (list: String) in
      list.split(separator: ",").map { "quote(\($0)) || typeof(\($0))" }.joined(separator: ", ")
    }
    let keys = key.split(separator: ",").count
    let statement = try connection.prepare("SELECT \(quoted(key)), \(quoted(columns)) FROM \(table)")
    var rows: [String: [String]] = [:]
    let count = statement.columnNames.count
    while try statement.step() {
      let values = (0..<count).map { statement.text(at: Int32($0)) ?? "" }
      rows[values.prefix(keys).joined(separator: "|")] = Array(values.dropFirst(keys))
    }
    return rows
  }
}
