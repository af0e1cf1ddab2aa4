import ExhibitSQLite
import ReportModel

/// The result of `foreign_key_check`, which `quick_check` does not include.
package struct ForeignKeyCheck: Sendable, Equatable {
  package var hasKeys = false
  /// Broken references, counted per row and key.
  package var broken = 0
  package var hasMore = false
  /// The first ones in words, or each table's number without rows.
  package var rows: [String] = []
  /// The counted ones missing in `rows`.
  package var omitted = 0
  var keys: [BrokenKey] = []
  /// Sentences on what was not checked.
  package var problems: [String] = []

  package var isSound: Bool { broken == 0 && problems.isEmpty }

  struct BrokenKey: Sendable, Equatable {
    var table: String
    var columns: [String]
    var parent: String
    var rows: [RowKey] = []
    var count = 0
    var hasMore = false
  }

  static let mostNamed = 10
  static let mostCounted = 10_000
}

extension InspectionConnection {
  /// Checks each ordinary table by itself, since a parent without a matching key aborts a check of all.
  ///
  /// - Parameter namesRows: True when rows may be named.
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
    // Another collation can only find more parents, never fewer.
    if !found.isEmpty { try checkGuess() }
    check.broken += found.count
    if namesRows {
      for id in broken.keys {
        let rowids = found.filter { $0.key == id }.map(\.rowid)
        // The finding stands without its rows.
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

  /// Finds the rows of a broken key; a query finds those without rowid.
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
    // Affinities can make the query differ from the check.
    return rows.count == rowids.count ? rows : []
  }
}

extension ForeignKeyCheck {
  /// Names the first rows.
  ///
  /// - Parameter order: Each row's foreign key id.
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

private let longestName = 1000
