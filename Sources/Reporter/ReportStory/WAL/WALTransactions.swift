package import ReportInspection
import ReportModel

extension Story {
  /// The last ones, and what is left once alike ones are one.
  private static let (mostTransactions, mostEntries) = (20_000, 1000)

  /// The transactions of one database's WAL, to be printed like a test's steps.
  package init(_ history: WALHistory, of name: String) {
    self.init(databases: [StoryDatabase(name: name)])
    let layouts = StoryLayouts([nil], [])
    let told = history.transactions.suffix(Self.mostTransactions)
    let steps = told.enumerated().map { place, transaction in
      StoryStep(transaction, number: place + 1, database: 0, naming: databases, layouts)
    }
    let all = StoryEntry.folded(steps)
    let entries = all.suffix(Self.mostEntries)
    items = [
      .one(StoryGroup(state: .inWAL, connection: 0, database: 0, entries: Array(entries)))
    ]
    // The last one is told whatever the others say.
    ending = steps.last.map { [StoryEnding(step: $0.number, text: "")] } ?? []
    changes = ChangeSummary(history.net, of: 0, naming: databases, layouts)
    let omitted = all.dropLast(Self.mostEntries).reduce(history.transactions.count - told.count) {
      $0 + $1.stepCount
    }
    notices = history.notices(omitted: omitted)
  }
}

extension WALHistory {
  fileprivate func notices(omitted: Int) -> [String] {
    var notices = problems
    if omitted > 0 {
      notices.append(
        "\(counted(omitted, "earlier transaction")) of the WAL \(omitted == 1 ? "is" : "are") not told one by one; the changes in all have them."
      )
    }
    if withoutRows > 0 {
      notices.append("Of \(counted(withoutRows, "transaction")) only counts are kept, and no rows.")
    }
    if uncommittedFrames > 0 {
      notices.append(
        "The WAL also holds \(counted(uncommittedFrames, "page")) of a transaction that was not committed.")
    }
    if let contradiction { notices.append(contradiction) }
    return notices
  }
}

extension StoryPiece<StoryStep> {
  /// Folds adjacent transactions that changed the same.
  static func folded(_ steps: [StoryStep]) -> [StoryEntry] {
    let likeness = steps.map { step in
      step.commit.flatMap { $0.problems.isEmpty && $0.statements.isEmpty ? $0.text : nil }
    }
    return Repetition.all(in: likeness).map { repetition in
      let all = Array(steps[repetition.start..<repetition.end])
      return repetition.times == 1 ? .one(all[0]) : .repeated(Repeated(all, period: repetition.period))
    }
  }
}
