import ReportModel

/// Steps with the same marks and statement, as one.
package struct OddSteps: Sendable, Equatable {
  /// Of what was done last; the last one is spoken of.
  package var recent: [StoryStep]
  package var earlier: Int

  package var count: Int { recent.count + earlier }
}

extension Story {
  package var oddSteps: [StoryStep] { (setUp + items + afterFailure).steps(where: { !$0.marks.isEmpty }) }

  /// Alike odd steps as one, the latest first, and the number of others: what repeats itself early is mostly set-up.
  ///
  /// - Parameters:
  ///   - likeness: Equal for alike steps of one statement.
  ///   - isKept: True for a step that is told however early it was.
  func gatheredOddSteps(
    _ likeness: (StoryStep) -> String, keeping isKept: (StoryStep) -> Bool = { _ in false }
  ) -> (groups: [OddSteps], others: Int) {
    let start = highlights.map(\.first).min() ?? 0
    let groups = oddSteps.groups { [likeness($0), $0.sql] }
    let told = groups.filter { steps in
      steps.count == 1 || steps.contains { $0.number >= start || isKept($0) }
    }.map { steps in
      let last = steps.filter { $0.number >= start }
      let recent = last.isEmpty ? steps : last
      return OddSteps(recent: recent, earlier: steps.count - recent.count)
    }
    let others = groups.reduce(0) { $0 + $1.count } - told.reduce(0) { $0 + $1.recent.count + $1.earlier }
    return (told.sorted { ($0.recent.last?.number ?? 0) > ($1.recent.last?.number ?? 0) }, others)
  }

  /// Odd steps that a reader should see, the rare ones first: not those of Why, of migrations, nor what a statement
  /// mostly does.
  package func rareOddSteps(_ text: ([StoryMark]) -> String) -> (groups: [OddSteps], hasOthers: Bool) {
    let marks = RareMarks(self)
    let (all, others) = gatheredOddSteps({ text(marks[$0]) }, keeping: marks.isException)
    if all.isEmpty { return ([], others > 0) }
    let known = Set(explanations.flatMap(\.steps) + setUp.stepNumbers).union(migrating)
    let rare = all.filter { odd in odd.recent.contains { !marks[$0].isEmpty && !known.contains($0.number) } }
    return (rare.sorted { $0.count < $1.count }, others > 0 || rare.count < all.count)
  }
}

extension Story {
  /// Steps of transactions that also change the schema, or that a library notes.
  private var migrating: Set<Int> {
    var numbers: Set<Int> = []
    for item in items {
      guard let group = item.only, group.state != .single else { continue }
      if group.firstStep(where: \.isOfMigration) != nil { numbers.formUnion(group.stepNumbers) }
    }
    return numbers
  }
}

extension StoryStep {
  /// Those of the statements that change the schema.
  private static let initials = Set("CADcad".utf8)

  fileprivate var isOfMigration: Bool {
    changes.contains { $0.table.isOfLibrary } || changesSchema
  }

  private var changesSchema: Bool {
    guard let first = sql.utf8.first, Self.initials.contains(first) else { return false }
    return sql.prefix(12).uppercased() != "CREATE TEMP "
      && ["CREATE", "ALTER", "DROP"].contains(sql.prefix { !$0.isWhitespace }.uppercased())
  }
}

/// The marks that few runs of a statement have.
package struct RareMarks {
  private struct Kind: Hashable {
    var sql: String
    var mark: StoryMark
  }

  /// So many are common, unless so many times as many runs did otherwise.
  private static let (many, times) = (20, 20)

  private var common: Set<Kind> = []
  /// Statements that found a row.
  private var finding: Set<String> = []
  /// Rare although the statement ran often.
  private var exceptions: Set<Kind> = []

  package init(_ story: Story) {
    var (runs, marked, finding): ([String: Int], [Kind: Int], Set<String>) = ([:], [:], [])
    for group in (story.setUp + story.items + story.afterFailure).flatMap(\.runs) {
      for run in group.content.entries.flatMap(\.runs) {
        let (step, count) = (run.content, run.times * group.times)
        runs[step.sql, default: 0] += count
        if step.rows ?? 0 > 0 { finding.insert(step.sql) }
        for mark in step.marks { marked[Kind(sql: step.sql, mark: mark), default: 0] += count }
      }
    }
    self.finding = finding
    for (kind, count) in marked {
      let isException = count * Self.times <= runs[kind.sql] ?? 0
      if isException { exceptions.insert(kind) } else if count >= Self.many { common.insert(kind) }
    }
  }

  /// A read that found nothing is odd where another run found something.
  package subscript(step: StoryStep) -> [StoryMark] {
    step.marks.filter { mark in
      !common.contains(Kind(sql: step.sql, mark: mark))
        && (mark != .readNothing || finding.contains(step.sql))
    }
  }

  package func isException(_ step: StoryStep) -> Bool {
    step.marks.contains { exceptions.contains(Kind(sql: step.sql, mark: $0)) }
  }
}
