import Collector
package import ExhibitSQLite
package import ReportInspection
import ReportModel

extension RowKey {
  /// Whole numbers become integers; `nil` where a value is not told whole.
  init?(values: [DatabaseValue?]) {
    var key: [DatabaseValue] = []
    for value in values {
      guard let value, !value.isCut else { return nil }
      if case .real(let number) = value, let integer = Int64(exactly: number) {
        key.append(.integer(integer))
      } else {
        key.append(value)
      }
    }
    self = .values(key)
  }
}

/// Something that happened to a table, or to its whole database.
package struct TableEvent: Sendable {
  package enum Kind: Sendable, Equatable {
    /// Keys are absent on the side where there is no row.
    case row(RowChange)
    /// Its rows went untold.
    case dropped(StateBound)
    /// Empty, or with the reason why its rows are not told.
    case made(StateBound?)
    /// What was before cannot be told from what is behind, nor the other way.
    case barrier(StateBound)
  }

  package struct RowChange: Sendable, Equatable {
    package var before: RowKey?
    package var after: RowKey?
    package var old: [DatabaseValue?]
    package var new: [DatabaseValue?]
    package var depth: Int
  }

  package var place: Int
  package var step: Int
  package var kind: Kind
  /// True when it stands whatever became of its step.
  package var isFixed = false

  var isBarrier: Bool { if case .barrier = kind { true } else { false } }

  var isMade: Bool { if case .made = kind { true } else { false } }

  /// True when nothing before it matters.
  var isFresh: Bool {
    switch kind {
    case .made(nil), .dropped: true
    case .row, .made, .barrier: false
    }
  }
}

