import Foundation

@testable import ReportInspection

extension TemporaryFolder {
  /// What a comparison tells of a database that SQL makes, and of the same after more SQL.
  func changes(from before: String, by sql: String, rows: Bool = true) throws -> DatabaseChanges {
    let number = try names.count
    let baseline = try database("before\(number).sqlite", before)
    let now = try database("now\(number).sqlite", before + sql)
    return compareDatabases(now, since: baseline, rows: rows)
  }
}

/// A table of 3,000 rows, which has many pages.
let manyItems = """
  CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price REAL);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
  INSERT INTO item SELECT i, 'item ' || i, i * 2 FROM n;
  """
