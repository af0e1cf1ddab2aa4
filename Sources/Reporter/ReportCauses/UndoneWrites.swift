import Collector
import ReportModel
import ReportStory

/// Finds rows lost by a rollback after another statement failed.
extension Causes {
  private static let fewestTransactions = 10

  private typealias Undone = (failed: ToldSteps.Step, rollback: ToldSteps.Step, changes: [ToldSteps.Change])

  var undoneWrites: [Explanation] {
    guard told.isWhole else { return [] }
    let begins = tests.count { step in
      switch step.text.kind {
      case .savepoint, .begin: true
      default: false
      }
    }
    let byStatement = Dictionary(grouping: undone) { $0.failed.sql }
    return byStatement.sorted { $0.key < $1.key }.compactMap { _, found in
      guard let first = found.first, tests.last.map({ $0.number > first.rollback.number }) ?? false else {
        return nil
      }
      return explanation(found, first, among: begins)
    }
  }

  private var undone: [Undone] {
    var taken: [Int: [ToldSteps.Change]] = [:]
    for step in tests {
      if let rollback = step.takenBackAt { taken[rollback, default: []] += step.undone }
    }
    var (failed, found): ([Int: ToldSteps.Step], [Undone]) = ([:], [])
    for step in tests {
      let connection = step.recorded.connection
      // `OR ROLLBACK` undoes earlier statements when it fails.
      if step.recorded.error != nil { failed[connection] = step }
      if let changes = taken[step.number], let failed = failed[connection], !changes.isEmpty {
        found.append((failed, step, changes))
      }
      switch step.text.kind {
      case .begin, .commit, .savepoint, .rollback, .rollbackTo: failed[connection] = nil
      default: break
      }
    }
    return found
  }

  private func explanation(_ found: [Undone], _ first: Undone, among begins: Int) -> Explanation? {
    let changes = found.flatMap(\.changes).filter { $0.told.depth == 0 }
    let counts = Dictionary(changes.map { ($0.table, 1) }, uniquingKeysWith: +)
    guard
      let most = counts.max(by: {
        ($0.value, $1.key.name, $1.key.database) < ($1.value, $0.key.name, $0.key.database)
      })
    else { return nil }
    let met = told.difference(of: changes, disagreement)
    let isRare = begins >= Self.fewestTransactions && Double(found.count) <= Double(begins) * Self.rareEnough
    let touches = disagreement.weight(of: [most.key.name])
    guard met != nil || isRare && touches > 0 else { return nil }
    let others = found.count > 1 ? " and \(counted(found.count - 1, "other step"))" : ""
    let message = first.failed.recorded.error.map { " (\(shortened($0.message, to: 60)))" }
    let rollback: Explanation.Words =
      first.rollback.number == first.failed.number ? " and" : "; then \(first.rollback.pieces)"
    return Explanation(
      met == nil ? .likely : .certain,
      """
      \(first.failed.pieces) failed in \(step: first.failed.number)\(others)\(values: message)\(rollback) took back \(counted(changes.count, "earlier change")), \(grouped(most.value)) of \
      them in \(most.key.name), and the test went on\(values: met).
      """,
      rows: told.rows(
        of: changes.filter { $0.table == most.key }, in: most.key, title: "\(most.key.name): taken back"),
      weight: (met == nil ? Weight.rule : Weight.certainDifference) + touches,
      about: Set(found.map(\.failed.number)))
  }
}
