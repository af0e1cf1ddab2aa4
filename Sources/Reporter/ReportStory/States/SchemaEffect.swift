import ReportInspection
import ReportModel

/// What a statement does to the tables of a database beyond the rows that are told with it.
///
/// Tried with SQLite 3.40.1: the rows that CREATE TABLE … AS makes, those that DROP TABLE takes along, and what VACUUM
/// and ALTER write anew are told to nobody; a plain CREATE TABLE has none, and REINDEX changes none. Of a DROP with
/// foreign keys the rows of other tables are told.
enum SchemaEffect: Sendable, Equatable {
  /// - Parameters:
  ///   - hasRows: Whether it is made of a query's rows.
  ///   - mayExist: Whether nothing happens where it is there.
  case create(hasRows: Bool, mayExist: Bool)
  case drop
  case alter
  /// Of the table's old name, or of its new one.
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
  static func statement(_ sql: String) -> Statement? {
    // Of a long text the beginning is enough, and all that is kept.
    let tokens = SQLToken.all(in: String(sql.prefix(20_000)))
    switch tokens.first?.folded {
    case "CREATE": return create(tokens)
    case "DROP": return drop(tokens)
    case "ALTER": return alter(tokens)
    case "VACUUM": return vacuum(tokens)
    case "ATTACH":
      // A database that is called `main` there is already, so that nobody else can say this.
      let words = tokens.dropFirst().map(\.text)
      return words == ["x", "AS", "'main'"] ? Statement(effect: .replace, schema: "main") : nil
    default: return nil
    }
  }

  private static func name(_ tokens: [SQLToken], _ index: Int) -> (schema: String?, table: String, end: Int)?
  {
    guard let first = tokens[safe: index]?.name else { return nil }
    guard tokens[safe: index + 1]?.text == "." else { return (nil, foldedName(first), index + 1) }
    guard let second = tokens[safe: index + 2]?.name else { return nil }
    return (foldedName(first), foldedName(second), index + 3)
  }

  private static func create(_ tokens: [SQLToken]) -> Statement? {
    var index = 1
    var isTemporary = false
    while let word = tokens[safe: index]?.folded, ["TEMP", "TEMPORARY", "VIRTUAL"].contains(word) {
      isTemporary = isTemporary || word != "VIRTUAL"
      index += 1
    }
    guard tokens[safe: index]?.folded == "TABLE" else { return nil }
    index += 1
    let mayExist = tokens[safe: index]?.folded == "IF"
    if mayExist { index += 3 }
    guard let name = name(tokens, index) else { return nil }
    return Statement(
      effect: .create(hasRows: tokens[safe: name.end]?.folded == "AS", mayExist: mayExist),
      tables: [name.table], schema: name.schema, isTemporary: isTemporary)
  }

  private static func drop(_ tokens: [SQLToken]) -> Statement? {
    guard tokens[safe: 1]?.folded == "TABLE" else { return nil }
    let mayLack = tokens[safe: 2]?.folded == "IF"
    return name(tokens, mayLack ? 4 : 2).map {
      Statement(effect: .drop, tables: [$0.table], schema: $0.schema)
    }
  }

  private static func alter(_ tokens: [SQLToken]) -> Statement? {
    guard tokens[safe: 1]?.folded == "TABLE", let name = name(tokens, 2) else { return nil }
    var tables = [name.table]
    if tokens[safe: name.end]?.folded == "RENAME", tokens[safe: name.end + 1]?.folded == "TO",
      let other = tokens[safe: name.end + 2]?.name
    {
      tables.append(foldedName(other))
    }
    return Statement(effect: .alter, tables: tables, schema: name.schema)
  }

  /// `VACUUM INTO` writes another file.
  private static func vacuum(_ tokens: [SQLToken]) -> Statement? {
    guard !tokens.dropFirst().prefix(2).contains(where: { $0.folded == "INTO" }) else { return nil }
    let schema = tokens[safe: 1]?.name.map(foldedName) ?? "main"
    return Statement(effect: .vacuum, schema: schema)
  }
}
