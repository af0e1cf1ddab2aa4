import ExhibitSQLite
import ReportInspection

/// Reads of a captured database, which may be anybody's, within the limits of an inspection.
struct CapturedReads {
  static let mostRows = 5

  private let connection: InspectionConnection
  private let limits = InspectionLimits()

  /// - Throws: `SQLiteError`.
  init(_ file: String) throws(SQLiteError) {
    connection = try InspectionConnection(path: file, limits: limits)
  }

  /// Gives what follows the steps that one table may take.
  func begin() { connection.allow(steps: limits.tableSteps) }

  /// - Returns: `nil` for what cannot be read: the page then says less, and the inspection of the file says why.
  func rows(_ sql: String, most: Int = CapturedReads.mostRows) -> (
    columns: [String], rows: [[DatabaseValue]]
  )? {
    do {
      let statement = try connection.prepare(sql)
      let columns = Array(statement.columnNames.prefix(limits.columns))
      var rows: [[DatabaseValue]] = []
      while rows.count < most, try statement.step() {
        rows.append(columns.indices.map { statement.cell(at: Int32($0), limit: limits.cellBytes) })
      }
      return (columns, rows)
    } catch {
      return nil
    }
  }

  /// - Parameter source: From its FROM on.
  func count(_ source: String, _ counting: String = "count(*)") -> Int? {
    guard case .integer(let count)? = rows("SELECT \(counting) \(source)")?.rows.first?.first else {
      return nil
    }
    return Int(clamping: count)
  }
}
