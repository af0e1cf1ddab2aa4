import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Changed rows of one table as they are shown: old and new values side by side, unlike ones before alike ones.
struct StoryRows {
  struct Row {
    var operation: RowOperation
    var key: Int64?
    var cells: [Cell]
  }

  struct Cell {
    /// `nil` where it was not told.
    var value: DatabaseValue?
    /// The former value, where it changed.
    var before: DatabaseValue?
    var hasChanged = false
    /// The indices of the message's values that it holds: as it is, and as it was.
    var met: [Int] = []
    var metBefore: [Int] = []
    /// What it means, if that is known, and what its former value meant.
    var meaning: String?
    var meaningBefore: String?
  }

  /// The names of the columns that are shown.
  var columns: [String]
  /// True when rows are told apart by a rowid that no column shows.
  var showsKey: Bool
  var rows: [Row]
  /// The sentence on what is not shown.
  var note: String?

  /// One row, before and after.
  struct Source {
    var key: Int64?
    var old: [DatabaseValue?]?
    var new: [DatabaseValue?]?
    /// The column that was written through a blob handle, whose new value is not told.
    var blobColumn: Int?
    var operation: RowOperation { RowOperation(from: old, to: new) }

    /// The columns whose values differ.
    var changed: [Int] {
      guard let old, let new else { return [] }
      return zip(old, new).enumerated().compactMap { index, pair in
        pair.0 != pair.1 || index == blobColumn ? index : nil
      }
    }
  }

  struct Limits {
    /// Rows that are shown where there are no more.
    var rows = StoryBudget.rowsOfTable
    /// Rows of each kind that are shown where there are more.
    var alike = 3
    /// All that are shown of many kinds.
    var most = 36
    var columns = 12
    /// The file that has what is not shown; `nil` where there is none.
    var record: String?

    /// The end of a sentence that says where to see what is not shown.
    fileprivate var ending: String { record.map { ": see \($0)." } ?? "." }
  }

  /// - Parameters:
  ///   - more: The number of rows beyond these.
  ///   - met: The message's values in a cell, by the row's key, the column's name, and whether it is the new one.
  init(
    _ sources: [Source], columns names: [String], more: Int, limits: Limits,
    met: (Int64?, String, Bool) -> [Int] = { _, _, _ in [] }
  ) {
    let shown = Self.unlikeFirst(sources, more: more, limits)
    let told = sources.contains { $0.old?.isEmpty == false || $0.new?.isEmpty == false }
    let (chosen, columnsNote) = Self.columns(of: shown, count: told ? names.count : 0, limits)
    let indices = Self.ordered(chosen, of: shown)
    columns = indices.map { names[$0] }
    showsKey = shown.contains { source in
      guard let key = source.key else { return false }
      return !(source.new ?? source.old ?? []).contains(.integer(key))
    }
    rows = shown.map { source in
      let changed = Set(source.changed)
      return Row(
        operation: source.operation, key: source.key,
        cells: indices.map { index in
          let row = source.new ?? source.old ?? []
          let hasChanged = changed.contains(index)
          return Cell(
            value: index == source.blobColumn || !row.indices.contains(index) ? nil : row[index],
            before: hasChanged ? source.old.flatMap { $0.indices.contains(index) ? $0[index] : nil } : nil,
            hasChanged: hasChanged, met: met(source.key, names[index], source.new != nil),
            metBefore: hasChanged ? met(source.key, names[index], false) : [])
        })
    }
    let rest = sources.count - shown.count + more
    let rowsNote = rest > 0 ? "\(counted(rest, "more row")) of these kinds\(limits.ending)" : nil
    note = joined([rowsNote, columnsNote], by: " ")
  }

  /// The first rows of every kind of change, the rare kinds first; no kind is left out as long as there is room.
  private static func unlikeFirst(_ sources: [Source], more: Int, _ limits: Limits) -> [Source] {
    guard sources.count + more > limits.rows else { return sources }
    let groups = Dictionary(grouping: sources.indices) {
      LikeChange(sources[$0].operation, columns: sources[$0].changed)
    }
    .values.sorted { ($0.count, $0[0]) < ($1.count, $1[0]) }
    var (chosen, round): ([Int], Int) = ([], 0)
    while round < limits.alike {
      for group in groups where round < group.count && chosen.count < limits.most {
        chosen.append(group[round])
      }
      round += 1
    }
    let order = groups.flatMap { $0 }
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    return chosen.sorted { (places[$0] ?? 0) < (places[$1] ?? 0) }.map { sources[$0] }
  }

