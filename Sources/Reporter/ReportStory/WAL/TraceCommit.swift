import ReportInspection

/// One transaction that recorded steps committed on one database: which rows it left otherwise than they were.
struct TraceCommit {
  typealias Operation = WALHistory.Touched.Operation

  /// A row that it touched.
  struct Row {
    /// What became of it in all; `nil` for one that is at the end as it was.
    var operation: Operation?
    /// Whether it may be as it was: of what was written not all is told.
    var isUncertain = false
    /// The first values that were told, and the last; empty where they were not.
    var old: [Story.Value?] = []
    var new: [Story.Value?] = []
    /// The step that wrote it last.
    var step: Int
  }

  /// The step that committed it.
  var number: Int
  /// The last step that wrote.
  var lastWrite: Int
  /// By table and rowid.
  var rows: [String: [Int64: Row]] = [:]
  /// Tables that statements wrote to whose rows were not told.
  var others: Set<String> = []
  /// Tables of which rows without rowid were written, and may be as they were.
  var keyless: Set<String> = []
  /// Of tables whose rows were not told: how many it surely added to them, where it did nothing else with them.
  var added: [String: Int] = [:]
  /// Tables whose rows were not told, and with which it did more than add to them.
  private(set) var writtenOtherwise: Set<String> = []
  /// Whether rows may be missing that it wrote.
  var lacksRows = false
  /// Whether it may have declared something, of whose rows nothing is told.
  var declares = false
  /// Whether it may have given rows other rowids, as VACUUM does.
  var rewrites = false
  /// What it may have declared, in lower case.
  var declared: Set<String> = []
  /// Whether it may have written something that is in no row.
  var hasOther = false
  /// Whether it was committed behind the failure.
  var isLater = false

  /// Whether it surely changed something that is not one of SQLite's own tables.
  var isCertain: Bool {
    rows.contains { table, rows in
      Self.isOfNote(table) && rows.values.contains { $0.operation != nil && !$0.isUncertain }
    }
  }

  /// Whether it can have changed anything.
  var isPossible: Bool {
    lacksRows || declares || hasOther || !others.isEmpty || !keyless.isEmpty
      || rows.values.contains { $0.values.contains { $0.operation != nil } }
  }

  /// A row of note that it surely left otherwise than it was; the least of the first table that has one.
  var sign: (table: String, key: Int64, operation: Operation)? {
    for table in rows.keys.sorted() where Self.isOfNote(table) {
      let certain = rows[table]?.filter { $0.value.operation != nil && !$0.value.isUncertain }
      if let (key, row) = certain?.min(by: { $0.key < $1.key }), let operation = row.operation {
        return (table, key, operation)
      }
    }
    return nil
  }

  /// Whether every row that it changed is told, and that it changed.
  var isWhole: Bool {
    !lacksRows && !declares && others.isEmpty && keyless.allSatisfy { !Self.isOfNote($0) }
      && rows.allSatisfy { !Self.isOfNote($0.key) || $0.value.values.allSatisfy { !$0.isUncertain } }
  }

  /// Whether it is known how many rows it added to each table that it wrote to, and that it did nothing else.
  var isCounted: Bool {
    !declares && rows.isEmpty && keyless.isEmpty && !added.isEmpty && added.count == others.count
      && added.values.allSatisfy { $0 > 0 }
  }

  /// Whether it surely changed no row that is told of, and declared nothing.
  var isBeside: Bool {
    isWhole
      && rows.allSatisfy { !Self.isOfNote($0.key) || $0.value.values.allSatisfy { $0.operation == nil } }
  }

  /// Whether the rows of a table are told whole: SQLite tells nothing of its own ones, and what holds the data of virtual
  /// tables is written when their modules choose to.
  static func isOfNote(_ table: String) -> Bool {
    !table.hasPrefix("sqlite_")
      && !VirtualTables.shadowEndings.contains { $0 != "_content" && table.hasSuffix($0) }
  }

  /// Notes a change that stands.
  ///
  /// - Parameter hasRowid: Whether the table's rows have one; the key of others is told as 0.
  mutating func add(_ change: RecordedStory.Change, step: Int, hasRowid: Bool) {
    guard let key = change.key, hasRowid else {
      keyless.insert(change.table)
      return
    }
    if change.blobColumn != nil {
      var row = rows[change.table]?[key] ?? Row(operation: .change, old: change.old, step: step)
      (row.isUncertain, row.new, row.step) = (true, [], step)
      rows[change.table, default: [:]][key] = row
      return
    }
    let newKey = change.newKey ?? key
    if change.operation == .delete || change.operation == .update && newKey != key {
      remove(change.table, key, change.old, step: step)
    }
    if change.operation == .insert || change.operation == .update && newKey != key {
      insert(change.table, newKey, change.new, step: step)
    } else if change.operation == .update {
      var row = rows[change.table]?[key] ?? Row(operation: .change, old: change.old, step: step)
      (row.new, row.step) = (change.new, step)
      if row.operation == nil { row.operation = .change }
      rows[change.table, default: [:]][key] = row
    }
  }