/// The events of one table.
package struct TableTimeline: Sendable {
  package let name: String
  let layout: CapturedSchema.Table?
  /// Column names where no captured table has them.
  private let names: [String]?
  package var events: [TableEvent] = []
  /// Before it somebody unseen wrote; `max` where nothing is told.
  package var unseenBefore: Int?

  init(_ name: String, _ layout: CapturedSchema.Table?, names: [String]? = nil) {
    (self.name, self.layout, self.names) = (name, layout, names)
  }

  package var isCaptured: Bool { layout != nil }

  package var hasRowid: Bool { layout?.hasRowid != false }

  /// True when the rows have a rowid that no column shows.
  var showsKey: Bool { layout?.hasOwnRowid == true }

  /// True when the captured file or a step has the table.
  var isKnown: Bool { isCaptured || !events.allSatisfy(\.isBarrier) }

  /// The reason for no state, whatever the step.
  package var bound: StateBound? {
    if layout?.isVirtual == true { return .isVirtual }
    return name.isOfSQLite ? .isOfSQLite : nil
  }

  /// In the order of the values of events.
  package var columns: [String] {
    let rows = events.lazy.compactMap { event -> Int? in
      if case .row(let change) = event.kind { max(change.old.count, change.new.count) } else { nil }
    }
    return columns(count: rows.first)
  }

  /// Numbers where nothing tells their names.
  func columns(count: Int?) -> [String] {
    names ?? layout?.stored.map(\.name) ?? (0..<(count ?? 0)).map { "column \($0 + 1)" }
  }

  func merged(with whole: [TableEvent]) -> TableTimeline {
    var (all, next): ([TableEvent], Int) = ([], 0)
    for event in events {
      while next < whole.count, whole[next].place <= event.place {
        all.append(whole[next])
        next += 1
      }
      all.append(event)
    }
    var merged = self
    merged.events = all + whole[next...]
    return merged
  }

  // MARK: - Making

  mutating func add(_ change: RecordedStory.Change, place: Int, step: Int) {
    func barrier(_ bound: StateBound) {
      events.append(.init(place: place, step: step, kind: .barrier(bound)))
    }
    var (old, new) = (change.old, change.new)
    let (hasOld, hasNew) = (change.operation != .insert, change.operation != .delete)
    let width = hasOld ? old.count : new.count
    if hasOld, hasNew, old.count != new.count { return barrier(.otherColumns(step: step)) }
    if let table = layout {
      guard [table.stored.count, table.columns.count].contains(width) else {
        return barrier(.otherColumns(step: step))
      }
      if hasOld { old = table.stored(old) }
      if hasNew { new = table.stored(new) }
    }
    let before = hasOld ? key(of: old, rowid: change.key) : nil
    let after = hasNew ? key(of: new, rowid: change.newKey ?? change.key) : nil
    guard (before != nil) == hasOld, (after != nil) == hasNew else { return barrier(.keyNotTold(step: step)) }
    if layout?.isKeyRowid == true, let column = layout?.key.first {
      // SQLite keeps NULL in the rowid's place.
      if case .rowid(let number)? = before, old[safe: column] == .some(.null) {
        old[column] = .integer(number)
      }
      if case .rowid(let number)? = after, new[safe: column] == .some(.null) {
        new[column] = .integer(number)
      }
    }
    let row = TableEvent.RowChange(
      before: before, after: after, old: hasOld ? old : [], new: hasNew ? new : [], depth: change.depth)
    events.append(.init(place: place, step: step, kind: .row(row)))
  }

  /// FTS5 writes what it had in memory before a statement begins, and that stays when the statement fails.
  ///
  /// - Parameter end: The step that ended the transaction.
  mutating func addModuleWrite(place: Int, failed: Int, until end: Int) {
    guard events.last?.place != place else { return }
    let kind = TableEvent.Kind.barrier(.moduleWrote(step: failed))
    events.append(.init(place: place, step: end, kind: kind, isFixed: true))
  }

  private func key(of row: [DatabaseValue?], rowid: Int64?) -> RowKey? {
    guard let table = layout else { return rowid.map { .rowid($0) } ?? RowKey(values: row) }
    if table.hasRowid { return rowid.map { .rowid($0) } }
    guard !table.key.isEmpty, table.key.allSatisfy(row.indices.contains) else { return nil }
    return RowKey(values: table.key.map { row[$0] })
  }

  /// Events that are searched for an earlier table.
  private static let farthest = 1000

  mutating func add(_ effect: SchemaEffect, place: Int, step: Int, _ visibility: StepVisibility) {
    func add(_ kind: TableEvent.Kind) { events.append(.init(place: place, step: step, kind: kind)) }
    switch effect {
    case .create(let hasRows, let mayExist):
      if mayExist {
        switch wasThere(before: step, visibility) {
        case true?: return
        case nil: return add(.barrier(.mayBeMade(step: step)))
        case false?: break
        }
      }
      add(.made(hasRows ? .made(step: step) : nil))
    case .drop:
      if wasThere(before: step, visibility) == false { return }
      add(.dropped(.dropped(step: step)))
    case .rename(let isNew):
      let bound = StateBound.altered(step: step)
      add(isNew ? .made(bound) : .dropped(bound))
    case .alter: add(.barrier(.altered(step: step)))
    case .vacuum: add(.barrier(.vacuumed(step: step)))
    case .replace: add(.barrier(.replaced(step: step)))
    }
  }

  /// `nil` where the steps before tell nothing.
  private func wasThere(before step: Int, _ visibility: StepVisibility) -> Bool? {
    for event in events.suffix(Self.farthest).reversed()
    where visibility.isVisible(event.place, to: .after(step: step)) {
      switch event.kind {
      case .row, .made: return true
      case .dropped: return false
      case .barrier(.altered), .barrier(.mayBeMade): return true
      case .barrier: continue
      }
    }
    return nil
  }
}

extension CapturedSchema.Table {
  /// Without generated columns.
  fileprivate func stored(_ row: [DatabaseValue?]) -> [DatabaseValue?] {
    guard row.count != stored.count, row.count == columns.count else { return row }
    return zip(row, columns).filter { $1.isStored }.map { $0.0 }
  }
}
