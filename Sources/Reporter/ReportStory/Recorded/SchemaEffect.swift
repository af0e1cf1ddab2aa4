import ReportInspection
import ReportModel

/// What a statement does to tables beyond the rows that SQLite tells.
///
/// Tried with SQLite 3.40.1: rows that CREATE TABLE … AS makes, DROP TABLE takes along, and VACUUM and ALTER write
/// anew are told to nobody. A DROP with foreign keys tells the rows of other tables.
enum SchemaEffect: Sendable, Equatable {
  /// - Parameters:
  ///   - hasRows: True when a query fills the table.
  ///   - mayExist: True when nothing happens where the table is there.
  case create(hasRows: Bool, mayExist: Bool)
  case drop
  case alter
  /// For the table's old name, or its new one.
  case rename(isNew: Bool)
  /// Rows get new rowids where no column is theirs.
  case vacuum
  /// `sqlite3_deserialize` replaced the whole database.
  case replace

  /// With names in lower case.
  struct Statement: Sendable, Equatable {
    var effect: SchemaEffect
    /// `nil` for all of the database.
    var tables: [String]?
    var schema: String?
    var isTemporary = false
  }

  /// - Returns: `nil` for a statement that does no more than change rows.
  static func statement(_ text: StatementText) -> Statement? {
    func statement(_ effect: SchemaEffect, _ tables: [String]? = nil) -> Statement {
      Statement(
        effect: effect, tables: tables?.map(foldedName), schema: text.schema.map(foldedName),
        isTemporary: text.isTemporary)
    }
    switch text.kind {
    case .create("TABLE", let name) where !name.isEmpty:
      return statement(.create(hasRows: text.hasRows, mayExist: text.isTentative), [name])
    case .drop("TABLE", let name) where !name.isEmpty: return statement(.drop, [name])
    case .alter(let name) where !name.isEmpty:
      return statement(.alter, [name] + (text.newName.map { [$0] } ?? []))
    case .vacuum where !text.writesFile:
      var vacuum = statement(.vacuum)
      vacuum.schema = vacuum.schema ?? "main"
      return vacuum
    case .other where text.isDeserialization: return Statement(effect: .replace, schema: "main")
    default: return nil
    }
  }
}
