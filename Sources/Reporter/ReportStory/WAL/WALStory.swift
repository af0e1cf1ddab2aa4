import Collector
package import ReportInspection
package import ReportModel

/// Makes a story of the transactions of WALs, where no statement was recorded.
package struct WALStory {
  /// The history of one captured database.
  package struct Part {
    /// As a reader calls the database.
    package var name: String
    /// The original's path.
    package var source: String?
    /// The captured file's path in the report's folder.
    package var evidence: String
    package var history: WALHistory

    package init(name: String, source: String? = nil, evidence: String, history: WALHistory) {
      (self.name, self.source, self.evidence, self.history) = (name, source, evidence, history)
    }
  }

  /// Entries that each part of a story keeps, alike transactions as one: the last ones.
  private static let mostTold = 1000
  /// Transactions whose rows are searched for values of the message: the last ones.
  private static let mostSearched = 300

  private let parts: [Part]
  private let databases: [StoryDatabase]
  private let layouts: StoryLayouts
  private var number = 0

  /// - Parameters:
  ///   - parts: The parts of which any transaction is told.
  ///   - schemas: The schemas of the captured databases.
  package init(_ parts: [Part], schemas: [CapturedSchema]) {
    self.parts = parts
    databases = parts.map { StoryDatabase(name: $0.name, path: $0.source) }
    layouts = StoryLayouts(parts.map(\.source), schemas)
  }

  /// - Parameter issues: The issues of the test.
  package mutating func story(issues: [TestIssue]) -> Story {
    var story = Story(source: .wal, databases: databases)
    story.advice = "EXHIBIT_TRACE=all, which is the default, records the statements of a test."
    story.hasBaseline = parts.allSatisfy { $0.history.before != nil }
    var recorded: [RecordedStory.Step] = []
    for (database, part) in parts.enumerated() {
      let history = part.history
      let told = Self.told(history)
      let steps = told.map { step($0, database) }
      story.stepCount += part.history.count
      let before = part.history.before ?? 0
      let split = told.firstIndex { $0.number > before }.map { $0 - told.startIndex } ?? steps.count
      let (setUp, own) = (entries(steps[..<split]), entries(steps[split...]))
      let omitted = history.transactions.count - told.count + setUp.omitted + own.omitted
      story.setUp += items(setUp.entries, database)
      story.items += items(own.entries, database)
      story.changes.tables += summary(part.history.net, database).tables
      story.notices += notices(part, omitted: omitted)
      if let last = told.last, last.number > before, let step = steps.last {
        let summary = summary(last, database)
        story.ending.append(
          StoryEnding(committed: summary, text: last.text(summary.sentence), step: step.number))
        var changes = summary
        changes.keepRows(StoryHighlight.mostRows(ofGroups: summary.tables.reduce(0) { $0 + $1.groups.count }))
        story.highlights.append(
          StoryHighlight(
            kind: .wrote, first: step.number, last: step.number, state: .inWAL, connection: 0,
            changes: changes))
      }
      recorded += steps[split...].suffix(Self.mostSearched).map { RecordedStory.Step($0) }
    }
    story.changes.sentence = story.changes.sentence(naming: databases)
    findValues(in: recorded, issues, &story)
    return story
  }

  /// The transactions that are steps of the story.
  package static func told(_ history: WALHistory) -> ArraySlice<WALHistory.Transaction> {
    history.transactions.suffix(WALHistoryLimits.mostSteps)
  }

  private mutating func step(_ transaction: WALHistory.Transaction, _ database: Int) -> StoryStep {
    number += 1
    return StoryStep(
      transaction, number: number, database: database, naming: databases, layouts)
  }

  private func summary(_ transaction: WALHistory.Transaction, _ database: Int) -> ChangeSummary {
    ChangeSummary(transaction, of: database, naming: databases, layouts)
  }

  /// - Returns: The last ones, and how many transactions the others are.
  private func entries(_ steps: ArraySlice<StoryStep>) -> (entries: [StoryEntry], omitted: Int) {
    let all = StoryEntry.folded(Array(steps))
    return (all.suffix(Self.mostTold), all.dropLast(Self.mostTold).reduce(0) { $0 + $1.times })
  }

  private func items(_ entries: [StoryEntry], _ database: Int) -> [StoryItem] {
    guard !entries.isEmpty else { return [] }
    return [.group(StoryGroup(state: .inWAL, connection: 0, database: database, entries: entries))]
  }

  private func findValues(
    in steps: [RecordedStory.Step], _ issues: [TestIssue], _ story: inout Story
  ) {
    guard let failed = issues.first(where: \.isFailure) else { return }
    let values = MessageValue.all(in: failed.message)
    guard !values.isEmpty, !steps.isEmpty else { return }
    var columns: [Int: [String: (StoryTable, [String])]] = [:]
    for step in story.steps {
      for table in step.changes {
        columns[step.number, default: [:]][table.table.name] = (table.table, table.columns)
      }
    }
    var search = MessageValueSearch(values)
    search.look(at: steps.map { ($0, false) }, recent: steps.last.map { [$0.number] }) {
      [layouts] change, step in
      columns[step.number]?[change.table].map {
        .init(table: $0.0, change: change, columns: $0.1, keys: layouts.keyColumns(of: $0.0))
      }
    }
    (story.messageValues, story.valuePlaces) = search.result
  }

  private func notices(_ part: Part, omitted: Int) -> [String] {
    let history = part.history
    let name = parts.count == 1 ? "" : "\(part.name): "
    var notices = history.problems
    if omitted > 0 {
      notices.append(
        "\(counted(omitted, "earlier transaction")) of the WAL \(omitted == 1 ? "is" : "are") not told one by one; the changes in all have them."
      )
    }
    if history.withoutRows > 0 {
      notices.append("Of \(counted(history.withoutRows, "transaction")) only counts are kept, and no rows.")
    }
    if history.uncommittedFrames > 0 {
      notices.append(
        "The WAL also holds \(counted(history.uncommittedFrames, "page")) of a transaction that was not committed."
      )
    }
    if let contradiction = history.contradiction { notices.append(contradiction) }
    return notices.map { name + $0 }
  }
}

extension StoryEntry {
  /// The number of statements or transactions that it stands for.
  fileprivate var times: Int {
    switch self {
    case .step: 1
    case .repeated(let repeated): repeated.times * repeated.first.count
    case .issue: 0
    }
  }

  /// Transactions of which adjacent ones that changed the same are folded.
  static func folded(_ steps: [StoryStep]) -> [StoryEntry] {
    let likeness = steps.map { step in
      step.commit.flatMap { $0.problems.isEmpty && $0.statements.isEmpty ? $0.text : nil }
    }
    return Repetition.all(in: likeness).map { repetition in
      let all = Array(steps[repetition.start..<repetition.end])
      return repetition.times == 1 ? .step(all[0]) : .repeated(RepeatedSteps(all, period: repetition.period))
    }
  }
}

extension RecordedStory.Step {
  /// A transaction as if it were a statement, so that values are looked for in its rows.
  fileprivate convenience init(_ step: StoryStep) {
    self.init(number: step.number, changes: step.changes.flatMap(\.changes))
  }
}
