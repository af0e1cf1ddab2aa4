import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Rows that went with a savepoint or a transaction when another statement in it failed, and the program went on.
struct UndoneWrites {
  private static let (fewest, rareEnough) = (10, 0.25)

  private let tests: [ToldSteps.Step]
  private let told: ToldSteps
  private let disagreement: Disagreement

  init(_ tests: [ToldSteps.Step], _ told: ToldSteps, _ disagreement: Disagreement) {
    (self.tests, self.told, self.disagreement) = (tests, told, disagreement)
  }

  private struct Undone {
    var failed: ToldSteps.Step
    var rollback: ToldSteps.Step
    var changes: [ToldSteps.Change]
  }

  var explanations: [Explanation] {
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
    var (failed, open): ([Int: ToldSteps.Step], [Int: [ToldSteps.Change]]) = ([:], [:])
    var found: [Undone] = []
    for step in tests {
      let connection = step.recorded.connection
      switch step.text.kind {
      case .rollback, .rollbackTo:
        if let failure = failed[connection], let changes = open[connection], !changes.isEmpty {
          found.append(Undone(failed: failure, rollback: step, changes: changes))
        }
        (failed[connection], open[connection]) = (nil, nil)
      case .begin, .savepoint, .commit, .release: (failed[connection], open[connection]) = (nil, nil)
      default:
        if step.recorded.error != nil { failed[connection] = step }
        if step.recorded.error == nil, !step.undone.isEmpty { open[connection, default: []] += step.undone }
      }
    }
    return found
  }

  private func explanation(_ found: [Undone], _ first: Undone, among begins: Int) -> Explanation? {
    let changes = found.flatMap(\.changes).filter { $0.told.depth == 0 }
    let counts = Dictionary(changes.map { ($0.table, 1) }, uniquingKeysWith: +)
    guard let most = counts.max(by: { ($0.value, $1.key.name) < ($1.value, $0.key.name) }) else { return nil }
    let met = told.difference(of: changes, disagreement)
    let isRare = begins >= Self.fewest && Double(found.count) <= Double(begins) * Self.rareEnough
    let touches = disagreement.weight(of: [most.key.name])
    guard met != nil || isRare && touches > 0 else { return nil }
    var pieces: [Explanation.Piece] = StepFamily(sql: first.failed.sql, place: first.failed.place).pieces
    pieces += [.text(" failed in "), .step(first.failed.number)]
    if found.count > 1 { pieces.append(.text(" and \(counted(found.count - 1, "other step"))")) }
    if let message = first.failed.recorded.error?.message {
      pieces.append(.values(" (\(shortened(message, to: 60)))"))
    }
    pieces += [.text("; "), .statement(first.rollback.sql)]
    if let place = first.rollback.place { pieces += [.text(" in "), .place(place)] }
    pieces.append(
      .text(
        " took back \(counted(changes.count, "change")) that went well before, \(grouped(most.value)) of them of \(most.key.name), and the test went on"
      ))
    if let met { pieces.append(.values(met)) }
    pieces.append(.text("."))
    return Explanation(
      met == nil ? .likely : .certain, pieces,
      rows: told.rows(
        of: changes.filter { $0.table == most.key }, in: most.key, title: "\(most.key.name): taken back"),
      weight: (met == nil ? Weight.rule : Weight.certainDifference) + touches,
      about: Set(found.map(\.failed.number)))
  }
}
