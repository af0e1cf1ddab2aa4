import ExhibitSQLite
import ReportModel
import ReportStory

/// What rows that are exceptions have in common, and no other row has.
struct Distinction {
  /// Exceptions, and rows beside each, below which one value tells nothing.
  private static let fewest = 3

  var column: String
  var value: DatabaseValue

  /// - Parameters:
  ///   - exceptions: Rows with a value for each of the columns.
  ///   - others: The rows beside them.
  ///   - keys: Columns that only name rows.
  init?(
    _ exceptions: [[DatabaseValue?]], _ others: [[DatabaseValue?]], columns: [String],
    except keys: Set<String>
  ) {
    guard exceptions.count >= Self.fewest, others.count >= Self.fewest * exceptions.count else { return nil }
    for (index, column) in columns.enumerated() where !keys.contains(column) {
      guard let value = exceptions[0][safe: index] ?? nil,
        exceptions.allSatisfy({ $0[safe: index] == value }),
        !others.contains(where: { $0[safe: index] == value })
      else { continue }
      (self.column, self.value) = (column, value)
      return
    }
    return nil
  }

  /// `; only these have offline 1`.
  var words: String { "; only these have \(column) \(value.shortText)" }
}