  private mutating func remove(_ table: String, _ key: Int64, _ old: [Story.Value?], step: Int) {
    var row = rows[table]?[key] ?? Row(operation: .remove, old: old, step: step)
    row.operation = row.operation == .add ? nil : .remove
    (row.new, row.step) = ([], step)
    rows[table, default: [:]][key] = row
  }

  private mutating func insert(_ table: String, _ key: Int64, _ new: [Story.Value?], step: Int) {
    var row = rows[table]?[key] ?? Row(operation: .add, step: step)
    // What was deleted before comes back.
    row.operation = row.operation == .remove ? .change : .add
    (row.new, row.step) = (new, step)
    rows[table, default: [:]][key] = row
  }

  /// Notes a statement whose rows are not told.
  mutating func add(_ step: RecordedStory.Step, _ text: StatementText, to table: String) {
    others.insert(table)
    let isPlain =
      text.kind == .insert && step.triggers.isEmpty && !step.sql.uppercased().contains("REPLACE")
      && !text.isConditional
    if isPlain, !writtenOtherwise.contains(table) {
      added[table, default: 0] += step.changed ?? 0
    } else {
      added[table] = nil
      writtenOtherwise.insert(table)
      // A trigger may write to any of them.
      if !step.triggers.isEmpty {
        writtenOtherwise.formUnion(others)
        added = [:]
      }
    }
  }

  /// Settles which rows are as they were.
  mutating func finish() {
    for (table, keys) in rows {
      for (key, var row) in keys where row.operation == .change && !row.isUncertain {
        switch Self.isSame(row.old, row.new) {
        case true?: row.operation = nil
        case false?: break
        case nil: row.isUncertain = true
        }
        rows[table]?[key] = row
      }
    }
  }

  /// - Returns: `nil` where that cannot be said.
  private static func isSame(_ old: [Story.Value?], _ new: [Story.Value?]) -> Bool? {
    guard !old.isEmpty, old.count == new.count else { return nil }
    var isKnown = true
    for (before, after) in zip(old, new) {
      guard let before, let after else {
        isKnown = false
        continue
      }
      // A whole number in a REAL column is told as an integer where it was inserted.
      if before != after {
        guard let one = before.number, one == after.number else { return false }
        isKnown = false
      }
      if before.isCut { isKnown = false }
    }
    return isKnown ? true : nil
  }
}

extension StoryBuilder {
  /// What the recorded steps committed on a database, in the order of the commits.
  func commits(on database: Int) -> [TraceCommit] {
    var commits: [TraceCommit] = []
    for group in transactions.groups {
      switch group.state {
      case .committed:
        if let commit = commit(group.steps, endedBy: group.end, on: database) { commits.append(commit) }
      case .single:
        commits += group.steps.compactMap { commit([$0], endedBy: steps[$0].number, on: database) }
      case .rolledBack, .open, .inWAL, .unexplained: break
      }
    }
    return commits.sorted { $0.number < $1.number }
  }

  private func commit(_ places: [Int], endedBy number: Int, on database: Int) -> TraceCommit? {
    var commit = TraceCommit(number: number, lastWrite: number)
    commit.isLater = number > failure
    for place in places { note(place, in: &commit, database) }
    commit.finish()
    return commit.isPossible ? commit : nil
  }

  private func note(_ place: Int, in commit: inout TraceCommit, _ database: Int) {
    let step = steps[place]
    // What VACUUM is told to change is in a database that it makes for that.
    let isMeant =
      databaseOfStep[place] == database
      || texts[place].kind == .vacuum && databases.has(step.connection, database)
    if let undone = transactions.undone[place] {
      // What modules write may stay.
      if undone == .failed, isMeant, !step.isReadOnly { commit.hasOther = true }
      return
    }
    for change in step.changes
    where databases[step.connection, change.schema, at: step.number] ?? database == database {
      let table = layouts.table(StoryTable(database: database, name: change.table))
      commit.add(change, step: step.number, hasRowid: table?.hasRowid != false)
      commit.lastWrite = step.number
    }
    guard isMeant, !step.isReadOnly else { return }
    noteUntold(step, texts[place], in: &commit)
  }

  /// Notes what a step may have changed beside what is told of it.
  private func noteUntold(
    _ step: RecordedStory.Step, _ text: StatementText, in commit: inout TraceCommit
  ) {
    switch text.kind {
    case .create, .drop, .alter, .vacuum:
      commit.declares = true
      switch text.kind {
      case .create(_, let name), .drop(_, let name), .alter(let name):
        commit.declared.insert(name.lowercased())
      case .vacuum: commit.rewrites = true
      default: break
      }
      commit.lastWrite = step.number
    case .other: commit.hasOther = true
    case .insert, .update, .delete:
      let isTold = recorded.withoutChanges == nil && step.untold == nil && !step.isWithheld
      guard !isTold, step.changed ?? 1 > 0 else { break }
      commit.lacksRows = true
      commit.lastWrite = step.number
      if step.changed ?? 0 > 0, step.changes.isEmpty, let target = text.target {
        commit.add(step, text, to: target)
      }
    case .begin, .commit, .rollback, .savepoint, .rollbackTo, .release, .select: break
    }
    if step.unkept > 0 || step.error != nil && !step.changes.isEmpty { commit.lacksRows = true }
  }
}
