import Collector
import ReportModel

/// Groups a story's steps by transaction, and knows which steps stand.
struct StoryTransactions {
  struct Group {
    var state: StoryGroup.State
    var connection: Int
    var steps: [Int] = []
    /// The step that ended it, or stood before its connection was closed; `max` while it is open.
    var end = Int.max
    /// True when it was open before the first step that is told.
    var beganBefore = false
    /// The step at which it turned out to have ended, nobody told how.
    var lostAt: Int?
  }

  private struct Open {
    var group: Int
    /// Steps that no ROLLBACK TO took back.
    var standing: [Int] = []
    /// With the number of steps that stood then, the SAVEPOINT itself included.
    private var savepoints: [(name: String, standing: Int)] = []
    /// By name, the innermost last: a transaction may have thousands.
    private var places: [String: [Int]] = [:]

    init(group: Int) { self.group = group }

    mutating func save(_ name: String) {
      places[name, default: []].append(savepoints.count)
      savepoints.append((name, standing.count))
    }

    mutating func release(_ name: String) {
      if let place = places[name]?.last { forget(from: place) }
    }

    /// - Returns: The steps that are taken back: all where the savepoint is older than the first step.
    mutating func rollBack(to name: String, beganBefore: Bool) -> [Int] {
      guard let place = places[name]?.last else {
        guard beganBefore else { return [] }
        defer { self = Open(group: group) }
        return standing
      }
      forget(from: place + 1)
      let taken = Array(standing[savepoints[place].standing...])
      standing.removeLast(taken.count)
      return taken
    }

    private mutating func forget(from place: Int) {
      for savepoint in savepoints[place...] { places[savepoint.name]?.removeLast() }
      savepoints.removeSubrange(place...)
    }
  }

  private(set) var groups: [Group] = []
  /// By place; absent where the step stands.
  private(set) var undone: [Int: StoryStep.Undone] = [:]
  private(set) var groupOfStep: [Int: Int] = [:]
  /// By place: the ROLLBACK TO that took the step back.
  private(set) var takenBackAt: [Int: Int] = [:]
  private var open: [Int: Open] = [:]

  init(_ steps: [RecordedStory.Step], _ texts: [StatementText], closed: [RecordedStory.Closed]) {
    var closings = closed.sorted { $0.after < $1.after }[...]
    for place in steps.indices {
      while let next = closings.first, next.after < steps[place].number {
        close(closings.removeFirst())
      }
      add(steps[place], at: place, texts[place])
    }
    for closing in closings { close(closing) }
  }

  func transaction(ofStepAt place: Int) -> Int? {
    groupOfStep[place].flatMap { groups[$0].state == .single ? nil : $0 }
  }

  func end(ofStepAt place: Int) -> Int? { transaction(ofStepAt: place).map { groups[$0].end } }

  private mutating func close(_ closing: RecordedStory.Closed) {
    guard let open = open.removeValue(forKey: closing.connection) else { return }
    // Before whatever follows.
    groups[open.group].end = closing.after + 1
    rollBack(open.group)
  }

  private mutating func add(_ step: RecordedStory.Step, at place: Int, _ text: StatementText) {
    let isFailed = step.error != nil
    if step.fails { undone[place] = .failed }
    guard step.wasInTransaction || step.isInTransaction else {
      // Its transaction ended, and nobody told how.
      if let lost = open.removeValue(forKey: step.connection) { groups[lost.group].lostAt = step.number }
      addSingle(step, at: place)
      return
    }
    // Taken out, so that it changes in place.
    var current = open.removeValue(forKey: step.connection) ?? begin(step)
    groups[current.group].steps.append(place)
    groupOfStep[place] = current.group
    guard step.isInTransaction else {
      groups[current.group].end = step.number
      if isFailed || text.kind == .rollback {
        rollBack(current.group)
      } else {
        groups[current.group].state = .committed
      }
      return
    }
    if !isFailed, case .rollbackTo(let name) = text.kind {
      let beganBefore = groups[current.group].beganBefore
      for taken in current.rollBack(to: name, beganBefore: beganBefore) where undone[taken] == nil {
        undone[taken] = .rolledBackTo(name)
        takenBackAt[taken] = step.number
      }
    }
    current.standing.append(place)
    switch text.kind {
    case .savepoint(let name) where !isFailed: current.save(name)
    case .release(let name) where !isFailed: current.release(name)
    default: break
    }
    open[step.connection] = current
  }

  private mutating func begin(_ step: RecordedStory.Step) -> Open {
    groups.append(Group(state: .open, connection: step.connection, beganBefore: step.wasInTransaction))
    return Open(group: groups.count - 1)
  }

  private mutating func addSingle(_ step: RecordedStory.Step, at place: Int) {
    if groups.last?.state != .single || groups.last?.connection != step.connection {
      groups.append(Group(state: .single, connection: step.connection))
    }
    groups[groups.count - 1].steps.append(place)
    groupOfStep[place] = groups.count - 1
  }

  private mutating func rollBack(_ group: Int) {
    groups[group].state = .rolledBack
    for place in groups[group].steps where undone[place] == nil { undone[place] = .rolledBack }
  }
}

extension RecordedStory.Step {
  /// True when it failed and SQLite took all its changes back.
  ///
  /// `sqlite3_changes` counts the rows that `OR FAIL` leaves, and 0 after a statement that was taken back.
  var fails: Bool { error != nil && changed ?? 0 == 0 && !leavesTriggersChanges }

  /// True for an `OR FAIL` whose triggers had written before its first row failed: such writes stay, and are not
  /// counted.
  private var leavesTriggersChanges: Bool {
    guard let code = error?.code, code & 0xFF == 19, code != 787, changes.contains(where: { $0.depth > 0 })
    else { return false }
    return StatementText(sql).keepsRowsOfFailure
  }

  /// Rows that it changed itself; SQLite counts none where a RETURNING was not read to its end.
  var changedRows: Int? { changed.map { max($0, changes.count { $0.depth == 0 }) } }

  /// True when all rows that it changed are told.
  package var tellsRows: Bool {
    untold == nil && unkept == 0 && changed ?? 0 <= changes.count { $0.depth == 0 }
  }

  /// True when it changed rows that are not told.
  var lacksRows: Bool { untold != nil && (changed ?? 0 > 0 || !changes.isEmpty) }
}
