import Collector
import ExhibitSQLite
package import ReportInspection
import ReportModel
import ReportPlaces

extension StoryBuilder {
  /// The rows that the test wrote between baseline and failure, as the captured file has them.
  package func writtenRows(in database: Int, _ schema: CapturedSchema) -> WrittenRows {
    var written = WrittenRows()
    let (places, isPartial) = standingSteps(schema)
    written.isPartial = isPartial
    for place in places {
      let step = steps[place]
      let number = step.number
      for trigger in step.triggers { written.triggers[trigger] = number }
      if !step.wasIdle { written.note(texts[place]) }
      for change in changes(at: place, in: database) {
        written.note(change, step: number, schema.tables[change.table])
      }
    }
    return written
  }

  /// The changes between baseline and failure that the captured file has, with column names.
  ///
  /// - Returns: `nil` where not all are known, and for a table that was made anew.
  func standingChanges(of table: String, in database: Int, _ schema: CapturedSchema)
    -> [(step: Int, columns: [String], change: RecordedStory.Change)]?
  {
    let (places, isPartial) = standingSteps(schema)
    guard !isPartial, !makesRows(of: table) else { return nil }
    var found: [(step: Int, columns: [String], change: RecordedStory.Change)] = []
    for place in places {
      let step = steps[place]
      if !step.wasIdle {
        let folded = foldedName(table)
        switch texts[place].kind {
        case .drop("TABLE", let name) where foldedName(name) == folded: return nil
        case .alter(let name) where foldedName(name) == folded: return nil
        // Rows may have other keys then.
        case .vacuum where !texts[place].writesFile && schema.tables[table]?.isKeyRowid != true: return nil
        default: if texts[place].newName.map(foldedName) == folded { return nil }
        }
      }
      for change in changes(at: place, in: database) where change.table == table {
        guard change.blobColumn == nil else { return nil }
        let columns = layouts.columns(
          of: StoryTable(database: database, name: table), count: max(change.old.count, change.new.count),
          at: place)
        found.append((step.number, columns, change))
      }
    }
    return found
  }

  /// `line 26`, `the set-up`, or what is off the test's stack.
  func writer(ofStep number: Int) -> String {
    if let line = line(ofStep: number) { return "line \(line)" }
    guard let stack = callStack(ofStep: number), !stack.frames.isEmpty else { return "step \(number)" }
    return stack.frames.contains(where: \.place.isSetUp) ? "the set-up" : "steps off the test’s stack"
  }

  /// Steps whose changes are in the captured file, and whether some changes are not known.
  private func standingSteps(_ schema: CapturedSchema) -> (places: [Int], isPartial: Bool) {
    let places = steps.indices.filter { baseline < steps[$0].number && steps[$0].number <= failure }
    let isPartial =
      recorded.withoutChanges != nil || recorded.missing > 0
      || places.contains { place in
        let step = steps[place]
        // Nobody tells which rows an error left.
        let isHalf = step.error != nil && !step.fails && !step.changes.isEmpty
        return step.unkept > 0 || step.isWithheld || step.lacksRows || isHalf
      }
    return (places.filter { stands($0, isUncommitted: schema.isUncommitted) }, isPartial)
  }

  private func stands(_ place: Int, isUncommitted: Bool) -> Bool {
    if steps[place].error != nil { return false }
    if isUncommitted { return transactions.undone[place] == nil || isUndoneLater(place) }
    return transactions.undone[place] == nil && !isUnsettled(place)
  }
}

extension WrittenRows {
  /// Statements that give rows other keys, or names another meaning.
  fileprivate mutating func note(_ text: StatementText) {
    switch text.kind {
    case .drop("TABLE", let name), .create("TABLE", let name): rows[name] = nil
    case .alter(let table):
      // Rows keep their keys.
      let altered = rows.removeValue(forKey: table)?.mapValues {
        Writing(step: $0.step, columns: nil, insertedAt: $0.insertedAt)
      }
      rows[text.newName ?? table] = altered
    // Rowids change where no column is theirs.
    case .vacuum: (rows, isPartial) = ([:], true)
    default: break
    }
  }

  fileprivate mutating func note(
    _ change: RecordedStory.Change, step: Int, _ table: CapturedSchema.Table?
  ) {
    func key(_ rowid: Int64?, _ values: [DatabaseValue?]) -> RowKey? {
      if let rowid, table?.hasRowid != false { return .rowid(rowid) }
      guard let table, table.stored.count == values.count, !table.key.isEmpty else { return nil }
      let key = table.key.compactMap { values[$0] }
      return key.count == table.key.count ? .values(key) : nil
    }
    let old = key(change.key, change.old)
    if change.operation == .delete {
      if let old { rows[change.table]?[old] = nil }
      deleted[change.table] = step
      lastStep = max(lastStep ?? 0, step)
      return
    }
    guard let new = key(change.newKey ?? change.key, change.new) else {
      isPartial = true
      return
    }
    if let old, old != new, change.operation == .update {
      deleted[change.table] = step
      rows[change.table]?[old] = nil
    }
    note(
      new, of: change.table, step: step, columns: Self.columns(of: change, table),
      isInsert: change.operation == .insert)
  }

  /// `nil` for an insert, and where they cannot be told.
  private static func columns(
    of change: RecordedStory.Change, _ table: CapturedSchema.Table?
  ) -> Set<String>? {
    guard change.operation == .update, let names = table?.columns(count: change.old.count) else { return nil }
    if let column = change.blobColumn { return names.indices.contains(column) ? [names[column]] : nil }
    guard change.new.count == change.old.count else { return nil }
    return Set(
      names.indices.filter { change.old[$0] == nil || change.old[$0] != change.new[$0] }.map { names[$0] })
  }
}
