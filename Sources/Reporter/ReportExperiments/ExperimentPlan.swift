import Collector
package import ReportCauses
import ReportInspection
import ReportModel
package import ReportStory

/// What is known of a failing test when experiments are planned.
package struct ExperimentBasis: Sendable {
  package var told: ToldSteps
  package var failing: FailingReads
  /// The schemas of the captured databases.
  package var schemas: [CapturedSchema]
  /// The first failure's message.
  package var message: String

  package init(_ told: ToldSteps, _ failing: FailingReads, _ schemas: [CapturedSchema], message: String) {
    (self.told, self.failing, self.schemas, self.message) = (told, failing, schemas, message)
  }
}

/// One run of a failing test that may be made.
package struct PlannedExperiment: Sendable, Hashable {
  package var intervention: Intervention
  /// The beginning of a sentence: `With “<” for “<=” in “starts_at <= ?”`.
  package var words: String
  /// The same without literals of the statement.
  package var bare: String
  package var operatorName: String
  /// The size of the change, 0 for the smallest.
  package var rank: Int
}

extension PlannedExperiment {
  fileprivate init(_ variant: StatementVariant, of sql: String) {
    self.init(
      intervention: .statement(sql, replacement: variant.sql), words: variant.words, bare: variant.bare,
      operatorName: variant.operatorName, rank: variant.rank)
  }

  fileprivate var replacement: String? {
    if case .statement(_, let replacement) = intervention { replacement } else { nil }
  }
}

/// The experiments of one failing test, by what they are about, nearest to the failure first.
package struct ExperimentPlan: Sendable {
  /// The experiments on one statement, or on what has none.
  package struct Subject: Sendable {
    /// The statement's text; `nil` for connections and the environment.
    package var sql: String?
    /// The number of the last step that ran it.
    package var step: Int?
    /// How far it is from the failure: 0 for the failing read.
    package var distance: Int
    /// In the order in which they are tried.
    package var experiments: [PlannedExperiment]
  }

  package private(set) var subjects: [Subject] = []
  private let context: OperatorContext
  /// The most experiments on one test.
  package static let most = 600

  package init(_ basis: ExperimentBasis) {
    let steps = basis.told.counted + basis.told.steps
    context = Self.context(basis, steps)
    let nearness = Nearness(basis)
    let texts = Set(steps.map(\.sql))
    var known: [String: Int] = [:]
    for step in steps.reversed() where step.recorded.error == nil {
      let distance = nearness.distance(of: step)
      if let place = known[step.sql] {
        subjects[place].distance = min(subjects[place].distance, distance)
        continue
      }
      known[step.sql] = subjects.count
      // The app's own text of another statement would be taken for this one's.
      let experiments = StatementOperators.variants(of: step.sql, in: context)
        .filter { !texts.contains($0.sql) }.map { PlannedExperiment($0, of: step.sql) }
        .filter { $0.intervention.file != nil }
      subjects.append(
        Subject(
          sql: step.sql, step: step.number, distance: distance, experiments: Self.inTurns(experiments)))
    }
    subjects = subjects.filter { !$0.experiments.isEmpty } + SettingOperators.subjects(told: basis.told)
    // The later a statement ran, the nearer it is.
    subjects = subjects.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    .map(\.element)
  }

  /// One of each operator first, those with smaller changes before others: what is wrong is of one kind, and which one
  /// nobody knows.
  private static func inTurns(_ experiments: [PlannedExperiment]) -> [PlannedExperiment] {
    var counts: [String: Int] = [:]
    let turns = experiments.map { experiment in
      counts[experiment.operatorName, default: 0] += 1
      return counts[experiment.operatorName] ?? 0
    }
    return zip(turns, experiments).enumerated().sorted { one, other in
      (one.element.0, one.element.1.rank, one.offset) < (other.element.0, other.element.1.rank, other.offset)
    }.map(\.element.1)
  }

  /// Experiments with two changes of one statement, the smallest ones first.
  func seconds(of subject: Subject) -> [PlannedExperiment] {
    guard let sql = subject.sql else { return [] }
    var known = Set([sql] + subject.experiments.compactMap(\.replacement))
    var found: [PlannedExperiment] = []
    for variant in StatementOperators.variants(of: sql, in: context).prefix(Self.mostFirst) {
      let seconds = StatementOperators.seconds(of: variant, in: context).prefix(Self.mostSecond)
      for second in seconds where known.insert(second.sql).inserted {
        found.append(PlannedExperiment(second, of: sql))
      }
    }
    return found
  }

  /// So many first changes get second ones, and each so many.
  private static let (mostFirst, mostSecond) = (20, 20)

  private static func context(_ basis: ExperimentBasis, _ steps: [ToldSteps.Step]) -> OperatorContext {
    var tables: [String: [OperatorContext.Column]] = [:]
    for table in basis.schemas.flatMap(\.tables.values) {
      let keys = table.keyColumns
      tables[table.name.lowercased()] = table.columns.map { column in
        OperatorContext.Column(
          name: column.name, isNumeric: column.isNumeric, isKey: keys.contains(column.name),
          collectsTexts: column.type.uppercased().contains("TEXT"))
      }
    }
    var known: Set<String> = []
    return OperatorContext(
      tables: tables, statements: steps.map(\.sql).filter { known.insert($0).inserted })
  }
}

