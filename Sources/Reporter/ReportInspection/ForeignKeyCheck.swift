import ExhibitSQLite
import ReportModel

/// The result of `foreign_key_check` in a database: rows that refer to a row that is not there.
///
/// `quick_check` does not look for them.
package struct ForeignKeyCheck: Sendable, Equatable {
  /// True when any table has foreign keys.
  package var hasKeys = false
  /// Rows that refer to no row, counted once for each of their keys.
  package var broken = 0
  /// True when there are more than were counted.
  package var hasMore = false
  /// The first of them, each for the reader; without rows the number of each table's.
  package var rows: [String] = []
  /// The number of counted rows that `rows` does not tell.
  package var omitted = 0
  /// Each key that is broken, with its rows.
  var keys: [BrokenKey] = []
  /// The parts not checked, in sentences for the reader.
  package var problems: [String] = []

  package var isSound: Bool { broken == 0 && problems.isEmpty }

  /// One foreign key of a table whose rows refer to rows that are not there.
  struct BrokenKey: Sendable, Equatable {
    var table: String
    /// The columns that refer.
    var columns: [String]
    var parent: String
    /// The counted rows that can be told; none where rows are left out.
    var rows: [RowKey] = []
    var count = 0
    /// True when there are more than were counted.
    var hasMore = false
  }

  /// Rows named one by one.
  static let mostNamed = 10
  /// Rows counted of each table.
  static let mostCounted = 10_000
}

extension InspectionConnection {
  /// Checks the foreign keys of tables, each by itself: one whose parent has no matching key ends a check of them all.
  ///
  /// - Parameters:
  ///   - tables: The tables; those that are not ordinary are left out.
  ///   - namesRows: True when the rows may be named by their rowid.
  func checkForeignKeys(of tables: [String], in schema: DatabaseSchema, namesRows: Bool) -> ForeignKeyCheck {
    var check = ForeignKeyCheck()
    for table in tables where schema.tables[table]?.kind ?? .ordinary == .ordinary {
      do {
        try self.check(try schema.read(table), namesRows: namesRows, &check)
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
    _ table: DatabaseSchema.Table, namesRows: Bool, _ check: inout ForeignKeyCheck
  ) throws(SQLiteError) {
    guard !table.foreignKeys.isEmpty else { return }
    check.hasKeys = true
    hasGuessed = false
    let statement = try prepare("PRAGMA foreign_key_check(\(SQLText.name(table.name)))", guesses: true)
    let keys = Dictionary(table.foreignKeys.map { ($0.id, $0) }) { first, _ in first }
    var broken: [Int: ForeignKeyCheck.BrokenKey] = [:]
    // In the order of the check: a row's rowid, if it has one, and its key.
    var found: [(rowid: Int64?, key: Int)] = []
    while try statement.step() {
      guard found.count < ForeignKeyCheck.mostCounted else {
        check.hasMore = true
        break
      }
      let id = statement.integer(at: 3)
      found.append((statement.isNull(at: 1) ? nil : Int64(statement.integer(at: 1)), id))
      let names = keys[id]?.columns.map { String(table.columns[$0].name.prefix(longestName)) } ?? []
      let parent = statement.text(at: 2, limit: longestName) ?? ""
      broken[id, default: .init(table: table.name, columns: names, parent: parent)].count += 1
    }
    // A row that is found with equal bytes is there for the app too; one that is not may be.
    if !found.isEmpty { try checkGuess() }
    check.broken += found.count
    if namesRows {
      for id in broken.keys {
        let rowids = found.filter { $0.key == id }.map(\.rowid)
        // The check itself has told that they are broken; which ones they are may be out of reach.
        broken[id]?.rows = (try? rows(of: keys[id], rowids, in: table)) ?? []
      }
      check.name(found.map(\.key), broken)
    } else if !found.isEmpty {
      check.rows.append("\(table.name): \(counted(found.count, "broken key"))")
    }
    for id in broken.keys.sorted() {
      guard var key = broken[id] else { continue }
      key.hasMore = check.hasMore && found.count == ForeignKeyCheck.mostCounted
      check.keys.append(key)
    }
  }

  /// The rows of a broken key: those of a table without rowid, which the check does not tell, are looked for.
  private func rows(
    of key: DatabaseSchema.ForeignKey?, _ rowids: [Int64?], in table: DatabaseSchema.Table
  ) throws(SQLiteError) -> [RowKey] {
    guard rowids.contains(nil) else { return rowids.compactMap { $0.map(RowKey.rowid) } }
    guard let key, key.isMatched, !table.key.isEmpty else { return [] }
    let child = key.columns.map { "c." + SQLText.name(table.columns[$0].name) }
    let matches = zip(key.parents, child).map { "p.\(SQLText.name($0)) = \($1)" }
    let statement = try prepare(
      """
      SELECT \(table.keyNames.map { "c." + SQLText.name($0) }.joined(separator: ", ")) FROM \(SQLText.name(table.name)) c \
      WHERE \(child.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) AND NOT EXISTS (SELECT 1 FROM \
      \(SQLText.name(key.table)) p WHERE \(matches.joined(separator: " AND ")))
      """)
    var rows: [RowKey] = []
    while rows.count < rowids.count, try statement.step() {
      rows.append(.values(table.key.indices.map { statement.cell(at: Int32($0)) }))
    }
    // If affinities differ, the comparison may be another than that of the check.
    return rows.count == rowids.count ? rows : []
  }
}

extension ForeignKeyCheck {
  /// Names the first rows in the order of the check.
  ///
  /// - Parameter order: The key of each row, by its id.
  fileprivate mutating func name(_ order: [Int], _ broken: [Int: BrokenKey]) {
    var next: [Int: Int] = [:]
    for id in order {
      guard let key = broken[id], rows.count < Self.mostNamed else {
        omitted += 1
        continue
      }
      let place = next[id, default: 0]
      next[id] = place + 1
      let row = key.rows.indices.contains(place) ? key.rows[place].shown : "a row"
      let columns = key.columns.isEmpty ? "a key" : key.columns.joined(separator: ", ")
      rows.append("\(row) of \(key.table): \(columns) refers to no row of \(key.parent)")
    }
  }
}

/// Bytes shown of a name.
private let longestName = 1000
