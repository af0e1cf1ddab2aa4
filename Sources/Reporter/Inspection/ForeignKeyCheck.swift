import ExhibitSQLite

/// What `foreign_key_check` found in a database: rows that refer to a row that is not there.
///
/// `quick_check` does not look for them.
struct ForeignKeyCheck: Sendable, Equatable {
  /// Whether any table has foreign keys.
  var hasKeys = false
  /// Rows that refer to no row, counted once for each of their keys.
  var broken = 0
  /// Whether there are more than were counted.
  var hasMore = false
  /// The first of them, each for the reader; without rows the number of each table's.
  var rows: [String] = []
  /// How many were counted that `rows` does not tell.
  var omitted = 0
  /// What could not be checked, in sentences for the reader.
  var problems: [String] = []

  var isSound: Bool { broken == 0 && problems.isEmpty }

  /// Rows named one by one.
  static let mostNamed = 10
  /// Rows counted of each table.
  static let mostCounted = 10_000
}

extension InspectionConnection {
  /// Checks the foreign keys of tables, each by itself: one whose parent has no matching key ends a check of them all.
  ///
  /// - Parameter namesRows: Whether the rows may be named by their rowid.
  func checkForeignKeys(of tables: [String], namesRows: Bool) -> ForeignKeyCheck {
    var check = ForeignKeyCheck()
    for table in tables {
      do {
        try self.check(table, namesRows: namesRows, &check)
      } catch {
        guard let exceeded else {
          check.problems.append("The foreign keys of \(table) could not be checked: \(error.message).")
          continue
        }
        check.problems.append(
          "The foreign keys of \(table) and the tables behind it could not be checked \(exceeded.words).")
        break
      }
    }
    return check
  }

  private func check(
    _ table: String, namesRows: Bool, _ check: inout ForeignKeyCheck
  ) throws(SQLiteError) {
    let keys = try foreignKeys(of: table)
    guard !keys.isEmpty else { return }
    check.hasKeys = true
    let statement = try prepare("PRAGMA foreign_key_check(\(SQLText.name(table)))")
    var count = 0
    while try statement.step() {
      guard count < ForeignKeyCheck.mostCounted else {
        check.hasMore = true
        break
      }
      count += 1
      guard namesRows else { continue }
      guard check.rows.count < ForeignKeyCheck.mostNamed else {
        check.omitted += 1
        continue
      }
      let parent = statement.text(at: 2, limit: longestName) ?? ""
      let row = statement.isNull(at: 1) ? "a row" : "row \(statement.integer(at: 1))"
      let columns = keys[statement.integer(at: 3)]?.joined(separator: ", ") ?? "a key"
      check.rows.append("\(row) of \(table): \(columns) refers to no row of \(parent)")
    }
    check.broken += count
    if !namesRows, count > 0 { check.rows.append("\(table): \(counted(count, "broken key"))") }
  }

  /// The columns of each foreign key of a table.
  private func foreignKeys(of table: String) throws(SQLiteError) -> [Int: [String]] {
    var keys: [Int: [String]] = [:]
    let statement = try prepare("PRAGMA foreign_key_list(\(SQLText.name(table)))")
    while try statement.step() {
      keys[statement.integer(at: 0), default: []].append(statement.text(at: 3, limit: longestName) ?? "")
    }
    return keys
  }
}

/// Bytes shown of a name.
private let longestName = 1000