/// How near a step is to the failure, by the tables that lead there.
private struct Nearness {
  let failing: FailingReads
  /// The functions in which tables of the failing read were written.
  let writers: Set<String>

  init(_ basis: ExperimentBasis) {
    failing = basis.failing
    let tables = failing.tables
    writers = Set(
      basis.told.steps.filter { step in
        !step.isSetUp && step.text.isWrite
          && step.text.target.map { tables.contains($0.lowercased()) } == true
      }.map(\.functions).filter { !$0.isEmpty })
  }

  func distance(of step: ToldSteps.Step) -> Int {
    if failing.steps.contains(step.number) { return 0 }
    let touches = !step.text.names.isDisjoint(with: failing.tables)
    switch step.text.kind {
    case .insert, .update, .delete:
      let isNear = step.text.target.map { failing.tables.contains($0.lowercased()) } == true
      return step.isSetUp ? 8 : isNear ? 1 : 3
    case .select:
      return step.isSetUp ? 9 : touches || writers.contains(step.functions) ? 2 : 3
    case .create, .drop, .alter: return touches ? 5 : 8
    case .begin, .commit, .rollback, .savepoint, .rollbackTo, .release: return step.isSetUp ? 9 : 4
    case .vacuum, .other: return step.isSetUp ? 9 : 7
    }
  }
}

/// The next experiments of a plan: statements in turn, the nearest more often, those without effect later.
package struct ExperimentQueue: Sendable {
  private let plan: ExperimentPlan
  /// Those of each subject; the ones with two changes come to them when all others were tried.
  private var experiments: [[PlannedExperiment]]
  private var hasSeconds = false
  private var tried: [Int]
  private var withoutEffect: [Int]
  private var hasEffect: [Bool]
  private var count = 0
  private var limit = ExperimentPlan.most

  /// An experiment of the plan.
  package struct Next: Sendable {
    package var subject: Int
    package var experiment: PlannedExperiment
    /// Its number in the order in which they are tried, from 1.
    package var number: Int
  }

  /// So many of one statement are tried before others have their turn, and so many statements share a turn.
  private static let (turn, together) = (8, 24)
  /// So many that change nothing have a statement wait for another turn of all others.
  private static let mostWithoutEffect = 8
  /// So many more are tried when the test passed with one, and at least as many as until then.
  private static let mostBehindPass = 60
  /// So many statements get second changes.
  private static let mostWithSeconds = 3

  package init(_ plan: ExperimentPlan) {
    self.plan = plan
    experiments = plan.subjects.map(\.experiments)
    tried = plan.subjects.map { _ in 0 }
    withoutEffect = tried
    hasEffect = plan.subjects.map { _ in false }
  }

  package mutating func next() -> Next? {
    guard count < limit else { return nil }
    if !experiments.indices.contains(where: { tried[$0] < experiments[$0].count }) { addSeconds() }
    let open = experiments.indices.filter { tried[$0] < experiments[$0].count }
    guard let subject = open.min(by: { rank($0) < rank($1) }) else { return nil }
    defer { tried[subject] += 1 }
    count += 1
    return Next(subject: subject, experiment: experiments[subject][tried[subject]], number: count)
  }

  /// Adds changes to the nearest statements of which one alone has an effect.
  private mutating func addSeconds() {
    if hasSeconds { return }
    hasSeconds = true
    for subject in experiments.indices.filter({ hasEffect[$0] }).prefix(Self.mostWithSeconds) {
      experiments[subject] += plan.seconds(of: plan.subjects[subject])
    }
  }

  /// Notes what an experiment did.
  ///
  /// - Parameter changed: True when the test ended otherwise than without it.
  package mutating func note(_ next: Next, changed: Bool) {
    if changed { hasEffect[next.subject] = true } else { withoutEffect[next.subject] += 1 }
  }

  /// Notes that the test passed with an experiment: others are tried for as long again.
  package mutating func notePass(_ next: Next) {
    limit = min(limit, max(2 * next.number, next.number + Self.mostBehindPass))
  }

  /// The number of those that would be tried yet.
  package var left: Int {
    max(0, min(limit, experiments.reduce(0) { $0 + $1.count }) - count)
  }

  private func rank(_ subject: Int) -> Int {
    let turns = tried[subject] / Self.turn
    let waits = !hasEffect[subject] && withoutEffect[subject] >= Self.mostWithoutEffect ? 1 : 0
    return subject + Self.together * (turns + waits)
  }
}