  /// Columns as they are shown: those that are the rows' number, those that changed, and the others.
  private static func ordered(_ columns: [Int], of sources: [Source]) -> [Int] {
    let key = columns.indices.filter { place in
      sources.allSatisfy { source in
        let row = source.new ?? source.old ?? []
        guard let key = source.key, row.indices.contains(columns[place]) else { return false }
        return row[columns[place]] == .integer(key)
      }
    }
    let changed = Set(sources.flatMap(\.changed))
    let order = columnOrder(
      count: columns.count, key: Set(key),
      changed: Set(columns.indices.filter { changed.contains(columns[$0]) }))
    return order.map { columns[$0] }
  }

  /// The columns that changed in a row and the first of the others, in the table's order.
  private static func columns(of sources: [Source], count: Int, _ limits: Limits) -> ([Int], String?) {
    let limit = limits.columns
    guard count > limit else { return (Array(0..<count), nil) }
    let changed = Set(sources.flatMap(\.changed)).sorted().filter { $0 < count }
    let shown = Set(
      changed.prefix(2 * limit)
        + (0..<count).filter { !changed.contains($0) }.prefix(max(1, limit - changed.count)))
    let lost = changed.count - changed.prefix(2 * limit).count
    let more = lost > 0 ? " \(counted(lost, "more column")) changed\(limits.ending)" : ""
    return (
      shown.sorted(),
      "\(grouped(shown.count)) of \(counted(count, "column")): those that changed, and the first of the others.\(more)"
    )
  }
}

extension StoryRows {
  /// The rows that one step changed in one table.
  init(_ changes: StoryTableChanges, of step: Int, marks: StoryValueMarks, limits: Limits) {
    let sources = changes.changes.map { change in
      Source(
        key: change.newKey ?? change.key,
        old: change.operation == .insert ? nil : change.old,
        new: change.operation == .delete ? nil : change.new,
        blobColumn: change.blobColumn)
    }
    self.init(sources, columns: changes.columns, more: changes.omitted, limits: limits) {
      key, column, isNew in
      marks.values(inStep: step, changes.table, key, column, isNew: isNew)
    }
  }

  /// The rows to which the same happened: all that are kept of them.
  init(
    _ group: LikeChanges, of table: ChangeSummary.Table, marks: StoryValueMarks, limits: Limits
  ) {
    var limits = limits
    (limits.rows, limits.alike) = (group.rows.count, group.rows.count)
    let steps = Dictionary(group.rows.map { ($0.key, $0.steps) }, uniquingKeysWith: { first, _ in first })
    self.init(
      group.rows.map { Source(key: $0.key, old: $0.old, new: $0.new) }, columns: table.columns,
      more: group.count - group.rows.count, limits: limits
    ) { key, column, isNew in
      marks.values(ofRowWrittenIn: steps[key] ?? [], table.table, key, column, isNew: isNew)
    }
    if !table.hasRowid { showsKey = false }
    for row in rows.indices {
      for index in rows[row].cells.indices {
        let cell = rows[row].cells[index]
        rows[row].cells[index].met = marks.met(cell.met, by: cell.value)
        rows[row].cells[index].metBefore = marks.met(cell.metBefore, by: cell.before)
      }
    }
  }
}

extension StoryRows {
  /// The same rows, whose values are explained.
  func explained(by reading: ValueReading?, in table: String) -> StoryRows {
    guard let reading else { return self }
    var explained = self
    for row in rows.indices {
      for (column, name) in zip(rows[row].cells.indices, columns) {
        let cell = rows[row].cells[column]
        func meaning(_ value: DatabaseValue?) -> String? {
          value.flatMap { reading.note(on: $0, column: name, of: table) }
        }
        explained.rows[row].cells[column].meaning = meaning(cell.value)
        explained.rows[row].cells[column].meaningBefore = meaning(cell.before)
      }
    }
    return explained
  }
}

extension Story {
  /// The rows that one step changed in one table, whose values are explained.
  func rows(
    _ changes: StoryTableChanges, of step: Int, marks: StoryValueMarks, limits: StoryRows.Limits
  ) -> StoryRows {
    StoryRows(changes, of: step, marks: marks, limits: limits)
      .explained(by: databases[safe: changes.table.database]?.reading, in: changes.table.name)
  }

  /// The rows to which the same happened, whose values are explained.
  func rows(
    _ group: LikeChanges, of table: ChangeSummary.Table, marks: StoryValueMarks, limits: StoryRows.Limits
  ) -> StoryRows {
    StoryRows(group, of: table, marks: marks, limits: limits)
      .explained(by: databases[safe: table.table.database]?.reading, in: table.table.name)
  }
}
