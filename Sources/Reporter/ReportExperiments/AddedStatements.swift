import Collector
import ReportModel
import ReportStory

/// Experiments that run an additional statement: objects that a rebuilt table lost, or a new transaction.
package enum AddedStatements {
  /// Rows of docs/explain.md: operator, change, source.
  package static let all: [(name: String, summary: String, source: String)] = [
    ("made again", "a trigger or an index that a table made anew has lost", slip),
    ("snapshot", "a transaction that only read begun anew before a read", slip),
  ]

  private static let slip = StatementOperator.Source.slip.rawValue

  /// An experiment with the step it precedes.
  struct Added {
    var step: ToldSteps.Step
    var experiment: PlannedExperiment
  }

  // MARK: - What tables lost

  private struct Part {
    var name: String
    /// The table it was made on, and that table's present name.
    var table: String
    var holder: String
    var sql: String
    var words: String
  }

  static func madeAgain(_ steps: [ToldSteps.Step]) -> [Added] {
    var parts: [Part] = []
    var lost: [Part] = []
    var found: [Added] = []
    for step in steps where step.recorded.error == nil {
      // After the rebuild: before the first step that does not change the schema.
      guard isOfSchema(step) else {
        found += lost.map { Added(step: step, experiment: experiment($0, before: step)) }
        lost = []
        continue
      }
      let statement = ParsedStatement(step.sql)
      switch statement.verb {
      case .trigger, .index:
        guard let part = part(statement) else { continue }
        parts.append(part)
        lost.removeAll { $0.name == part.name }
      case .drop:
        guard let name = statement.tokens.last?.name.lowercased() else { continue }
        if statement.word(1) == "TABLE" {
          lost += parts.filter { $0.holder == name }
          parts.removeAll { $0.holder == name }
        } else {
          parts.removeAll { $0.name == name }
        }
      default:
        guard let (old, new) = renaming(statement) else { continue }
        for index in parts.indices where parts[index].holder == old { parts[index].holder = new }
      }
    }
    return found
  }

  private static func renaming(_ statement: ParsedStatement) -> (old: String, new: String)? {
    let count = statement.tokens.count
    guard count >= 6, statement.word(0) == "ALTER", statement.word(count - 3) == "RENAME",
      statement.word(count - 2) == "TO"
    else { return nil }
    return (statement.tokens[count - 4].name.lowercased(), statement.tokens[count - 1].name.lowercased())
  }

  private static func isOfSchema(_ step: ToldSteps.Step) -> Bool {
    switch step.text.kind {
    case .create, .drop, .alter: true
    default: false
    }
  }

  private static func part(_ statement: ParsedStatement) -> Part? {
    let isTrigger = statement.verb == .trigger
    guard
      let kind = statement.tokens.indices.first(where: {
        statement.word($0) == (isTrigger ? "TRIGGER" : "INDEX")
      })
    else { return nil }
    let place = statement.word(kind + 1) == "IF" ? kind + 4 : kind + 1
    let index = statement.text(place + 1) == "." ? place + 2 : place
    guard let name = statement.tokens[safe: index]?.name else { return nil }
    return Part(
      name: name.lowercased(), table: statement.subject, holder: statement.subject, sql: statement.sql,
      words: "\(isTrigger ? "trigger" : "index") “\(name)”")
  }

  private static func experiment(_ part: Part, before step: ToldSteps.Step) -> PlannedExperiment {
    let words = "With the \(part.words) made again on “\(part.table)”, which was made anew,"
    return PlannedExperiment(
      intervention: .before(step.sql, run: part.sql), words: words, bare: words, operatorName: "made again",
      rank: 0)
  }

  // MARK: - Snapshots

  /// - Returns: `nil` outside of a transaction, or after a write in it.
  static func snapshot(before read: ToldSteps.Step, _ steps: [ToldSteps.Step]) -> PlannedExperiment? {
    guard read.text.kind == .select, let transaction = read.transaction,
      !steps.contains(where: {
        $0.transaction == transaction && $0.number < read.number && $0.text.isWrite
      }),
      steps.contains(where: {
        $0.transaction == transaction && $0.number < read.number && $0.text.kind == .select
      })
    else { return nil }
    let words = "With a transaction begun anew before this read"
    return PlannedExperiment(
      intervention: .before(read.sql, run: "COMMIT; BEGIN"), words: words, bare: words,
      operatorName: "snapshot", rank: 0)
  }
}
