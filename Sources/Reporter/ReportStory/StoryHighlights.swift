import Collector
import ReportModel

/// Chooses the highlights of a recorded story.
///
/// They are the last transactions that wrote rows of the app, as far back as they are unlike what came before: what
/// repeats itself is mostly set-up. A statement that failed stands with them, and the last read.
struct StoryHighlights {
  private static let mostWrites = 3
  /// Rows of a transaction before the last one.
  private static let mostRows = 12
  /// So many transactions of the same statements are taken for set-up.
  private static let setUpTimes = 3

  let steps: [RecordedStory.Step]
  let texts: [StatementText]
  let transactions: StoryTransactions
  /// Of the steps before the failure, without those of the set-up.
  let places: [Int]
  /// What the places of steps changed in all.
  let net: ([Int]) -> ChangeSummary
  /// The messages of the failures.
  let messages: [String]
  /// The steps whose results hold a value of the message.
  let met: Set<Int>
  /// The number of the last step before the failure.
  let failure: Int

  /// In the order in which they happened.
  ///
  /// - Parameter writes: Those of `writes`.
  fileprivate func all(_ writes: [Write]) -> [StoryHighlight] {
    var found = writes.map(highlight)
    if let failed { found.append(failed) }
    let start = found.map(\.first).min() ?? 0
    found += reads.filter { $0.last > start || met.contains($0.last) || found.isEmpty }
    return found.sorted { ($0.last, $0.first) < ($1.last, $1.first) }
  }

  // MARK: - Writes

  fileprivate struct Write {
    var places: [Int]
    /// Its group; `nil` of a step that was committed by itself.
    var group: Int?
    var statements: Set<String>
    /// What it changed, once it is chosen.
    var summary = ChangeSummary()
  }

  /// What wrote last.
  fileprivate var writes: [Write] {
    var chosen: [Write] = []
    let all = allWrites
    var times: [Set<String>: Int] = [:]
    for write in all { times[write.statements, default: 0] += 1 }
    for var write in all.reversed() {
      if !chosen.isEmpty {
        guard chosen.count < Self.mostWrites, times[write.statements] ?? 0 < Self.setUpTimes else { break }
      }
      write.summary = net(write.places)
      if !chosen.isEmpty, write.summary.rowCount > Self.mostRows { break }
      chosen.append(write)
    }
    return chosen.reversed()
  }

  private func highlight(_ write: Write) -> StoryHighlight {
    let (first, last) = (steps[write.places[0]], steps[write.places[write.places.count - 1]])
    return StoryHighlight(
      kind: .wrote, first: first.number, last: last.number,
      state: state(write.group), connection: last.connection,
      changes: write.summary)
  }

  /// Of one step.
  private func highlight(_ kind: StoryHighlight.Kind, at place: Int) -> StoryHighlight {
    StoryHighlight(
      kind: kind, first: steps[place].number, last: steps[place].number,
      state: state(transactions.transaction(ofStepAt: place)), connection: steps[place].connection)
  }

  /// In the order of their last steps; adjacent steps of one connection that were committed each by itself are one
  /// where no other statement stands between them.
  private var allWrites: [Write] {
    var writes: [Write] = []
    var places: [Int: Int] = [:]
    for place in self.places where wrote(place) {
      let group = transactions.transaction(ofStepAt: place)
      if let group, let known = places[group] {
        writes[known].places.append(place)
        writes[known].statements.insert(steps[place].sql)
      } else {
        if let group { places[group] = writes.count }
        writes.append(Write(places: [place], group: group, statements: [steps[place].sql]))
      }
    }
    return writes.sorted { ($0.places.last ?? 0) < ($1.places.last ?? 0) }
  }

  /// Whether it changed a row of the app; what a library keeps for itself is none.
  private func wrote(_ place: Int) -> Bool {
    guard transactions.undone[place] != .failed else { return false }
    return steps[place].changes.contains { !StoryTable(database: 0, name: $0.table).isOfLibrary }
  }

  /// What the transaction was at the failure.
  private func state(_ group: Int?) -> StoryGroup.State {
    guard let group else { return .single }
    return transactions.groups[group].end > failure ? .open : transactions.groups[group].state
  }

  // MARK: - What failed, and what was read

  /// The last statement that failed: where the message tells its error, or where no write follows it.
  private var failed: StoryHighlight? {
    guard let place = places.last(where: { steps[$0].error != nil && !texts[$0].isHousekeeping }),
      let error = steps[place].error
    else { return nil }
    let isTold = messages.contains { !error.message.isEmpty && $0.contains(error.message) }
    guard isTold || !places.contains(where: { $0 > place && wrote($0) }) else { return nil }
    var highlight = highlight(.failed, at: place)
    highlight.changes = net([place])
    return highlight
  }

  /// The last read of a table, and before it the last one that returned a value of the message, where it did not.
  private var reads: [StoryHighlight] {
    let reading = places.filter { place in
      texts[place].kind == .select && !texts[place].isHousekeeping && steps[place].error == nil
        && steps[place].rows != nil && texts[place].readsTable
    }
    guard let last = reading.last else { return [] }
    var chosen = [last]
    if !met.contains(steps[last].number),
      let telling = reading.last(where: { met.contains(steps[$0].number) })
    {
      chosen.insert(telling, at: 0)
    }
    return chosen.map { highlight(.read, at: $0) }
  }
}

extension StoryBuilder {
  /// Tells what a reader should see first, and what was written last where all rows are the test's own.
  ///
  /// - Parameter places: Of the steps between the set-up and the first failure.
  func addHighlights(to story: inout Story, _ places: [Int]) {
    let met = story.valuePlaces.compactMap { found -> Int? in
      switch found.place {
      case .result(let step, _, _), .resultSum(let step, _): step
      case .change, .tableSum: nil
      }
    }
    let databases = story.databases
    let chosen = StoryHighlights(
      steps: steps, texts: texts, transactions: transactions, places: places,
      net: { self.written($0).summary(naming: databases) }, messages: failures, met: Set(met),
      failure: failure)
    let writes = chosen.writes
    story.highlights = kept(chosen.all(writes), of: story)
    if story.changes.tables.allSatisfy({ $0.fate == .created || $0.table.isOfLibrary }) {
      story.lastChanges = written(writes.flatMap(\.places).sorted()).summary(naming: databases, details: .all)
    }
  }

  /// The highlights with few rows of each group, those first in which a value of the message stands.
  private func kept(_ highlights: [StoryHighlight], of story: Story) -> [StoryHighlight] {
    let marks = StoryValueMarks(story)
    let groups = highlights.flatMap(\.changes.tables).reduce(0) { $0 + $1.groups.count }
    return highlights.map { highlight in
      var highlight = highlight
      highlight.changes.keepRows(StoryHighlight.mostRows(ofGroups: groups)) { table, row, columns in
        marks.holds(row, of: table, columns)
      }
      return highlight
    }
  }
}
