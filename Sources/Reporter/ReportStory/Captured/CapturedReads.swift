import ExhibitSQLite
import ReportInspection

/// Runs queries on a captured database, which is untrusted, within the limits of an inspection.
struct CapturedReads {
  static let mostRows = 5

  private let connection: InspectionConnection
  private let limits = InspectionLimits()

  init(_ file: String) throws(SQLiteError) {
    connection = try InspectionConnection(path: file, limits: limits)
  }

  /// Gives the queries that follow as many steps as one table may take.
  func begin() { connection.allow(steps: limits.tableSteps) }

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

  /// - Parameter source: A query from its FROM on.
  func count(_ source: String, _ counting: String = "count(*)") -> Int? {
    guard case .integer(let count)? = rows("SELECT \(counting) \(source)")?.rows.first?.first else {
      return nil
    }
    return Int(clamping: count)
  }
}
