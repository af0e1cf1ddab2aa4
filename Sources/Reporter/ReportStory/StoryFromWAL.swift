import Collector
package import ReportInspection
import ReportModel

/// What the WALs of a recorded story's databases add to it.
package struct StoryFromWAL {
  /// A transaction that no recorded step is known to have made.
  struct Outside {
    var after: Int
    var state = StoryGroup.State.unexplained
    var step: StoryStep
  }

  fileprivate(set) var outside: [Outside] = []
  fileprivate(set) var notices: [String] = []
  /// Of databases whose rows were not told.
  fileprivate var net: [ChangeSummary.Table] = []

  fileprivate mutating func add(_ found: [Outside]) {
    for var found in found {
      let number = -(outside.count + 1)
      found.step.change { $0.number = number }
      outside.append(found)
    }
    outside.sort { ($0.after, -$0.step.number) < ($1.after, -$1.step.number) }
  }

  func complete(_ changes: inout ChangeSummary, naming databases: [StoryDatabase]) {
    guard !net.isEmpty else { return }
    let tables = Set(net.map(\.table))
    changes.tables = changes.tables.filter { !tables.contains($0.table) } + net
    changes.sentence = changes.sentence(naming: databases)
  }
}

extension StoryBuilder {
  /// Transactions of a database whose rows are not told.
  private static let mostTold = 1000

  /// Adds what no recorded step made; all of it where no rows are told.
  package func add(_ history: WALHistory, of database: Int) {
    let name = databases.list[database].name
    guard recorded.withoutChanges == nil else {
      guard !history.transactions.isEmpty else { return }
      let told = history.transactions.filter { $0.number > history.before ?? 0 }.suffix(Self.mostTold)
      let place = min(failure, steps.last?.number ?? 0)
      fromWAL.add(told.map { .init(after: place, state: .inWAL, step: step($0, database)) })
      fromWAL.net +=
        ChangeSummary(history.net, of: database, naming: databases.list, layouts).tables
      fromWAL.notices += history.problems.map { "\(name): \($0)" }
      fromWAL.notices.append(
        "The rows of \(name) come from its WAL, transaction by transaction since \(history.before == nil ? "its last checkpoint" : "the baseline"), whoever committed them."
      )
      return
    }
    guard !history.transactions.isEmpty else { return }
    let found = unexplained(in: history, writes(to: database)).map {
      StoryFromWAL.Outside(after: $0.after, step: step($0.transaction, database))
    }
    guard let first = found.first else { return }
    fromWAL.add(found)
    let most = found.prefix(3).compactMap(\.step.commit?.text).joined(separator: "; ")
    let more = found.count > 3 ? " and \(grouped(found.count - 3)) more" : ""
    let times = found.count == 1 ? "once" : "\(grouped(found.count)) times"
    fromWAL.notices.append(
      "Another process, connection or test committed to \(name) \(times) meanwhile, first behind step \(first.after): \(most)\(more)."
    )
  }

  private func step(_ transaction: WALHistory.Transaction, _ database: Int) -> StoryStep {
    StoryStep(
      transaction, number: 0, database: database, naming: databases.list, layouts)
  }

  /// The transactions of which no step left a row so, each with the step behind which it was committed.
  ///
  /// The WAL may begin before the test. So it is read from its end, as far as the test's own transactions reach.
  private func unexplained(
    in history: WALHistory, _ writes: TraceWrites
  ) -> [(transaction: WALHistory.Transaction, after: Int)] {
    var found: [(transaction: WALHistory.Transaction, after: Int)] = []
    var pending: [WALHistory.Transaction] = []
    var (left, place) = (writes.isSilent ? 0 : writes.commits, Int.max)
    for transaction in history.transactions.reversed() where left > 0 {
      if let commit = writes.commit(of: transaction, before: place) {
        (left, place) = (left - 1, commit)
        found += pending.map { ($0, commit) }
        pending = []
      } else if writes.mayBeCut(from: transaction) {
        left -= 1
      } else if transaction.isOfTables, !writes.mayExplain(transaction) {
        pending.append(transaction)
      }
    }
    return found.reversed()
  }
}

extension WALHistory.Transaction {
  fileprivate var isOfTables: Bool {
    !declarations.isEmpty || tables.contains { !$0.isInternal && $0.fate != .kept }
      || touched.contains { TraceWrites.isOfNote($0.table) }
  }
}
