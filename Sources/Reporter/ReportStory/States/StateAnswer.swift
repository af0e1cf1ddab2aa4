import Collector
package import ExhibitSQLite
package import ReportInspection
import ReportModel
import ReportPlaces

/// A question about the states of a story.
package enum StateQuestion: Sendable, Equatable {
  /// The tables as they were after it.
  case step(Int)
  /// The past of a row; the key is its rowid, or the values of its primary key.
  case row(table: String, key: [String])

  /// - Parameter row: As `orders:7` or `stock:A,3`; a name may have colons, a key that has commas cannot be given.
  package init?(row: String) {
    guard let colon = row.lastIndex(of: ":"), colon != row.startIndex else { return nil }
    let key = row[row.index(after: colon)...].split(separator: ",").map(String.init)
    guard !key.isEmpty else { return nil }
    self = .row(table: String(row[..<colon]), key: key)
  }
}

/// The answer to a question about states, by captured database.
package struct StateAnswer: Sendable, Equatable {
  package struct Row: Sendable, Equatable {
    /// The operation of the step on the row; `nil` where it did nothing.
    package var operation: RowOperation?
    package var key: RowKey
    package var old: [DatabaseValue?] = []
    /// A value that is not told is `nil`.
    package var values: [DatabaseValue?]
  }

  package struct Table: Sendable, Equatable {
    package var name: String
    /// The names of the columns that hold values.
    package var columns: [String] = []
    /// True when no column that is shown is the key.
    package var showsKey = false
    /// True when the table was there at all.
    package var exists = true
    package var rows: [Row] = []
    /// Rows that the step changed and that are not in `rows`.
    package var omitted = 0
    /// The number of changed rows.
    package var changed = 0
    /// True when there may be other rows.
    package var hasMore = false
    package var bound: StateBound?
  }

  package struct Database: Sendable, Equatable {
    /// As a reader calls it.
    package var name: String
    package var isUncommitted: Bool
    package var tables: [Table] = []
    package var past: RowPast?
    package var columns: [String] = []
  }

  package var question: StateQuestion
  /// The step's text, where the story has it.
  package var statement: String?
  package var includesRows: Bool
  package var databases: [Database] = []
  /// The numbers of the steps that are told, in their order.
  var steps: [Int] = []
  /// The tables of all captured databases.
  var tables: [String] = []
}

extension StateAnswer {
  private static let mostTables = 20

  /// A sentence on why nothing could be answered; `nil` where something could.
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
