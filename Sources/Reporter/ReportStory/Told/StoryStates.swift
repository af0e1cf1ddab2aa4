import ExhibitSQLite
package import ReportInspection
import ReportModel

/// Two states of one database, where there is no trace.
package struct StoryStates: Sendable, Equatable {
  package var source: Story.Source
  package var name: String
  /// The later state's path in the report's folder.
  package var path: String
  package var changes: DatabaseChanges
  /// `+1 orders, 3 rows of orders changed in total only`.
  var sentence: String

  package init(_ source: Story.Source, name: String, path: String, _ changes: DatabaseChanges) {
    (self.source, self.name, self.path, self.changes) = (source, name, path, changes)
    sentence = changes.sentence
  }
}

extension Story {
  /// Tells how states differ, where nothing was recorded.
  ///
  /// - Parameters:
  ///   - states: The best of each database is told.
  ///   - haveWAL: True where a WAL was captured.
  package init(_ states: [StoryStates], haveWAL: Bool = false) {
    let rank = { (source: Source) in Source.allCases.firstIndex(of: source) ?? 0 }
    for state in states where !self.states.contains(where: { $0.path == state.path }) {
      let same = states.filter { $0.path == state.path }
      if let best = same.min(by: { rank($0.source) < rank($1.source) }) { self.states.append(best) }
    }
    source = self.states.map(\.source).min { rank($0) < rank($1) } ?? .none
    let trace = "EXHIBIT_TRACE=all, which is the default, records the statements of a test"
    advice =
      trace + (source == .none ? "; markBaseline tells what a test started from." : ".")
      + (haveWAL ? " reporter inspect tells the transactions in the WAL of a captured database." : "")
  }
}

extension DatabaseChanges {
  /// The few before the many.
  var sentence: String {
    var clauses: [(count: Int, text: String)] = []
    for table in tables {
      switch table.fate {
      case .created: clauses.append((0, "\(table.name) created"))
      case .dropped: clauses.append((0, "\(table.name) dropped"))
      case .redefined: clauses.append((0, "\(table.name) redefined"))
      case .kept: break
      }
      if let former = table.formerName { clauses.append((0, "\(former) renamed to \(table.name)")) }
      if let added = table.added, added > 0 { clauses.append((added, "+\(grouped(added)) \(table.name)")) }
      if let removed = table.removed, removed > 0 {
        clauses.append((removed, "−\(grouped(removed)) \(table.name)"))
      }
      if let changed = table.changed, changed > 0 {
        clauses.append((changed, "\(counted(changed, "row")) of \(table.name) changed\(table.changedPlace)"))
      }
      if table.problem != nil { clauses.append((.max, "\(table.name) not compared")) }
    }
    for object in schema {
      clauses.append((0, "\(object.type) \(object.name) \(object.fate.rawValue)"))
    }
    return clauses.sorted { $0.count < $1.count }.map(\.text).joined(separator: ", ")
  }
}

extension DatabaseChanges.Table {
  /// The only changed column, where all changed rows were read.
  fileprivate var changedPlace: String {
    let rows = rows.filter { $0.operation == .update }
    guard rows.count == changed, omittedColumns == 0 else { return "" }
    let changed = Set(rows.flatMap { row in row.before.indices.filter { row.before[$0] != nil } })
    guard changed.count == 1, let column = changed.first, columns.indices.contains(column) else { return "" }
    return " in \(columns[column]) only"
  }
}
