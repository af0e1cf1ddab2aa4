import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Gathers changes row by row: of several changes of one row only the first state and the last stay.
struct NetChanges {
  private enum Key: Hashable {
    case rowid(Int64)
    /// The primary key of a table without rowid, or the whole row where no key is known.
    case values([DatabaseValue?])
  }

  private struct Rows {
    var rows: [Key: Row] = [:]
    /// Rows whose key another row has taken over.
    var gone: [Row] = []
    var columns: [String] = []
    var fate = DatabaseChanges.Table.Fate.kept
    var unkept = 0
    /// `nil` until a change was added.
    var hasRowid: Bool?
  }

  fileprivate final class Row {
    /// The order in which rows were first changed.
    let place: Int
    var row: ChangedRow

    init(place: Int, row: ChangedRow) {
      (self.place, self.row) = (place, row)
    }
  }

  private var tables: [StoryTable: Rows] = [:]
  private var order: [StoryTable] = []
  private var count = 0

  private static let mostMarked = 2000
  fileprivate static let mostSteps = 8

  // MARK: - Gathering

  mutating func add(
    _ change: RecordedStory.Change, of table: StoryTable, step: Int, _ layouts: StoryLayouts
  ) {
    open(table)
    var rows = tables[table] ?? Rows()
    tables[table] = nil
    defer { tables[table] = rows }
    let width = max(change.old.count, change.new.count)
    if rows.columns.count != width { rows.columns = layouts.columns(of: table, count: width) }
    let hasRowid = rows.hasRowid ?? (layouts.table(table)?.hasRowid != false)
    rows.hasRowid = hasRowid
    func identity(_ key: Int64?, _ values: [DatabaseValue?]) -> Key {
      if let key, hasRowid { return .rowid(key) }
      return .values(layouts.key(of: values, in: table) ?? values)
    }
    switch change.operation {
    case .insert:
      let key = identity(change.newKey ?? change.key, change.new)
      // It was deleted before.
      let row = rows.rows[key] ?? newRow(old: nil)
      row.note(new: change.new, key: change.newKey ?? change.key, step: step)
      rows.rows[key] = row
    case .delete:
      let key = identity(change.key, change.old)
      let row = rows.rows.removeValue(forKey: key) ?? newRow(old: change.old)
      row.note(new: nil, key: change.key, step: step)
      if row.row.old != nil { rows.rows[key] = row }
    case .update:
      let key = identity(change.key, change.old)
      let newKey = identity(change.newKey ?? change.key, change.new)
      let row = rows.rows.removeValue(forKey: key) ?? newRow(old: change.old)
      row.note(new: change.new, key: change.newKey ?? change.key, step: step)
      if let other = rows.rows.updateValue(row, forKey: newKey) { rows.gone.append(other) }
    }
  }

  /// Notes tables that come and go; a DROP tells no rows.
  mutating func note(_ kind: StatementText.Kind, in database: Int) {
    switch kind {
    case .create("TABLE", let name):
      let table = StoryTable(database: database, name: name)
      open(table)
      if tables[table]?.fate != .created { tables[table]?.fate = .created }
    case .drop("TABLE", let name):
      let table = StoryTable(database: database, name: name)
      open(table)
      let isOwn = tables[table]?.fate == .created
      tables[table] = nil
      if isOwn { order.removeAll { $0 == table } } else { tables[table] = Rows(fate: .dropped) }
    default: break
    }
  }

  mutating func count(unkept: Int, of table: StoryTable) {
    open(table)
    tables[table]?.unkept += unkept
  }

  private mutating func open(_ table: StoryTable) {
    guard tables[table] == nil else { return }
    order.append(table)
    tables[table] = Rows()
  }

  private mutating func newRow(old: [DatabaseValue?]?) -> Row {
    count += 1
    return Row(place: count, row: ChangedRow(old: old))
  }

  // MARK: - The summary

  enum Details {
    case none
    case notes
    case all
  }

  func summary(naming databases: [StoryDatabase], details: Details = .notes) -> ChangeSummary {
    var summary = ChangeSummary()
    for table in order {
      guard let rows = tables[table] else { continue }
      var told = ChangeSummary.Table(table: table, columns: rows.columns)
      (told.fate, told.unkept, told.hasRowid) = (rows.fate, rows.unkept, rows.hasRowid ?? true)
      let all = (Array(rows.rows.values) + rows.gone).sorted { $0.place < $1.place }.map(\.row)
      let changed = all.filter(\.isChanged)
      told.group(changed)
      if details == .all { told.marked = changed.prefix(Self.mostMarked).map(MarkedRow.init) }
      if details != .none { told.columnNotes = columnNotes(of: changed, columns: rows.columns) }
      if !changed.isEmpty || told.fate != .kept || told.unkept > 0 { summary.tables.append(told) }
    }
    summary.sentence = summary.sentence(naming: databases)
    return summary
  }
}

extension NetChanges.Row {
  fileprivate func note(new: [DatabaseValue?]?, key: Int64?, step: Int) {
    row.new = new
    row.key = key ?? row.key
    guard row.steps.last != step else { return }
    // The first ones and the last stay.
    if row.steps.count == NetChanges.mostSteps { row.steps.removeLast() }
    row.steps.append(step)
  }
}

extension ChangedRow {
  /// True when the row ended otherwise than it began, or may have.
  fileprivate var isChanged: Bool {
    guard let old, let new else { return old != nil || new != nil }
    return old.count != new.count || !changedColumns.isEmpty || old.isEmpty
  }

  /// The columns whose values differ, or may differ.
  fileprivate var changedColumns: [Int] {
    guard let old, let new else { return [] }
    return new.indices.filter { column in
      guard column < old.count, let before = old[column], let after = new[column] else { return true }
      return before != after
    }
  }
}

extension ChangeSummary.Table {
  private static let mostRows = 50

  fileprivate mutating func group(_ rows: [ChangedRow]) {
    var places: [LikeChange: Int] = [:]
    for row in rows {
      let change = LikeChange(row.operation, columns: row.changedColumns)
      switch change.operation {
      case .insert: added += 1
      case .delete: removed += 1
      case .update: changed += 1
      }
      let place = places[change] ?? groups.count
      if place == groups.count {
        places[change] = place
        groups.append(LikeChanges(change))
      }
      groups[place].count += 1
      if groups[place].rows.count < Self.mostRows { groups[place].rows.append(row) }
    }
    groups.sort { $0.rank < $1.rank }
  }
}

extension LikeChanges {
  /// The few before the many.
  var rank: (Int, Int) {
    switch change.operation {
    case .insert: (count, 0)
    case .delete: (count, 1)
    case .update: (count, 2)
    }
  }
}
