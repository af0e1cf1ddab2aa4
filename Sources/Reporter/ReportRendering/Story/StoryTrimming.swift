import ReportInspection
import ReportStory

/// Makes stories small that wait for their pages: a report may have hundreds of them.
extension Story {
  /// The last steps that report.json tells.
  private static let mostTold = 200
  /// Rows of a result that any output shows.
  private static let mostResults = 10

  /// Rows of a group of like changes that any output shows.
  private static let mostOfGroup = 5

  /// Takes out the rows of steps that no output shows, and keeps equal texts once.
  package mutating func takeLessRoom() {
    let shown = StorySelection.shown(of: self)
    self.shown = shown
    let told = shown.union(steps.suffix(Self.mostTold).map(\.number))
    var texts: [String: String] = [:]
    func value(_ value: Value?) -> Value? {
      guard case .text(let text, let whole) = value, text.utf8.count > 15 else { return value }
      let known = texts[text] ?? text
      if texts[text] == nil { texts[text] = text }
      return .text(known, cutFrom: whole)
    }
    func tables(_ tables: [StoryTableChanges]) -> [StoryTableChanges] {
      tables.map { table in
        var table = table
        for index in table.changes.indices {
          table.changes[index].old = table.changes[index].old.map(value)
          table.changes[index].new = table.changes[index].new.map(value)
        }
        return table
      }
    }
    func smaller(_ step: StoryStep) -> StoryStep {
      var step = step
      if !shown.contains(step.number) {
        step.results = []
        step.commit?.statements = []
      }
      guard told.contains(step.number) else {
        (step.changes, step.consequences) = ([], [])
        return step
      }
      step.results = step.results.prefix(Self.mostResults).map { $0.map(value) }
      (step.changes, step.consequences) = (tables(step.changes), tables(step.consequences))
      return step
    }
    for table in changes.tables.indices {
      for group in changes.tables[table].groups.indices {
        changes.tables[table].groups[group].rows = changes.tables[table].groups[group].rows
          .prefix(Self.mostOfGroup).map { row in
            var row = row
            (row.old, row.new) = (row.old?.map(value), row.new?.map(value))
            return row
          }
      }
    }
    setUp = setUp.map { $0.mapSteps(smaller) }
    items = items.map { $0.mapSteps(smaller) }
    afterFailure = afterFailure.map { $0.mapSteps(smaller) }
  }
}

extension StoryItem {
  fileprivate func mapSteps(_ change: (StoryStep) -> StoryStep) -> StoryItem {
    func groups(_ groups: [StoryGroup]) -> [StoryGroup] { groups.map { $0.mapSteps(change) } }
    switch self {
    case .group(let group): return .group(group.mapSteps(change))
    case .repeated(var repeated):
      (repeated.first, repeated.last) = (groups(repeated.first), groups(repeated.last))
      return .repeated(repeated)
    case .issue: return self
    }
  }
}

extension StoryGroup {
  fileprivate func mapSteps(_ change: (StoryStep) -> StoryStep) -> StoryGroup {
    var group = self
    group.entries = entries.map { entry in
      switch entry {
      case .step(let step): return .step(change(step))
      case .repeated(var repeated):
        (repeated.first, repeated.last) = (repeated.first.map(change), repeated.last.map(change))
        return .repeated(repeated)
      case .issue: return entry
      }
    }
    return group
  }
}
