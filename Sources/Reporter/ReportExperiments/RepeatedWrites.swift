import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Experiments that skip one run of a repeated write.
package enum RepeatedWrites {
  /// A row of docs/explain.md: operator, change, source.
  package static let row: (name: String, summary: String, source: String) = (
    "run again", "one run less of a write that ran before on the same rows, or with the same values",
    StatementOperator.Source.slip.rawValue
  )

  private static let most = 6
  private static let mostBefore = 50
  /// Columns in which equal rows may differ, besides the key.
  private static let mostDifferent = 1
  private static let mostRows = 20

  /// - Parameters:
  ///   - steps: All steps in order.
  ///   - keys: Primary key columns by table in lower case.
  /// - Returns: By statement, last runs first; empty when the trace's beginning is missing, since runs are counted from
  ///   there.
  static func experiments(
    _ steps: [ToldSteps.Step], keys: [String: Set<String>]
  ) -> [String: [PlannedExperiment]] {
    guard steps.first?.number == 1 else { return [:] }
    var runs: [String: [ToldSteps.Step]] = [:]
    var found: [String: [PlannedExperiment]] = [:]
    for step in steps {
      guard step.text.isWrite else { continue }
      defer { runs[step.sql, default: []].append(step) }
      guard !step.isSetUp, !step.recorded.isWithheld, let before = runs[step.sql],
        before.suffix(mostBefore).contains(where: { isSame(step, $0, keys) })
      else { continue }
      found[step.sql, default: []].append(experiment(step, run: before.count + 1))
    }
    return found.mapValues { $0.suffix(most).reversed() }
  }

  private static func experiment(_ step: ToldSteps.Step, run: Int) -> PlannedExperiment {
    let words = "Without run \(run) of “\(step.text.name)”, which repeats an earlier one,"
    var experiment = PlannedExperiment(
      intervention: .leavesOut(step.sql, run: run), words: words, bare: words, operatorName: row.name,
      rank: 3,
      likelihood: StatementOperator.Likelihood.possible.rawValue)
    experiment.step = step.number
    return experiment
  }

  private static func isSame(
    _ step: ToldSteps.Step, _ other: ToldSteps.Step, _ keys: [String: Set<String>]
  ) -> Bool {
    let (own, others) = (rows(step), rows(other))
    guard !own.isEmpty, own.count == others.count, own.count <= mostRows else { return false }
    return zip(own, others).allSatisfy { one, other in
      guard one.table == other.table, one.told.operation == other.told.operation else { return false }
      if one.told.operation == .insert { return holdsTheSame(one, other, keys) }
      // Even if it changed the key.
      return one.row != nil && (one.row == other.row || one.row == other.newRow)
    }
  }

  private static func rows(_ step: ToldSteps.Step) -> [ToldSteps.Change] {
    step.changes.filter { $0.told.depth == 0 }
  }

  private static func holdsTheSame(
    _ one: ToldSteps.Change, _ other: ToldSteps.Change, _ keys: [String: Set<String>]
  ) -> Bool {
    let (own, others) = (one.told.new, other.told.new)
    guard own.count == others.count, one.columns.count == own.count else { return false }
    let keys = keys[one.table.name.lowercased()] ?? []
    let compared = own.indices.filter { !keys.contains(one.columns[$0]) }
    let same = compared.count { own[$0] == others[$0] }
    let telling = compared.contains { own[$0] == others[$0] && own[$0] != .null && own[$0] != nil }
    return telling && compared.count - same <= (same > mostDifferent ? mostDifferent : 0)
  }
}
