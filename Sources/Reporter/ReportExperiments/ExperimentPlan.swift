import Collector
import Foundation
package import ReportCauses
import ReportInspection
package import ReportModel
import ReportPlaces
package import ReportStory

/// What an experiment plan is based on.
package struct ExperimentBasis: Sendable {
  package var told: ToldSteps
  package var failing: FailingReads
  package var schemas: [CapturedSchema]
  /// Values in captured columns, if they may be read.
  package var values: CapturedValues
  package var message: String
  /// Changes of the last commit and uncommitted ones.
  package var changes: [ChangedLines] = []

  package init(
    _ told: ToldSteps, _ failing: FailingReads, _ schemas: [CapturedSchema],
    values: CapturedValues = CapturedValues(), message: String
  ) {
    (self.told, self.failing, self.schemas) = (told, failing, schemas)
    (self.values, self.message) = (values, message)
  }
}

/// A possible run of a failing test with a change.
package struct PlannedExperiment: Sendable, Hashable {
  package var intervention: Intervention
  /// How a sentence begins: `With “<” for “<=” in “starts_at <= ?”`.
  package var words: String
  /// The same without literals.
  package var bare: String
  package var operatorName: String
  /// The size of the change, from 0.
  package var rank: Int
  /// The step's number, if it concerns a single one.
  package var step: Int?
  /// How common the corrected slip is, at most 1.
  package var likelihood = 1.0
  /// Its rank among experiments of its operator, from 1.
  var turn = 1

  /// Its probability of success among changes of its statement.
  var weight: Double { likelihood / pow(Double(turn), 0.75) }
}

extension PlannedExperiment {
  fileprivate init(_ variant: StatementVariant, of sql: String) {
    self.init(
      intervention: .statement(sql, replacement: variant.sql), words: variant.words, bare: variant.bare,
      operatorName: variant.operatorName, rank: variant.rank)
    likelihood = variant.likelihood
  }

  fileprivate var replacement: String? {
    if case .statement(_, let replacement) = intervention { replacement } else { nil }
  }
}

