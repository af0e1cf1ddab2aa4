package import ExhibitSQLite
import ReportModel

/// A changed object of a schema.
package struct SchemaChange: Sendable, Equatable {
  package enum Fate: String, Sendable {
    case created, dropped, redefined
    /// Only a table, and nothing else of it.
    case renamed
  }

  /// `table`, `index`, `view` or `trigger`.
  package var type: String
  package var name: String
  package var formerName: String?
  package var fate: Fate
  /// The CREATE statements; a truncated one says so.
  package var before: String?
  package var after: String?
}

/// The differences between two schemas, in the later one's order, then dropped objects.
///
/// Automatic objects without statements are left out.
package func schemaChanges(
  from before: [DatabaseInspection.SchemaEntry], to after: [DatabaseInspection.SchemaEntry]
) -> [SchemaChange] {
  struct Name: Hashable {
    var type: String
    var name: SchemaName
  }
  func byName(_ entries: [DatabaseInspection.SchemaEntry]) -> [Name: DatabaseInspection.SchemaEntry] {
    Dictionary(
      entries.filter { $0.sql != nil }.map { (Name(type: $0.type, name: SchemaName($0.name)), $0) },
      uniquingKeysWith: { first, _ in first })
  }
  let (old, new) = (byName(before), byName(after))
  var seen: Set<Name> = []
  return (after + before).compactMap { entry in
    let name = Name(type: entry.type, name: SchemaName(entry.name))
    guard seen.insert(name).inserted else { return nil }
    let (left, right) = (old[name], new[name])
    let fate: SchemaChange.Fate? =
      switch (left, right) {
      case (nil, _?): .created
      case (_?, nil): .dropped
      case (let left?, let right?):
        left.sql == right.sql && left.withheld == right.withheld ? nil : .redefined
      case (nil, nil): nil
      }
    return fate.map {
      SchemaChange(type: entry.type, name: entry.name, fate: $0, before: left?.sql, after: right?.sql)
    }
  }
}

extension DatabaseInspection {
  package var objects: [SchemaEntry] {
    tables.map {
      SchemaEntry(type: "table", name: $0.name, table: $0.name, sql: $0.sql, withheld: $0.withheld)
    } + otherSchema
  }
}

extension InspectionConnection {
  /// Reads the schema in order.
  ///
  /// - Parameter entries: Receives objects up to the limit, even on errors.
  /// - Returns: True when there are more.
  package func readSchema(
    _ limits: InspectionLimits, into entries: inout [DatabaseInspection.SchemaEntry]
  ) throws(SQLiteError) -> Bool {
    allow(steps: limits.tableSteps)
    let statement = try prepare("SELECT type, name, sql, tbl_name FROM sqlite_schema ORDER BY rowid")
    while try statement.step() {
      guard entries.count < limits.schemaObjects else { return true }
      entries.append(
        .init(
          type: statement.text(at: 0, limit: 20) ?? "", name: statement.text(at: 1, limit: 1000) ?? "",
          table: statement.text(at: 3, limit: 1000) ?? "", sql: sql(of: statement, limits)))
    }
    return false
  }

  private func sql(of statement: InspectionStatement, _ limits: InspectionLimits) -> String? {
    guard case .text(let text, let whole) = statement.cell(at: 2, limit: limits.statementBytes) else {
      return nil
    }
    return text + (whole.map { "\n… (cut from \(counted($0.bytes, "byte")))" } ?? "")
  }
}
