import Collector
import ExhibitSQLite
import ReportInspection

/// What is kept of a story for output: a report can have hundreds of stories.
package enum StoryBudget {
  package static let shownSteps = 100
  /// The last ones of the others, which have a line.
  package static let listedSteps = 500
  package static let leftOutStatements = 200
  package static let toldSteps = 200
  /// Of all steps together, those before the failure first.
  static let rows = Rows(changes: 100, results: 200)
  /// Of each step that a finding or Why names.
  static let rowsOfNamedStep = Rows(changes: rowsOfTable, results: resultsOfStep)
  /// Of one step.
  package static let rowsOfTable = 12
  static let resultsOfStep = 10
  package static let columnsOfResult = 16
  package static let rowsOfGroup = 5

  struct Rows {
    var changes: Int
    var results: Int
  }
}

extension Story {
  /// Cuts the story to what outputs show; what goes is counted.
  ///
  /// Steps with a value of the message keep all rows.
  package mutating func cut(showing shown: Set<Int>) {
    self.shown = shown
    let told = shown.union(stepNumbers.suffix(StoryBudget.toldSteps))
    let kept = Set(valuePlaces.compactMap(\.place.step))
    let named = stepsOfFindings.union(explanations.flatMap(\.steps))
    var room = StoryBudget.rows
    var texts = SharedTexts()
    changeSteps { step in
      if !kept.contains(step.number) {
        var own = StoryBudget.rowsOfNamedStep
        if named.contains(step.number) { step.take(from: &own) } else { step.take(from: &room) }
      }
      if !shown.contains(step.number) {
        step.results = []
        step.commit?.statements = []
      }
      guard told.contains(step.number) else {
        (step.changes, step.consequences) = ([], [])
        return
      }
      step.results = step.results.prefix(StoryBudget.resultsOfStep).map { $0.map { texts.shared($0) } }
      for index in step.changes.indices { step.changes[index].share(&texts) }
      for index in step.consequences.indices { step.consequences[index].share(&texts) }
    }
    for table in changes.tables.indices {
      for group in changes.tables[table].groups.indices {
        changes.tables[table].groups[group].rows = changes.tables[table].groups[group].rows
          .prefix(StoryBudget.rowsOfGroup).map { row in
            var row = row
            (row.old, row.new) = (row.old?.map { texts.shared($0) }, row.new?.map { texts.shared($0) })
            return row
          }
      }
    }
  }
}

private struct SharedTexts {
  private var known: [String: String] = [:]

  mutating func shared(_ value: DatabaseValue?) -> DatabaseValue? {
    guard case .text(let text, let whole) = value, text.utf8.count > 15 else { return value }
    if let known = known[text] { return .text(known, whole: whole) }
    known[text] = text
    return value
  }
}

extension StoryStep {
  fileprivate mutating func take(from room: inout StoryBudget.Rows) {
    if results.count > room.results { results = Array(results.prefix(room.results)) }
    room.results -= results.count
    for index in changes.indices { changes[index].take(from: &room) }
    for index in consequences.indices { consequences[index].take(from: &room) }
  }
}

extension StoryTableChanges {
  fileprivate mutating func take(from room: inout StoryBudget.Rows) {
    if changes.count > room.changes {
      omitted += changes.count - room.changes
      changes = Array(changes.prefix(room.changes))
    }
    room.changes -= changes.count
  }

  fileprivate mutating func share(_ texts: inout SharedTexts) {
    for index in changes.indices {
      changes[index].old = changes[index].old.map { texts.shared($0) }
      changes[index].new = changes[index].new.map { texts.shared($0) }
    }
  }
}