/// All experiments for one test, nearest to the failure first.
package struct ExperimentPlan: Sendable {
  /// Experiments on one statement, or on settings.
  package struct Subject: Sendable {
    /// `nil` for settings.
    package var sql: String?
    package var step: Int?
    /// Its distance from the failure: 0 for the failing read, less for what changed the rows that it asks for.
    package var distance: Int
    fileprivate(set) var rows = 0
    fileprivate(set) var written = 0
    /// True when code that runs it was changed last.
    fileprivate(set) var isChanged = false
    package var experiments: [PlannedExperiment]

    init(sql: String?, step: Int?, distance: Int, experiments: [PlannedExperiment]) {
      (self.sql, self.step, self.distance, self.experiments) = (sql, step, distance, experiments)
      isTestsQuestion = sql != nil
    }

    /// True when only the test itself runs it, so that changing it says nothing of the app.
    package private(set) var isTestsQuestion = true

    /// Its weight: higher near the failure and for changed code, lower for the test's own queries.
    var likelihood: Double {
      (isChanged ? 2 : 1) * (isTestsQuestion ? 0.5 : 1) / (4 + Double(distance))
    }

    fileprivate mutating func note(_ step: ToldSteps.Step, _ changes: [ChangedLines]) {
      isChanged = isChanged || changes.contains { step.runs(in: $0) }
      isTestsQuestion = isTestsQuestion && step.isTestsQuestion
      rows += step.recorded.rows ?? 0
      written += step.recorded.changed ?? 0
    }

    /// True for the failing read, which may rightly return nothing.
    fileprivate(set) var isFailing = false

    /// True when a change left a statement without rows that it had.
    package func isEmptied(_ counts: Intervention.Counts) -> Bool {
      guard let sql, !isFailing, counts.rows == 0 else { return false }
      return StatementText(sql).isWrite ? written > 0 && counts.written == 0 : rows > 0
    }
  }

  package private(set) var subjects: [Subject] = []
  private let context: OperatorContext
  package static let most = 600

  package init(_ basis: ExperimentBasis) {
    let steps = basis.told.counted + basis.told.steps
    context = Self.context(basis, steps)
    let nearness = Nearness(basis)
    let texts = Set(steps.map(\.sql))
    // Other connections lack the attached database's name.
    let attached = Set(
      basis.told.attached.filter { !["main", "temp"].contains($0.schema) }.map(\.connection))
    let connections = Dictionary(grouping: steps, by: \.sql).mapValues { Set($0.map(\.recorded.connection)) }
    let repeated = RepeatedWrites.experiments(
      steps, keys: context.tables.mapValues { columns in Set(columns.filter(\.isKey).map(\.name)) })
    var known: [String: Int] = [:]
    for step in steps.reversed() where step.recorded.error == nil {
      let distance = nearness.distance(of: step)
      if let place = known[step.sql] {
        subjects[place].distance = min(subjects[place].distance, distance)
        if basis.failing.isKnown, distance == 0 { subjects[place].isFailing = true }
        subjects[place].note(step, basis.changes)
        continue
      }
      known[step.sql] = subjects.count
      // It would equal another statement of the app.
      let isBesideOthers = !connections[step.sql, default: []].isDisjoint(with: attached)
      let variants = StatementOperators.variants(of: step.sql, in: context)
        .filter {
          !texts.contains($0.sql) && (isBesideOthers || $0.operatorName != TableOperators.otherDatabase)
        }
        .map { PlannedExperiment($0, of: step.sql) }
      let snapshot = distance <= 2 ? AddedStatements.snapshot(before: step, steps) : nil
      let all = [snapshot].compactMap(\.self) + variants + repeated[step.sql, default: []]
      let experiments = all.filter { $0.intervention.file != nil }
      var subject = Subject(
        sql: step.sql, step: step.number, distance: distance, experiments: Self.ordered(experiments))
      subject.isFailing = basis.failing.isKnown && distance == 0
      subject.note(step, basis.changes)
      subjects.append(subject)
    }
    for added in AddedStatements.madeAgain(steps) where added.experiment.intervention.file != nil {
      subjects.append(
        Subject(
          sql: nil, step: added.step.number, distance: 2, experiments: Self.ordered([added.experiment])))
    }
    subjects = subjects.filter { !$0.experiments.isEmpty } + SettingOperators.subjects(told: basis.told)
    // Later statements are nearer.
    subjects = subjects.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    .map(\.element)
  }

  /// Sorts by likelihood, alternating between operators.
  private static func ordered(_ experiments: [PlannedExperiment]) -> [PlannedExperiment] {
    var counts: [String: Int] = [:]
    let weighed = experiments.map { experiment in
      var weighed = experiment
      counts[experiment.operatorName, default: 0] += 1
      weighed.turn = counts[experiment.operatorName] ?? 1
      return weighed
    }
    return weighed.enumerated().sorted { one, other in
      (-one.element.weight, one.element.rank, one.offset)
        < (-other.element.weight, other.element.rank, other.offset)
    }.map(\.element)
  }

  /// Experiments with two changes of one statement, smallest first.
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

  private static let (mostFirst, mostSecond) = (20, 20)

  private static func context(_ basis: ExperimentBasis, _ steps: [ToldSteps.Step]) -> OperatorContext {
    var tables: [String: [OperatorContext.Column]] = [:]
    for table in basis.schemas.flatMap(\.tables.values) {
      let keys = Set(table.keyNames)
      tables[table.name.lowercased()] = table.columns.map { column in
        OperatorContext.Column(
          name: column.name, isNumeric: column.isNumeric, isKey: keys.contains(column.name),
          collectsTexts: column.type.uppercased().contains("TEXT"),
          values: basis.values.values(of: column.name, in: table.name))
      }
    }
    var known: Set<String> = []
    var context = OperatorContext(
      tables: tables, statements: steps.map(\.sql).filter { known.insert($0).inserted })
    let writes = steps.filter { step in
      !step.isSetUp && !step.recorded.isWithheld && [.update, .delete].contains(step.text.kind)
    }
    context.changedRows = Dictionary(grouping: writes, by: \.sql).mapValues(ChangedRows.init)
    return context
  }
}

extension ToldSteps.Step {
  /// True when its stack runs through a changed hunk or the line after it; statements can span lines.
  fileprivate func runs(in change: ChangedLines) -> Bool {
    let lines = change.newStart..<change.newStart + max(1, change.newCount)
    return (stack?.frames ?? []).contains { frame in
      ([frame.place] + frame.outer).contains { place in
        place.file == change.path && place.line.map(lines.contains) == true
      }
    }
  }
}
