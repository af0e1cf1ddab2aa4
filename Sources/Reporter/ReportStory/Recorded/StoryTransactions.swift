import Collector
import ReportModel

/// The grouping of a story's steps into transactions, and which of the steps stand.
struct StoryTransactions {
  struct Group {
    var state: StoryGroup.State
    var connection: Int
    /// The indices of its steps in the list.
    var steps: [Int] = []
    /// The number of the step that ended it, or what stands between two of them where its connection was closed;
    /// `max` while it is open.
    var end = Int.max
    /// True when it was open before the first step of its connection that is told.
    var beganBefore = false
    /// The step at which its connection is outside of it, where how it ended was not told.
    var lostAt: Int?
  }

  private struct Open {
    var group: Int
    /// Places of the steps that no ROLLBACK TO took back.
    var standing: [Int] = []
    /// The savepoints, each with the number of steps that stood then, the SAVEPOINT itself included.
    private var savepoints: [(name: String, standing: Int)] = []
    /// The indices of the savepoints of a name, the innermost last: a transaction may have thousands.
    private var places: [String: [Int]] = [:]

    init(group: Int) { self.group = group }

    mutating func save(_ name: String) {
      places[name, default: []].append(savepoints.count)
      savepoints.append((name, standing.count))
    }

    mutating func release(_ name: String) {
      if let place = places[name]?.last { forget(from: place) }
    }

    /// - Returns: Places of the steps that are taken back; the savepoint stays. All of them where it was made before
    ///   the first step that is told.
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

  /// In the order of their first steps.
  private(set) var groups: [Group] = []
  /// By place of a step; absent where it stands.
  private(set) var undone: [Int: StoryStep.Undone] = [:]
  /// By place of a step: the index of its group.
  private(set) var groupOfStep: [Int: Int] = [:]
  /// By place of a step that a ROLLBACK TO took back: the number of that.
  private(set) var takenBackAt: [Int: Int] = [:]
  private var open: [Int: Open] = [:]

  /// - Parameters:
  ///   - steps: In the order of their numbers.
  ///   - closed: Connections with the last step before they were closed.
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

  /// The group that is the transaction of a step; `nil` where it was in none.
  func transaction(ofStepAt place: Int) -> Int? {
    groupOfStep[place].flatMap { groups[$0].state == .single ? nil : $0 }
  }

  /// The number of the step that ended the transaction of a step; `nil` where it was in none.
  func end(ofStepAt place: Int) -> Int? { transaction(ofStepAt: place).map { groups[$0].end } }

  private mutating func close(_ closing: RecordedStory.Closed) {
    guard let open = open.removeValue(forKey: closing.connection) else { return }
    // Before whatever follows the step behind which it was closed.
    groups[open.group].end = closing.after + 1
    rollBack(open.group)
  }

  private mutating func add(_ step: RecordedStory.Step, at place: Int, _ text: StatementText) {
    let isFailed = step.error != nil
    if step.fails { undone[place] = .failed }
    guard step.wasInTransaction || step.isInTransaction else {
      // That its transaction ended was not told.
      if let lost = open.removeValue(forKey: step.connection) { groups[lost.group].lostAt = step.number }
      addSingle(step, at: place)
      return
    }
    // Taken out, so that it changes in place: it may have thousands of steps.
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
  /// True when it failed and all its changes were taken back.
  ///
  /// The rows that `OR FAIL` leaves are counted by `sqlite3_changes`, which is 0 after a statement that was taken back.
  var fails: Bool { error != nil && changed ?? 0 == 0 && !leavesTriggersChanges }

  /// True when it is an `OR FAIL` whose triggers had written before its own first row failed.
  ///
  /// Such writes are not counted, and stay; a violated foreign key takes them back all the same.
  private var leavesTriggersChanges: Bool {
    guard let code = error?.code, code & 0xFF == 19, code != 787, changes.contains(where: { $0.depth > 0 })
    else { return false }
    return StatementText(sql).keepsRowsOfFailure
  }

  /// The rows that it changed itself; SQLite counts none where a RETURNING was not read to its end.
  var changedRows: Int? { changed.map { max($0, changes.count { $0.depth == 0 }) } }

  /// True when all rows that it changed are told, as far as SQLite's count of them knows.
  package var tellsRows: Bool {
    untold == nil && unkept == 0 && changed ?? 0 <= changes.count { $0.depth == 0 }
  }

  /// True when it changed rows that are not told.
  var lacksRows: Bool { untold != nil && (changed ?? 0 > 0 || !changes.isEmpty) }
}
