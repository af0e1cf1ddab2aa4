import Collector
import ExhibitSQLite
import ReportInspection
import ReportStory

/// The captured databases of one test, with the connections to them and what all their queries may take.
struct CapturedDatabases: RandomAccessCollection {
  private let files: [CapturedFile]
  private let connections = Connections()

  private final class Connections {
    var open: [String: CapturedQueries] = [:]
    let budget = QueryBudget()
  }

  init(_ files: [CapturedFile]) { self.files = files }

  var startIndex: Int { files.startIndex }
  var endIndex: Int { files.endIndex }
  subscript(index: Int) -> CapturedFile { files[index] }

  /// Without those that hold rows of an open transaction.
  var committed: [CapturedFile] { files.filter { !$0.schema.isUncommitted } }

  /// - Returns: `nil` where it cannot be opened: its inspection says why.
  func queries(of file: CapturedFile) -> CapturedQueries? { queries(of: file, with: []) }

  /// The databases that a step's connection had open, by the names that it knew them by.
  ///
  /// - Returns: `nil` where the first of them was not captured.
  func queries(for step: ToldSteps.Step, _ told: ToldSteps) -> CapturedQueries? {
    let committed = committed
    let open = told.attached.filter { $0.connection == step.recorded.connection }
    let main = open.last { $0.schema == "main" }?.database ?? step.database
    guard let file = committed.first(where: { $0.database == main }) else { return nil }
    let others = open.filter { $0.schema != "main" && $0.schema != "temp" }.compactMap { other in
      committed.first { $0.database == other.database }.map { (schema: other.schema, path: $0.path) }
    }
    return queries(of: file, with: others)
  }

  private func queries(
    of file: CapturedFile, with others: [(schema: String, path: String)]
  ) -> CapturedQueries? {
    let key = ([file.path] + others.flatMap { [$0.schema, $0.path] }).joined(separator: "\0")
    if let open = connections.open[key] { return open }
    let queries = CapturedQueries(file.path, with: others, connections.budget)
    connections.open[key] = queries
    return queries
  }
}

/// The limits on all queries of one test, by counts, so that the same input gives the same sentences.
final class QueryBudget {
  private var queries = 2000
  private var cells = 300_000
  /// Steps of SQLite's virtual machine.
  private var steps = 60_000_000

  var isSpent: Bool { queries <= 0 || cells <= 0 || steps <= 0 }

  func take(cells: Int, steps: Int) {
    queries -= 1
    self.cells -= cells
    self.steps -= steps
  }
}

/// Queries of a captured database, each within limits: they read and do nothing else.
final class CapturedQueries {
  private let connection: InspectionConnection
  private let budget: QueryBudget
  private let limits = InspectionLimits()
  /// Steps of SQLite's virtual machine that one query may take.
  private static let mostSteps = 4_000_000
  /// Bytes of one query.
  private static let longest = 32 * 1024

  fileprivate init?(_ path: String, with others: [(schema: String, path: String)], _ budget: QueryBudget) {
    // Its inspection tells why a file cannot be opened.
    guard let connection = try? InspectionConnection(path: path, limits: limits) else { return nil }
    (self.connection, self.budget) = (connection, budget)
    for other in others {
      // A query that names it fails then, and nothing is told of it.
      try? connection.attach(other.path, as: other.schema)
    }
    connection.allowOnlyQueries()
  }

  typealias Rows = (columns: [String], rows: [[DatabaseValue]])

  /// The first rows.
  ///
  /// - Returns: `nil` where it is no query, cannot be answered within the limits, or asks for the time of day.
  func query(_ sql: String, most: Int) -> Rows? {
    guard !budget.isSpent, sql.utf8.count <= Self.longest, !sql.asksForNow else { return nil }
    connection.allow(steps: Self.mostSteps)
    guard let statement = try? connection.prepare(sql) else { return nil }
    let columns = statement.columnNames
    var rows: [[DatabaseValue]] = []
    defer { budget.take(cells: rows.count * columns.count, steps: connection.stepsTaken) }
    do {
      while rows.count < most, try statement.step() {
        rows.append(columns.indices.map { statement.cell(at: Int32($0), limit: limits.cellBytes) })
      }
    } catch {
      return nil  // Half of the rows would be a wrong sum.
    }
    return (columns, rows)
  }

  /// The first rows; none where there is no answer, as then less is told.
  func rows(_ sql: String, most: Int) -> Rows { query(sql, most: most) ?? ([], []) }
}

extension ToldSteps.Step {
  /// True when rows are those that it returned, as far as these are known.
  func hasRead(_ rows: [[DatabaseValue]]) -> Bool {
    guard rows.count == recorded.rows, rows.isEmpty || !recorded.results.isEmpty else { return false }
    return zip(rows, recorded.results).allSatisfy { row, known in
      zip(row, known).allSatisfy { value, known in known.map { $0 == value || $0.isCut } ?? true }
    }
  }
}

extension String {
  /// True when a statement's answer depends on the time.
  fileprivate var asksForNow: Bool {
    let text = lowercased()
    return text.contains("'now'") || text.contains("current_time") || text.contains("current_date")
  }
}
