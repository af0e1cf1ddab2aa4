import Collector
package import ExhibitSQLite
package import ReportInspection
import ReportModel
import ReportPlaces

/// What `show --at` and `show --row` ask.
package enum StateQuestion: Sendable, Equatable {
  /// The tables as they were after it.
  case step(Int)
  /// The past of a row, by rowid or primary key.
  case row(table: String, key: [String])

  /// - Parameter row: As `orders:7` or `stock:A,3`.
  package init?(row: String) {
    guard let colon = row.lastIndex(of: ":"), colon != row.startIndex else { return nil }
    let key = row[row.index(after: colon)...].split(separator: ",").map(String.init)
    guard !key.isEmpty else { return nil }
    self = .row(table: String(row[..<colon]), key: key)
  }
}

package struct StateAnswer: Sendable, Equatable {
  package struct Row: Sendable, Equatable {
    /// What the step did to the row; `nil` for nothing.
    package var operation: RowOperation?
    package var key: RowKey
    package var old: [DatabaseValue?] = []
    /// `nil` for a value that is not told.
    package var values: [DatabaseValue?]
    /// The rows of the table before it that are not shown; `nil` where they are not counted.
    package var leftOut: Int? = 0
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    package var columns: [String] = []
    /// True when no shown column is the key.
    package var showsKey = false
    package var exists = true
    package var rows: [Row] = []
    /// Changed rows that are not in `rows`.
    package var omitted = 0
    package var changed = 0
    /// The rows behind the last one that are not shown; `nil` where they are not counted.
    package var leftOut: Int? = 0
    package var bound: StateBound?

    package var hasMore: Bool { leftOut != 0 || rows.contains { $0.leftOut != 0 } }
  }

  package struct Database: Sendable, Equatable {
    package var name: String
    package var isUncommitted: Bool
    package var tables: [Table] = []
    package var past: RowPast?
    package var columns: [String] = []
  }

  package var question: StateQuestion
  package var statement: String?
  package var includesRows: Bool
  package var databases: [Database] = []
  var steps: [Int] = []
  var tables: [String] = []
}

extension StateAnswer {
  private static let mostTables = 20

  /// Why nothing could be answered, as a sentence.
  package var absence: String? {
    switch question {
    case .step(let number):
      guard number != 0, !steps.contains(number) else { return nil }
      guard let first = steps.first, let last = steps.last else {
        return "No steps of the test were recorded."
      }
      return "The story has no step \(number); its steps are \(first) to \(last)."
    case .row(let table, let key):
      if databases.isEmpty {
        guard !tables.isEmpty else { return "No captured database has a table \(table)." }
        let names = listed(tables, most: Self.mostTables)
        return "No captured database has a table \(table); there are \(names)."
      }
      let isKnown = databases.contains { database in
        database.past.map { $0.origin != .nowhere || !$0.entries.isEmpty } ?? false
      }
      return isKnown
        ? nil
        : "No row \(key.joined(separator: ", ")) of \(table) is known: no step wrote one, and there was none."
    }
  }
}
