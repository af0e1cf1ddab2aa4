import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// A row as a story told it last; without values it was deleted.
package struct ToldRow: Sendable {
  var table: StoryTable
  var key: Int64
  var values: [DatabaseValue?]?
  var step: Int
}

/// Looks whether the rows that a story told last are in the captured database.
package enum StoryCheck {
  static let mostRows = 500
  private static let mostTold = 3

  package static func contradictions(
    of rows: [ToldRow], in file: String, _ schema: CapturedSchema
  ) -> [String] {
    let steps = rows.map { $0.step }.sorted()
    let firstStep = steps.count > mostRows ? steps[steps.count - mostRows] : .min
    // So that every report of a run tells the same ones.
    let last = rows.filter { $0.step >= firstStep }.sorted {
      ($1.step, $0.table.name, $0.key) < ($0.step, $1.table.name, $1.key)
    }.prefix(mostRows)
    let captured = CapturedRows(file, schema)
    var found: [String] = []
    for (name, rows) in Dictionary(grouping: last, by: \.table.name).sorted(by: { $0.key < $1.key }) {
      guard let table = schema.tables[name], !table.isVirtual, table.rowid != nil else { continue }
      for start in stride(from: 0, to: rows.count, by: CapturedRows.keysAtOnce) {
        let some = rows[start..<min(rows.count, start + CapturedRows.keysAtOnce)]
        // The inspection tells why rows cannot be read.
        guard let known = try? captured.rows(of: some.map { .rowid($0.key) }, in: name) else { break }
        found += some.compactMap { contradiction(of: $0, name, table, known[.rowid($0.key)]) }
      }
    }
    let more = found.count - mostTold
    return found.prefix(mostTold) + (more > 0 ? ["So it is of \(counted(more, "more row"))."] : [])
  }

  private static func contradiction(
    of row: ToldRow, _ name: String, _ table: CapturedSchema.Table, _ captured: [DatabaseValue?]?
  ) -> String? {
    let owner = "Row \(row.key) of \(shortened(name, to: 200))"
    switch (row.values, captured) {
    case (nil, nil): return nil
    case (nil, _?): return "\(owner) was deleted by step \(row.step), and is in the captured database."
    case (_?, nil): return "\(owner) was written by step \(row.step), and is not in the captured database."
    case (let told?, let captured?):
      guard told.count == captured.count else { return nil }
      let other = told.indices.first { column in
        captured[column].map { !ToldValue.isSame(told[column], $0, isKey: table.key == [column]) } ?? false
      }
      return other.map {
        "\(owner) has another value in \(table.stored[$0].name) in the captured database than step \(row.step) wrote."
      }
    }
  }
}

extension StoryBuilder {
  /// The rows that were told last before the failure, without those of open transactions.
  ///
  /// None where it cannot be known: changes were not told, or tables altered behind them.
  package func toldRows(in database: Int) -> [ToldRow] {
    guard recorded.withoutChanges == nil,
      !steps.contains(where: { $0.unkept > 0 || $0.isWithheld || $0.lacksRows })
    else {
      return []
    }
    var rows: [ToldRow] = []
    var told = keysLeftOpen(in: database)
    var made: Set<String> = []
    for place in untilFailure.reversed() {
      let step = steps[place].number
      for change in settledChanges(at: place, in: database).reversed() where !made.contains(change.table) {
        guard let key = change.key else { continue }
        let table = StoryTable(database: database, name: change.table)
        let newKey = change.newKey ?? key
        if told[table, default: []].insert(newKey).inserted {
          let values = change.operation == .delete ? nil : change.new
          rows.append(ToldRow(table: table, key: newKey, values: values, step: step))
        }
        if key != newKey, told[table, default: []].insert(key).inserted {
          rows.append(ToldRow(table: table, key: key, step: step))
        }
      }
      if rows.count >= StoryCheck.mostRows { break }
      switch texts[place].kind {
      case .drop, .alter, .vacuum: return rows
      // Its file may be another one by now.
      case .create("TABLE", let name): made.insert(name)
      default: break
      }
    }
    return rows
  }

  private func settledChanges(at place: Int, in database: Int) -> [RecordedStory.Change] {
    let changes = changes(at: place, in: database)
    return changes.isEmpty || transactions.undone[place] != nil || isUnsettled(place) ? [] : changes
  }

  /// Rows of steps that failed, or were in open transactions.
  private func keysLeftOpen(in database: Int) -> [StoryTable: Set<Int64>] {
    var open: [StoryTable: Set<Int64>] = [:]
    for place in untilFailure {
      let changes = changes(at: place, in: database)
      guard !changes.isEmpty, isUnsettled(place) else { continue }
      for change in changes {
        guard let key = change.key else { continue }
        let table = StoryTable(database: database, name: change.table)
        open[table, default: []].formUnion([key, change.newKey ?? key])
      }
    }
    return open
  }
}
