import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportRendering

/// Looks for suspicious rows in tests' databases, and finds out which of them the test wrote.
struct FindingsLookup {
  let folder: String
  let includesRows: Bool
  /// By path, since many tests start from the same baseline.
  private(set) var baselines: [String: DatabaseFindings] = [:]

  /// - Parameter stories: What tests wrote, by the evidence's path.
  mutating func look(
    at test: TestResult, written stories: [String: WrittenRows], _ contents: inout ReportContents
  ) {
    for evidence in test.evidence where evidence.kind == .database {
      guard let path = evidence.path, let inspection = contents.databases[path] else { continue }
      let written = stories[path] ?? compared(path, inspection, contents)
      var found = examineDatabase(
        at: folder + "/" + path, inspection, rows: includesRows, written: written)
      found.findings += sideFileFindings(evidence)
      let before = evidence.baseline.flatMap { baseline($0, contents) }
      contents.findings[path] = found.compared(with: before, written)
    }
  }

  private mutating func baseline(_ path: String, _ contents: ReportContents) -> DatabaseFindings? {
    if let known = baselines[path] { return known }
    let found = contents.databases[path].map {
      examineDatabase(at: folder + "/" + path, $0, rows: includesRows)
    }
    baselines[path] = found
    return found
  }

  /// Without a trace: what differs from the baseline, as far as rows were read.
  private func compared(
    _ path: String, _ inspection: DatabaseInspection, _ contents: ReportContents
  ) -> WrittenRows {
    var written = WrittenRows()
    guard let changes = contents.changes[path] else { return written }
    for table in changes.tables {
      let count = (table.added ?? 0) + (table.changed ?? 0) + (table.removed ?? 0)
      if table.problem != nil || table.rows.count < count || table.omittedColumns > 0 {
        written.isPartial = true
      }
      guard let layout = inspection.schema.tables[table.name] else { continue }
      for row in table.rows where row.operation != .delete {
        guard let key = Self.key(of: row, table, layout) else {
          written.isPartial = true
          continue
        }
        let columns = row.before.indices.filter { row.before[$0] != nil }.map { table.columns[$0] }
        written.note(key, of: table.name, step: nil, columns: row.operation == .insert ? nil : Set(columns))
      }
    }
    return written
  }

  /// `nil` for a rowid that no column shows.
  private static func key(
    of row: DatabaseChanges.Row, _ table: DatabaseChanges.Table, _ layout: DatabaseSchema.Table
  ) -> RowKey? {
    let places = layout.keyNames.compactMap { table.columns.firstIndex(of: $0) }
    guard !places.isEmpty, places.count == layout.key.count, row.cells.count == table.columns.count else {
      return nil
    }
    guard layout.hasRowid else { return .values(places.map { row.cells[$0] }) }
    guard layout.isKeyRowid, case .integer(let rowid) = row.cells[places[0]]
    else { return nil }
    return .rowid(rowid)
  }
}
