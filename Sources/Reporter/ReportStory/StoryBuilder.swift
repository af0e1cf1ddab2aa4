package import Collector
import ExhibitSystem
package import ReportInspection
package import ReportModel
package import ReportPlaces

/// Makes a story of a test's recorded steps.
package final class StoryBuilder {
  let recorded: RecordedStory
  package var code: [CodeFile] { recorded.code.map(CodeFile.init) }
  /// Also errors that the test threw have places.
  package let issues: [TestIssue]
  let schemas: [CapturedSchema]
  private let inspections: [String: DatabaseInspection]
  let steps: [RecordedStory.Step]
  let texts: [StatementText]
  private(set) var databases: StoryDatabases
  private(set) var databaseOfStep: [Int] = []
  let changedTables: Set<StoryTable>
  private let changedNames: [Int: Set<String>]
  /// By place of a step: where its changed rows are.
  private var changedDatabases: [ChangedDatabases] = []

  private enum ChangedDatabases {
    case nothing
    case one(Int)
    case others
  }

  let untilFailure: Range<Int>
  private(set) lazy var connections = Set(steps.map { $0.connection })
  private(set) lazy var running = Set(steps.filter { $0.isRunning }.map { $0.number })
  private(set) var layouts: StoryLayouts
  let transactions: StoryTransactions
  let failure: Int
  let baseline: Int
  /// By place of a step.
  lazy var effects: [Int: SchemaEffect.Statement] = {
    var effects: [Int: SchemaEffect.Statement] = [:]
    for place in texts.indices {
      if !steps[place].wasIdle, let effect = SchemaEffect.statement(texts[place]) { effects[place] = effect }
    }
    return effects
  }()
  /// Where open transactions are not captured.
  lazy var visibility = StepVisibility(self)
  /// The package's own functions, by the numbers of stacks.
  let callStacks: [Int: CallStack]
  var fromWAL = StoryFromWAL()

  package init(
    _ recorded: RecordedStory, issues: [TestIssue], schemas: [CapturedSchema],
    inspections: [String: DatabaseInspection], path: (String) -> String, places: CodePlaces = CodePlaces(),
    sources: StatementSources = StatementSources { _ in nil }
  ) {
    self.recorded = recorded
    steps = recorded.steps.sorted { $0.number < $1.number }
    texts = StatementText.all(of: steps.lazy.map(\.sql))
    callStacks = Self.callStacks(of: recorded, steps, texts, in: places, sources)
    self.issues = ThrownErrorPlaces(recorded: recorded, steps: steps, callStacks: callStacks)
      .located(issues)
    self.schemas = schemas
    self.inspections = inspections
    transactions = StoryTransactions(steps, texts, closed: recorded.closed)
    let failed = recorded.issues.filter { issue in
      issues.indices.contains(issue.ordinal) ? issues[issue.ordinal].isFailure : true
    }
    failure = failed.map(\.after).min() ?? .max
    let failure = failure
    untilFailure = 0..<(steps.firstIndex { $0.number > failure } ?? steps.count)
    baseline = recorded.baselines.map(\.after).filter { $0 <= failure }.max() ?? 0
    var databases = StoryDatabases(recorded)
    var changed: Set<StoryTable> = []
    for (place, step) in steps.enumerated() {
      databaseOfStep.append(databases.database(of: step, texts[place]))
      var last: (schema: String, table: String)?
      var (only, isOnly): (Int?, Bool) = (nil, true)
      // Rows of one table mostly follow each other.
      for index in step.changes.indices
      where last?.table != step.changes[index].table || last?.schema != step.changes[index].schema {
        let change = step.changes[index]
        changed.insert(StoryTable(database: databases.database(of: change, at: step), name: change.table))
        let known = databases[step.connection, change.schema, at: step.number]
        isOnly = isOnly && (last == nil || known == only)
        (last, only) = ((change.schema, change.table), known)
      }
      let one = isOnly ? only.map(ChangedDatabases.one) : nil
      changedDatabases.append(step.changes.isEmpty ? .nothing : one ?? .others)
    }
    databases.note(recorded.opened, on: callStacks)
    self.databases = databases
    layouts = StoryLayouts(databases.list.map { $0.path.map(path) }, schemas)
    changedTables = changed
    changedNames = Dictionary(grouping: changed.filter { !$0.isOfLibrary }, by: \.database)
      .mapValues { Set($0.map(\.name)) }
    layouts.note(texts, databaseOfStep, changed: changed)
  }

  private static func callStacks(
    of recorded: RecordedStory, _ steps: [RecordedStory.Step], _ statementTexts: [StatementText],
    in places: CodePlaces, _ sources: StatementSources
  ) -> [Int: CallStack] {
    let stacks = StoryStacks(code: recorded.code, stacks: recorded.stacks)
    let calls = Dictionary(
      recorded.stacks.compactMap { stack in
        stacks[stack.number].map { (stack.number, CallStack($0, in: places)) }
      }, uniquingKeysWith: { first, _ in first })
    var (texts, statements): ([String: Int], [Int: [Int: String]]) = ([:], [:])
    for (place, step) in steps.enumerated() {
      // A block that runs in a transaction begins and ends it at one line of its own.
      guard let stack = step.stack, !statementTexts[place].controlsTransaction else { continue }
      let number = texts[step.sql] ?? texts.count
      if number == texts.count { texts[step.sql] = number }
      if statements[stack]?[number] == nil { statements[stack, default: [:]][number] = step.sql }
    }
    let helpers = HelperPlaces(calls.map { ($0.value, Set((statements[$0.key] ?? [:]).keys)) })
    var told: [Int: CallStack] = [:]
    for (number, var stack) in calls {
      stack.telling =
        sources.frame(of: stack, running: (statements[number] ?? [:]).values) ?? helpers.telling(stack)
      told[number] = stack
    }
    return told
  }

  // MARK: - The whole

  /// - Parameter named: Steps that findings name, which are not folded.
  package func story(naming named: Set<Int> = [], _ explanations: [Explanation] = []) -> Story {
    var story = Story(
      source: .trace, missing: recorded.missing, stepCount: steps.count, databases: databases.list)
    (story.stepsOfFindings, story.explanations) = (named, explanations)
    story.sharedDatabases = sharedDatabases
    let alone = transactions.groups.flatMap(\.steps).sorted()
    let told = alone.filter { baseline < steps[$0].number && steps[$0].number <= failure }
    story.changes = net(told).summary(naming: story.databases, details: .all)
    fromWAL.complete(&story.changes, naming: story.databases)
    let failed = issues.first(where: \.isFailure)
    story.lines = lines(alone, failed)
    (story.messageValues, story.valuePlaces) = failed.map { messageValues(of: $0, at: told) } ?? ([], [])
    addHighlights(to: &story, told)
    story.ending = ending(told, story.highlights)
    addItems(to: &story, alone)
    story.notices = storyNotices(of: recorded, databases, story.lines) + fromWAL.notices
    return story
  }

  private var sharedDatabases: Set<Int> {
    var connections: [Int: Set<Int>] = [:]
    for (place, step) in steps.enumerated() where !texts[place].isHousekeeping {
      connections[databaseOfStep[place], default: []].insert(step.connection)
    }
    return Set(connections.filter { $0.value.count > 1 }.keys)
  }

  private func lines(_ places: [Int], _ failed: TestIssue?) -> [TestLine] {
    guard let test = recorded.test, !callStacks.isEmpty else { return [] }
    let lines = TestLines(
      test: test, baseline: baseline, failure: failure, failed: failed?.caller ?? failed?.location,
      step: { [steps, texts] in (steps[places[$0]], texts[places[$0]]) },
      stands: { [transactions] in transactions.undone[places[$0]] == nil || self.isUndoneLater(places[$0]) },
      net: { [databases] in
        self.net($0.map { places[$0] }).summary(naming: databases.list, details: $1 ? .notes : .none)
      },
      isRetried: { self.isRetried(places[$0]) },
      lost: { own in
        let own = Set(own.map { places[$0] })
        return self.lostObjects.filter { $0.madeAgain != nil && own.contains($0.place) }.map(\.sentence)
      })
    let counted = recorded.overwritten.map { overwritten in
      (overwritten, overwritten.stack.flatMap { callStacks[$0] })
    }
    return lines.lines(
      of: places.map { (steps[$0].number, steps[$0].stack.flatMap { callStacks[$0] }) }, after: counted)
  }

  private struct Ran: Hashable {
    var connection: Int
    var sql: String
    var expanded: String?
  }

  private lazy var lastRuns: [Ran: Int] = {
    var last: [Ran: Int] = [:]
    for place in untilFailure
    where steps[place].error == nil && (transactions.undone[place] == nil || isUndoneLater(place)) {
      last[ran(place)] = place
    }
    return last
  }()

  private func ran(_ place: Int) -> Ran {
    Ran(connection: steps[place].connection, sql: steps[place].sql, expanded: steps[place].expanded)
  }

  /// True where the database was locked, and the statement ran later with the same values.
  ///
  /// A COMMIT ends whatever transaction there is.
  private func isRetried(_ place: Int) -> Bool {
    guard let error = steps[place].error, Self.locked.contains(error.code & 0xff),
      texts[place].kind != .commit, let last = lastRuns[ran(place)]
    else { return false }
    return last > place
  }

  /// SQLITE_BUSY and SQLITE_LOCKED.
  private static let locked: Set = [5, 6]

  private(set) lazy var lostObjects = droppedWithTables()

  /// `nil` off the test's stack.
  func line(ofStep number: Int) -> Int? {
    guard let test = recorded.test, let stack = callStack(ofStep: number), let own = stack.frames(of: test)
    else { return nil }
    return stack.frames[own.lowerBound].place.line
  }

  func callStack(ofStep number: Int) -> CallStack? {
    guard let step = steps[safe: steps.place { $0.number < number }], step.number == number else {
      return nil
    }
    return step.stack.flatMap { callStacks[$0] }
  }

  /// Folds what repeats itself, but for named steps.
  private func addItems(to story: inout Story, _ places: [Int]) {
    let marks = marks(at: places.filter { steps[$0].number <= failure })
    let made = made(places, marks: marks)
    let named = story.namedSteps(with: marks.values.joined())
    var (kept, missing) = (Set<Int>(), Set(story.valuePlaces.compactMap(\.place.step)))
    repeat {
      kept.formUnion(missing)
      addItems(to: &story, made.mapValues { $0.standingAlone(if: kept) })
      missing = named.subtracting(story.stepNumbers).subtracting(kept)
    } while !missing.isEmpty
    let told = places.filter { baseline < steps[$0].number && steps[$0].number <= failure }
    (story.statements, story.omittedStatements) = statementRuns(
      told, naming: Set(story.tellingNumbers + story.valuePlaces.compactMap(\.place.step)), marks)
  }

  private func addItems(to story: inout Story, _ made: [Int: StoryGrouping.MadeStep]) {
    let grouping = StoryGrouping(transactions: transactions, steps: steps, databases: databases)
    func items(from first: Int, to last: Int, _ isMeant: (Int) -> Bool) -> [StoryItem] {
      grouping.items(
        from: first, to: last, recorded.issues.filter { isMeant($0.after) },
        fromWAL.outside.filter { isMeant($0.after) }, made)
    }
    story.hasBaseline = recorded.baselines.contains { $0.after <= failure }
    story.setUp = items(from: 0, to: baseline) { $0 < baseline }
    story.items = items(from: baseline, to: failure) { baseline <= $0 && $0 <= failure }
    if failure < .max { story.afterFailure = items(from: failure, to: .max) { failure < $0 } }
  }

  // MARK: - Changes

  func database(of change: RecordedStory.Change, at place: Int) -> Int? {
    if case .one(let database) = changedDatabases[place] { return database }
    return databases[steps[place].connection, change.schema, at: steps[place].number]
  }

  /// - Parameter orUnknown: Also the rows of databases that are not known.
  func changes(at place: Int, in database: Int, orUnknown: Bool = false) -> [RecordedStory.Change] {
    switch changedDatabases[place] {
    case .nothing: return []
    case .one(let only): return only == database ? steps[place].changes : []
    case .others:
      return steps[place].changes.filter {
        self.database(of: $0, at: place).map { $0 == database } ?? orUnknown
      }
    }
  }

  private(set) lazy var failures = issues.filter(\.isFailure).map(\.message)

  private func messageValues(
    of failed: TestIssue, at places: [Int]
  ) -> (values: [MessageValue], places: [MessageValuePlace]) {
    let values = MessageValue.all(in: failed.message)
    guard !values.isEmpty else { return ([], []) }
    var search = MessageValueSearch(values, references: layouts.allReferences)
    let told = places.map { (steps[$0], texts[$0].isRead) }
    let recent = lastWrites(among: places).flatMap { $0 }.map { steps[$0].number }
    search.look(at: told, recent: recent.isEmpty ? nil : Set(recent)) { change, step in
      let told = layouts.told(change, in: databases[step.connection, change.schema, at: step.number] ?? 0)
      return told.change.map { layouts.searched($0, of: told.table) }
    }
    for database in databases.list.indices.prefix(StoryDatabases.mostSearched) {
      for schema in layouts.captured(database) {
        if let inspection = inspections[schema.evidence] { search.look(at: inspection, database) }
      }
    }
    return search.result
  }

  /// Even where all of them were undone.
  func written(_ places: [Int]) -> NetChanges { net(places, evenUndone: isUndone(places)) }

  func isUndone(_ places: [Int]) -> Bool {
    places.allSatisfy { transactions.undone[$0] != nil && !isUndoneLater($0) }
  }

  private func net(_ places: [Int], evenUndone: Bool = false) -> NetChanges {
    var net = NetChanges()
    for place in places where evenUndone || transactions.undone[place] == nil || isUndoneLater(place) {
      let step = steps[place]
      if step.unkept > 0, let target = texts[place].target {
        net.count(unkept: step.unkept, of: StoryTable(database: databaseOfStep[place], name: target))
      }
      if step.error == nil, !step.wasIdle { net.note(texts[place].kind, in: databaseOfStep[place]) }
      for change in step.changes {
        let told = layouts.told(change, in: database(of: change, at: place) ?? 0)
        guard let change = told.change else { continue }
        net.add(change, of: told.table, step: step.number, layouts)
      }
    }
    return net
  }

  /// Rolled back only after the failure.
  func isUndoneLater(_ place: Int) -> Bool {
    guard transactions.undone[place] == .rolledBack, let group = transactions.groupOfStep[place] else {
      return false
    }
    return steps[place].number <= failure && transactions.groups[group].end > failure
  }

  /// `nil` where it cannot be told, as among several alike in memory.
  package func database(of schema: CapturedSchema) -> Int? {
    let found = databases.list.indices.filter {
      layouts.captured($0).contains { $0.evidence == schema.evidence }
    }
    if schema.source == nil, found.count > 1 { return databaseInMemory(of: schema, among: found) }
    guard let only = found.first, found.count == 1 else { return nil }
    return schema.source != nil || layouts.captured(only).count == 1 ? only : nil
  }

  /// The only database whose changed tables are all in the file, where no other file has them.
  private func databaseInMemory(of schema: CapturedSchema, among databases: [Int]) -> Int? {
    func has(_ schema: CapturedSchema, _ database: Int) -> Bool {
      changedNames[database]?.allSatisfy { schema.tables[$0] != nil } ?? true
    }
    let meant = databases.filter { has(schema, $0) }
    guard let only = meant.first, meant.count == 1, changedNames[only] != nil,
      layouts.captured(only).count(where: { has($0, only) }) == 1
    else { return nil }
    return only
  }

  /// It failed, or it or its transaction was open at the failure.
  func isUnsettled(_ place: Int) -> Bool {
    if steps[place].error != nil || steps[place].isRunning { return true }
    return transactions.end(ofStepAt: place).map { $0 > failure || $0 == .max } ?? false
  }

  // MARK: - Steps

  private func made(_ places: [Int], marks: [Int: [StoryMark]]) -> [Int: StoryGrouping.MadeStep] {
    var made: [Int: StoryGrouping.MadeStep] = [:]
    var likenesses: [StoryGrouping.Likeness: Int] = [:]
    for place in places {
      var step = step(at: place)
      step.marks = marks[place] ?? []
      let isOdd = !step.marks.isEmpty || step.error != nil || step.isRunning
      var number: Int?
      if !isOdd {
        let likeness = StoryGrouping.Likeness(step)
        number = likenesses[likeness] ?? likenesses.count
        likenesses[likeness] = number
      }
      made[place] = .init(step: step, likeness: number)
    }
    return made
  }

  func step(at place: Int) -> StoryStep {
    let step = steps[place]
    var made = StoryStep(step, database: databaseOfStep[place])
    made.stack = step.stack.flatMap { callStacks[$0] }
    made.isHousekeeping = texts[place].isHousekeeping && step.error == nil && !step.isRunning
    if made.stack?.place == nil { made.opener = databases.openers[step.connection] }
    if !step.changes.isEmpty {
      (made.changes, made.consequences) = layouts.byTable(step.changes, at: place) {
        database(of: $0, at: place) ?? 0
      }
    }
    let wroteSomething = !step.changes.isEmpty || step.changed ?? 0 > 0 || texts[place].isWrite
    if let undone = transactions.undone[place], undone == .failed || wroteSomething, !isUndoneLater(place) {
      made.undone = undone
    }
    return made
  }
}
