package import ExhibitSQLite
import ReportInspection
package import ReportPlaces

/// The steps that wrote one row, newest first, back to where it came from.
package struct RowPast: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var step: Int
    package var operation: RowOperation
    /// True when the step took the row away and put it in anew.
    package var isReplacement = false
    /// Behind the step; before it where the step deleted the row.
    var key: RowKey
    /// Before the step, and behind it; empty where there was no row.
    package var old: [DatabaseValue?]
    package var new: [DatabaseValue?]
    /// 0 for the statement itself, more for a trigger or cascade.
    package var depth: Int
    package var place: Place?
  }

  package enum Origin: Sendable, Equatable {
    case insertedBy(step: Int)
    case before(firstStep: Int)
    case bound(StateBound)
    /// No step wrote such a row, and there was none.
    case nowhere
  }

  /// The first deleted the row where it is gone.
  package var entries: [Entry] = []
  package var omitted = 0
  package var origin: Origin
}

extension RowPast.Origin {
  /// Without values of the database.
  package var sentence: String {
    switch self {
    case .insertedBy(let step): "Step \(step) inserted the row."
    case .before(let first): "The row was there before step \(first), the first that is told."
    case .bound(let bound): Self.untold(bound.sentence)
    case .nowhere: "No step wrote a row with that key, and there was none."
    }
  }

  package static func untold(_ reason: String) -> String { "What was before is not told. \(reason)" }
}

/// Follows one row back through the events of its table.
struct RowPastSearch {
  private static let mostEntries = 1000

  private var past = RowPast(origin: .nowhere)
  private var key: RowKey
  /// The step that inserted the row as it was last seen.
  private var inserted: RowPast.Entry?

  /// - Parameters:
  ///   - key: As the row has it in the view.
  ///   - events: Those that the view shows.
  ///   - unseenBefore: The step before which somebody unseen wrote.
  ///   - isThere: True when the table has the row where no event says so.
  static func past(
    of key: RowKey, _ events: [TableEvent], unseenBefore: Int?, firstStep: Int, isThere: () -> Bool
  ) -> RowPast {
    var search = RowPastSearch(key: key)
    for event in events.reversed() {
      if let unseenBefore, event.step < unseenBefore {
        search.end(.bound(.unseen(after: unseenBefore)))
        return search.past
      }
      if search.follow(event) { return search.past }
    }
    if search.inserted != nil {
      search.end(nil)
    } else {
      search.end(search.past.entries.isEmpty && !isThere() ? .nowhere : .before(firstStep: firstStep))
    }
    return search.past
  }

  private init(key: RowKey) { self.key = key }

  /// - Returns: True when the past ends there.
  private mutating func follow(_ event: TableEvent) -> Bool {
    if let inserted, event.step != inserted.step {
      end(nil)
      return true
    }
    switch event.kind {
    case .barrier(let bound): end(.bound(bound))
    case .dropped(let bound), .made(let bound?): end(.bound(bound))
    // No step inserted it into a table that had none.
    case .made: end(past.entries.isEmpty ? .nowhere : .bound(.unseen(after: event.step)))
    case .row(let change):
      follow(change, event.step)
      return false
    }
    return true
  }

  private mutating func follow(_ change: TableEvent.RowChange, _ step: Int) {
    func entry(_ operation: RowOperation, _ key: RowKey) -> RowPast.Entry {
      .init(step: step, operation: operation, key: key, old: change.old, new: change.new, depth: change.depth)
    }
    switch (change.before, change.after) {
    case (nil, let after?) where after == key && inserted == nil: inserted = entry(.insert, after)
    case (let before?, nil) where before == key:
      if let inserted, inserted.step == step {
        // REPLACE tells the row that goes, then the one that comes.
        var replaced = inserted
        (replaced.operation, replaced.isReplacement, replaced.old) = (.update, true, change.old)
        self.inserted = nil
        add(replaced)
      } else if past.entries.isEmpty {
        add(entry(.delete, before))
      }
    case (let before?, let after?) where after == key && inserted == nil:
      key = before
      add(entry(.update, after))
    // Another row has its key no more.
    case (let before?, let after?) where before == key && past.entries.isEmpty && inserted == nil:
      add(entry(.update, after))
    default: break
    }
  }

  private mutating func add(_ entry: RowPast.Entry) {
    if past.entries.count < Self.mostEntries { past.entries.append(entry) } else { past.omitted += 1 }
  }

  private mutating func end(_ origin: RowPast.Origin?) {
    if let inserted {
      add(inserted)
      past.origin = .insertedBy(step: inserted.step)
    } else {
      past.origin = origin ?? .nowhere
    }
  }
}
