import ReportInspection
import ReportModel

/// The effect of a statement on the tables of a database beyond the rows that are told with it.
///
/// Tried with SQLite 3.40.1: the rows that CREATE TABLE … AS makes, those that DROP TABLE takes along, and what VACUUM
/// and ALTER write anew are told to nobody; a plain CREATE TABLE has none, and REINDEX changes none. Of a DROP with
/// foreign keys the rows of other tables are told.
enum SchemaEffect: Sendable, Equatable {
  /// - Parameters:
  ///   - hasRows: True when the table is made of a query's rows.
  ///   - mayExist: True when nothing happens where the table is there.
  case create(hasRows: Bool, mayExist: Bool)
  case drop
  case alter
  /// A rename, for the table's old name or its new one.
  case rename(isNew: Bool)
  /// Rows of tables without a declared key that is the rowid get new ones.
  case vacuum
  /// All of the database is another one: `sqlite3_deserialize` announces itself by a statement.
  case replace

  /// The statement's schema effect and the tables it is about, by names in lower case.
  struct Statement: Sendable, Equatable {
    var effect: SchemaEffect
    /// `nil` for all of the database.
    var tables: [String]?
    /// As the statement names it, in lower case.
    var schema: String?
    var isTemporary = false
  }

  /// - Returns: `nil` for a statement that leaves the tables as they are but for rows that are told.
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
