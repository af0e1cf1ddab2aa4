import ExhibitSQLite
import Foundation
import ReportModel

/// Compares rows of a virtual table, such as an R*Tree, through its module.
struct VirtualRows {
  private static let limit = 200_000

  private struct Row {
    var digest: Int
    var cells: [DatabaseValue]
  }

  let pair: TablePair
  let old: InspectionConnection
  let new: InspectionConnection
  let showsRows: Bool
  let limits: InspectionLimits

  private struct TooManyRows: Error {}
  private struct NoText: Error {}

  func compare(into table: inout DatabaseChanges.Table) {
    do {
      let (before, former) = try rows(of: pair.old, old)
      let (after, later) = try rows(of: pair.new, new)
      table.columns = pair.new == nil ? before : after
      guard before == after || pair.old == nil || pair.new == nil else { throw NoText() }
      compare(former, later, &table)
      table.showColumns(atMost: limits.columns)
    } catch is TooManyRows {
      skip(&table, "it has more than \(grouped(Self.limit))")
    } catch let error as SQLiteError {
      skip(&table, error.message)
    } catch {
      skip(&table, "it keeps no texts of its own, and what it was made of differs")
    }
  }

  private func skip(_ table: inout DatabaseChanges.Table, _ reason: String) {
    (table.added, table.removed, table.changed) = (nil, nil, nil)
    table.problem = "Its rows are not compared: \(reason)."
  }

  private func rows(
    of entry: SchemaEntry?, _ connection: InspectionConnection
  ) throws -> (columns: [String], rows: [Int64: Row]) {
    guard let entry else { return ([], [:]) }
    guard !Self.isSearch(entry) else { throw NoText() }
    connection.allow(steps: limits.tableSteps)
    let statement = try connection.prepare("SELECT rowid, * FROM \(SQLText.name(entry.name))")
    let columns = Array(statement.columnNames.dropFirst())
    var rows: [Int64: Row] = [:]
    while try statement.step() {
      guard rows.count < Self.limit else { throw TooManyRows() }
      var digest = Hasher()
      for column in columns.indices { statement.hash(at: Int32(column + 1), into: &digest) }
      let cells = columns.indices.map { statement.cell(at: Int32($0 + 1), limit: limits.cellBytes) }
      rows[Int64(statement.integer(at: 0))] = Row(digest: digest.finalize(), cells: cells)
    }
    return (columns, rows)
  }

  /// True for full-text search, here without its own content.
  private static func isSearch(_ entry: SchemaEntry) -> Bool {
    entry.sql?.range(of: #"USING\s+["'`\[]?fts[345]"#, options: [.regularExpression, .caseInsensitive]) != nil
  }

  private func compare(_ former: [Int64: Row], _ later: [Int64: Row], _ table: inout DatabaseChanges.Table) {
    let removed = former.filter { later[$0.key] == nil }.sorted { $0.key < $1.key }
    var (added, changed) = (0, 0)
    for (rowid, row) in later.sorted(by: { $0.key < $1.key }) {
      guard let before = former[rowid] else {
        added += 1
        show(.init(operation: .insert, cells: row.cells), &table)
        continue
      }
      guard before.digest != row.digest else { continue }
      changed += 1
      let cells = zip(before.cells, row.cells).map { $0 == $1 ? nil : $0 }
      show(.init(operation: .update, cells: row.cells, before: cells), &table)
    }
    for (_, row) in removed { show(.init(operation: .delete, cells: row.cells), &table) }
    (table.added, table.removed, table.changed) = (added, removed.count, changed)
  }

  private func show(_ row: DatabaseChanges.Row, _ table: inout DatabaseChanges.Table) {
    if showsRows, table.rows.count < limits.rows { table.rows.append(row) }
  }
}
