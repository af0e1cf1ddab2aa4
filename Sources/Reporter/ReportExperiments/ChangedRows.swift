import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// What tells rows apart that one run of an UPDATE or DELETE changed.
///
/// Where the statement forgets a condition, it changed the rows that were meant and others; a column in which they differ
/// is what the condition would ask for.
package struct ChangedRows: Sendable {
  /// A condition that holds for some of the rows only.
  struct Condition: Sendable, Hashable {
    var column: String
    /// ` = 2`, or ` IS NULL`.
    var test: String
  }

  /// By the table's name in lower case.
  private(set) var conditions: [String: [Condition]] = [:]

  init(_ conditions: [String: [Condition]]) { self.conditions = conditions }

  private static let mostRows = 200
  /// A column of more values tells each row from all others.
  private static let mostValues = 4
  private static let longestText = 40

  /// - Parameter runs: The runs of one statement.
  init(_ runs: [ToldSteps.Step]) {
    for run in runs {
      let rows = run.changes.prefix(Self.mostRows).filter { change in
        change.told.depth == 0 && change.told.operation != .insert
          && change.table.name.lowercased() == run.text.target?.lowercased()
      }
      guard rows.count > 1 else { continue }
      note(rows)
    }
  }

  private mutating func note(_ rows: [ToldSteps.Change]) {
    let (table, columns) = (rows[0].table.name.lowercased(), rows[0].columns)
    for index in columns.indices {
      let values = rows.map { $0.told.old[safe: index] ?? nil }
      let distinct = values.groups { $0 }.compactMap(\.first)
      guard (2...Self.mostValues).contains(distinct.count) else { continue }
      for value in distinct {
        guard let test = value.flatMap(Self.test) else { continue }
        let condition = Condition(column: columns[index], test: test)
        if conditions[table]?.contains(condition) != true { conditions[table, default: []].append(condition) }
      }
    }
  }

  private static func test(_ value: DatabaseValue) -> String? {
    switch value {
    case .null: " IS NULL"
    case .integer(let number): " = \(number)"
    case .text(let text, _) where text.utf8.count <= longestText && !text.utf8.contains(0):
      " = " + SQLText.text(text)
    case .text, .real, .blob: nil
    }
  }
}
