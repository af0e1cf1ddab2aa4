import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// The rows that recorded steps wrote, to tell which transactions of a WAL are theirs.
///
/// Rolled back writes count: a row too many keeps silence, a row too few would raise a false alarm.
struct TraceWrites {
  private struct Version {
    var values: [DatabaseValue?]?
    var commit: Int

    /// As far as both are told.
    func isSame(as row: [DatabaseValue?]?, key: Int64) -> Bool {
      guard let values, let row else { return values == nil && row == nil }
      return values.count != row.count
        || zip(values, row).allSatisfy { told, left in
          left.map { ToldValue.isSame(told, $0, isKey: $0 == .integer(key)) } ?? true
        }
    }
  }

  private var rows: [String: [Int64: [Version]]] = [:]
  /// Tables whose rows are not all told, and what was made, dropped or altered, in lower case.
  private var (untold, declared): (Set<String>, Set<String>) = ([], [])
  /// Transactions that surely changed a row.
  fileprivate(set) var commits = 0
  /// True when nothing can be said.
  fileprivate(set) var isSilent = false

  // MARK: - Asking

  /// The last step that left a row as the transaction did.
  func commit(of transaction: WALHistory.Transaction, before limit: Int) -> Int? {
    var isOther = false
    for table in transaction.tables where table.shadows.isEmpty {
      for row in table.groups.lazy.flatMap(\.rows) {
        guard let key = row.key, let versions = rows[table.name]?[key] else { continue }
        if let commit = commit(of: versions, before: limit, where: { $0.isSame(as: row.new, key: key) }) {
          return commit
        }
        isOther = true
      }
    }
    return isOther ? nil : commitByRowids(of: transaction, before: limit)
  }

  /// Where no values are kept.
  private func commitByRowids(of transaction: WALHistory.Transaction, before limit: Int) -> Int? {
    for touched in transaction.touched where Self.isOfNote(touched.table) {
      guard let rows = rows[touched.table], let rowids = touched.rowids else { continue }
      for key in rowids.keys.sorted() {
        let isRemoved = rowids[key] == .delete
        let found = commit(of: rows[key] ?? [], before: limit) { ($0.values == nil) == isRemoved }
        if let found { return found }
      }
    }
    return nil
  }

  private func commit(of versions: [Version], before limit: Int, where isMeant: (Version) -> Bool) -> Int? {
    let version = versions.last { $0.commit < limit && isMeant($0) } ?? versions.first(where: isMeant)
    return version?.commit
  }

  /// Rows that steps wrote may be among those that are not told.
  func mayBeCut(from transaction: WALHistory.Transaction) -> Bool {
    transaction.tables.contains { $0.problem != nil }
      || transaction.touched.contains { $0.rowids == nil && rows[$0.table] != nil }
  }

  /// A step may have made it without telling its rows.
  func mayExplain(_ transaction: WALHistory.Transaction) -> Bool {
    let altered = transaction.tables.filter { $0.fate != .kept || $0.formerName != nil }
    let names = altered.map(\.name) + altered.compactMap(\.formerName) + transaction.declarations.map(\.name)
    return names.contains { declared.contains($0.lowercased()) }
      || transaction.tables.contains { untold.contains($0.name.lowercased()) }
  }

  /// SQLite tells nothing of its own tables, and modules write when they choose to.
  static func isOfNote(_ table: String) -> Bool {
    !table.isOfSQLite
      && !VirtualTables.shadowEndings.contains { $0 != "_content" && table.hasSuffix($0) }
  }

  // MARK: - Gathering

  fileprivate mutating func add(
    _ change: RecordedStory.Change, _ left: [RecordedStory.Change.Left], commit: Int, hasRowid: Bool
  ) {
    if change.key == nil || !hasRowid { untold.insert(change.table.lowercased()) }
    for row in left {
      rows[change.table, default: [:]][row.key, default: []].append(
        Version(values: row.values, commit: commit))
    }
  }

  /// Beside the rows that are told.
  fileprivate mutating func add(_ step: RecordedStory.Step, _ text: StatementText) {
    switch text.kind {
    case .create(_, let name), .alter(let name): declared.insert(name.lowercased())
    case .drop(_, let name):
      declared.insert(name.lowercased())
      untold.insert(name.lowercased())
    default: break
    }
    guard step.unkept > 0 || text.isWrite && (step.isWithheld || step.lacksRows) else { return }
    if let target = text.target { untold.insert(target.lowercased()) } else { isSilent = true }
  }
}

private struct NetRows {
  private struct Row {
    var old: [DatabaseValue?]?
    var new: [DatabaseValue?]?
  }

  private var rows: [String: [Int64: Row]] = [:]

  mutating func add(_ change: RecordedStory.Change, _ left: [RecordedStory.Change.Left]) {
    for row in left {
      let wasThere = row.key == change.key && change.operation != .insert
      rows[change.table, default: [:]][row.key, default: Row(old: wasThere ? change.old : nil)].new =
        row.values
    }
  }

  /// True when any row surely changed.
  var isOther: Bool {
    rows.contains { table, rows in
      TraceWrites.isOfNote(table) && rows.values.contains(where: isOther)
    }
  }

  private func isOther(_ row: Row) -> Bool {
    guard let old = row.old, let new = row.new else { return (row.old == nil) != (row.new == nil) }
    return old.count == new.count
      && zip(old, new).contains { before, after in
        guard let before, let after else { return false }
        // An inserted whole number of a REAL column is told as an integer.
        return before != after && (before.number == nil || before.number != after.number)
      }
  }
}

extension RecordedStory.Change {
  /// `nil` for a row that is gone.
  fileprivate typealias Left = (key: Int64, values: [DatabaseValue?]?)

  fileprivate var left: [Left] {
    guard let key else { return [] }
    if operation == .delete { return [(key, nil)] }
    let newKey = newKey ?? key
    return newKey != key && operation != .insert ? [(key, nil), (newKey, new)] : [(newKey, new)]
  }
}

extension StoryBuilder {
  func writes(to database: Int) -> TraceWrites {
    var writes = TraceWrites()
    for group in transactions.groups {
      let isSingle = group.state == .single
      for places in isSingle ? group.steps.map({ [$0] }) : [group.steps] {
        let commit = isSingle ? steps[places[0]].number : group.end
        let isOther = add(places, committedBy: commit, database, to: &writes)
        if isOther, isSingle || group.state == .committed, commit <= failure { writes.commits += 1 }
      }
    }
    return writes
  }

  /// - Returns: True when a row surely changed.
  private func add(
    _ places: [Int], committedBy end: Int, _ database: Int, to writes: inout TraceWrites
  ) -> Bool {
    var net = NetRows()
    for place in places {
      let step = steps[place]
      for change in changes(at: place, in: database, orUnknown: true) {
        let hasRowid = layouts.table(StoryTable(database: database, name: change.table))?.hasRowid != false
        let left = change.left
        writes.add(change, left, commit: end == .max ? step.number : end, hasRowid: hasRowid)
        if hasRowid, transactions.undone[place] == nil { net.add(change, left) }
      }
      writes.add(step, texts[place])
      if texts[place].kind == .vacuum, databases.has(step.connection, database) { writes.isSilent = true }
    }
    return net.isOther
  }
}
