import Foundation

@testable import ReportInspection

/// What is found in a database that SQL makes.
///
/// - Parameters:
///   - kinds: What to look for; all that is looked for usually unless others are named.
///   - written: Rows that the test wrote.
func findings(
  in sql: String, rows: Bool = true, kinds: Set<Finding.Kind> = Finding.Kind.standard,
  written: WrittenRows = WrittenRows(), limits: InspectionLimits = InspectionLimits()
) throws -> DatabaseFindings {
  let folder = try TemporaryFolder()
  let path = try folder.database("a.sqlite", sql)
  let inspection = inspectDatabase(at: path, rows: rows)
  return examineDatabase(at: path, inspection, rows: rows, kinds: kinds, written: written, limits: limits)
    .compared(with: nil, written)
}

/// The numbers from 1 to `count`, as the table `n` with the column `i` before a statement.
func numbers(_ count: Int) -> String {
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
}

extension WrittenRows {
  /// Rows of one table, by rowid, that a step inserted.
  init(_ rowids: [Int64], of table: String, step: Int = 9, last: Int? = nil, columns: Set<String>? = nil) {
    self.init()
    for rowid in rowids { note(.rowid(rowid), of: table, step: step, columns: columns) }
    lastStep = last ?? step
  }
}
