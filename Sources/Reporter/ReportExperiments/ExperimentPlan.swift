import Collector
import Foundation
package import ReportCauses
import ReportInspection
package import ReportModel
import ReportPlaces
package import ReportStory

/// What is known of a failing test when experiments are planned.
package struct ExperimentBasis: Sendable {
  package var told: ToldSteps
  package var failing: FailingReads
  /// The schemas of the captured databases.
  package var schemas: [CapturedSchema]
  /// The values of the captured databases' columns, as far as they may be looked at.
  package var values: CapturedValues
  /// The first failure's message.
  package var message: String
  /// What the last commit changed, and what was not committed.
  package var changes: [ChangedLines] = []

  package init(
    _ told: ToldSteps, _ failing: FailingReads, _ schemas: [CapturedSchema],
    values: CapturedValues = CapturedValues(), message: String
  ) {
    (self.told, self.failing, self.schemas) = (told, failing, schemas)
    (self.values, self.message) = (values, message)
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
  /// The number of the step that it is about; `nil` for the last one of its statement.
  package var step: Int?
  /// How usual the slip is that it undoes, 1 for the most usual ones.
  package var likelihood = 1.0
  /// Its place among those of its operator, from 1.
  var turn = 1

  /// How likely the test passes with it, of all changes of its statement.
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
    /// The rows that the statement returned, and those that it wrote.
    fileprivate(set) var rows = 0
    fileprivate(set) var written = 0
    /// True where lines that lead to it changed last.
    fileprivate(set) var isChanged = false
    /// In the order in which they are tried.
    package var experiments: [PlannedExperiment]

    init(sql: String?, step: Int?, distance: Int, experiments: [PlannedExperiment]) {
      (self.sql, self.step, self.distance, self.experiments) = (sql, step, distance, experiments)
      isTestsQuestion = sql != nil
    }

    /// True where only the test's function itself asks it: with another question a test may pass that tells nothing of
    /// the app.
    package private(set) var isTestsQuestion = true

    /// How likely it is of this statement, of all: the nearer to the failure, the more, what changed last, and of the
    /// test's own questions the least.
    var likelihood: Double {
      (isChanged ? 2 : 1) * (isTestsQuestion ? 0.5 : 1) / (4 + Double(distance))
    }

    fileprivate mutating func note(_ step: ToldSteps.Step, _ changes: [ChangedLines]) {
      isChanged = isChanged || changes.contains { step.runs(in: $0) }
      isTestsQuestion = isTestsQuestion && step.isTestsQuestion
      rows += step.recorded.rows ?? 0
      written += step.recorded.changed ?? 0
    }

    /// True where the failure shows in what it returns, which may rightly be nothing.
    fileprivate(set) var isFailing = false

    /// True where a change had the statement return or write nothing, which it did as it is.
    package func isEmptied(_ counts: Intervention.Counts) -> Bool {
      guard let sql, !isFailing, counts.rows == 0 else { return false }
      return StatementText(sql).isWrite ? written > 0 && counts.written == 0 : rows > 0
    }
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
    // Other connections do not know an attached database by its name.
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
      // The app's own text of another statement would be taken for this one's.
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
    // The later a statement ran, the nearer it is.
    subjects = subjects.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    .map(\.element)
  }

  /// The likely ones first, and one of each operator before the others of it: what is wrong is of one kind, and which
  /// one nobody knows.
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
      let keys = Set(table.keyNames)
      tables[table.name.lowercased()] = table.columns.map { column in
        OperatorContext.Column(
          name: column.name, isNumeric: column.isNumeric, isKey: keys.contains(column.name),
          collectsTexts: column.type.uppercased().contains("TEXT"),
          values: basis.values.values(of: column.name, in: table.name))
      }
    }
    var known: Set<String> = []
    return OperatorContext(
      tables: tables, statements: steps.map(\.sql).filter { known.insert($0).inserted })
  }
}

extension ToldSteps.Step {
  /// True where a line on its stack lies in a hunk or right beside it: the text of a statement has lines of its own.
  fileprivate func runs(in change: ChangedLines) -> Bool {
    let lines = change.newStart..<change.newStart + max(1, change.newCount)
    return (stack?.frames ?? []).contains { frame in
      ([frame.place] + frame.outer).contains { place in
        place.file == change.path && place.line.map(lines.contains) == true
      }
    }
  }
}
