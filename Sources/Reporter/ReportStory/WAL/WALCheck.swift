package import ReportInspection
import ReportModel

/// What the WAL of a database adds to what a trace tells of it.
struct WALCheck {
  /// What nobody recorded, and the step behind which it was committed.
  struct Outside {
    var after: Int
    var step: StoryStep
  }

  /// In order.
  private(set) var outside: [Outside] = []
  /// By number of a step whose rows the trace does not tell: those that its transaction changed.
  private(set) var changes: [Int: [StoryTableChanges]] = [:]
  /// How many transactions of the WAL came before the first of which the trace does not tell the rows, behind the
  /// baseline; `nil` where there is none.
  private(set) var untoldFrom: Int?
  /// What contradicts the trace, in sentences.
  private(set) var contradictions: [String] = []

  /// Contradictions that are told of one database.
  private static let mostTold = 3

  /// - Parameters:
  ///   - commits: What the trace tells of the database.
  ///   - history: What its WAL tells.
  ///   - database: Its index among the story's.
  ///   - baseline: The number of the last step of the set-up.
  init(
    _ commits: [TraceCommit], _ history: WALHistory, database: Int, naming databases: [StoryDatabase],
    baseline: Int, columns: (StoryTable, Int) -> [String]?
  ) {
    let alignment = WALAlignment(commits, history.transactions)
    let found = alignment.contradictions()
    contradictions = Array(found.prefix(Self.mostTold))
    if found.count > Self.mostTold {
      contradictions.append("So it is of \(counted(found.count - Self.mostTold, "more transaction")).")
    }
    for index in alignment.unexplained {
      let transaction = history.transactions[index]
      let before = alignment.pairs.last { $0.transaction < index }
      let step = StoryStep(transaction, number: 0, database: database, naming: databases, columns: columns)
      outside.append(Outside(after: before.map { commits[$0.commit].number } ?? 0, step: step))
    }
    for pair in alignment.pairs where commits[pair.commit].lacksRows && commits[pair.commit].rows.isEmpty {
      let (commit, transaction) = (commits[pair.commit], history.transactions[pair.transaction])
      changes[commit.lastWrite] = transaction.changes(of: database, columns: columns)
      if commit.number > baseline, !commit.isLater, untoldFrom == nil { untoldFrom = transaction.number - 1 }
    }
  }

  /// What a reader has to know of it, in a sentence; `nil` for nothing.
  ///
  /// - Parameter name: The database's.
  func notice(naming name: String) -> String? {
    guard let first = outside.first else { return nil }
    let most = outside.prefix(3).compactMap(\.step.commit?.text).joined(separator: "; ")
    let more = outside.count > 3 ? " and \(grouped(outside.count - 3)) more" : ""
    let times = outside.count == 1 ? "once" : "\(grouped(outside.count)) times"
    return
      "Another process, connection or test committed to \(name) \(times) meanwhile, first behind step \(first.after): \(most)\(more)."
  }
}

extension StoryBuilder {
  /// Compares what was recorded with the WAL of a database, and tells what that has beside it.
  ///
  /// - Returns: What contradicts each other, in sentences.
  package mutating func compare(with history: WALHistory, of database: Int) -> [String] {
    let check = WALCheck(
      commits(on: database), history, database: database, naming: databases.list, baseline: baseline,
      columns: layouts.knownColumns)
    for var outside in check.outside {
      outside.step.number = -(fromWAL.outside.count + 1)
      fromWAL.outside.append(outside)
    }
    fromWAL.outside.sort { ($0.after, -$0.step.number) < ($1.after, -$1.step.number) }
    fromWAL.changes.merge(check.changes) { _, new in new }
    if let notice = check.notice(naming: databases.list[database].name) { fromWAL.notices.append(notice) }
    if recorded.withoutChanges != nil, !check.changes.isEmpty {
      fromWAL.notices.append(
        "The rows of \(databases.list[database].name) come from its WAL, commit by commit: each with the last statement of its transaction that wrote."
      )
      fromWAL.untold[database] = check.untoldFrom
    }
    return check.contradictions
  }

  /// Takes the changes in all from the WAL, where the trace has none of a database.
  package mutating func take(net: WALHistory.Transaction, of database: Int) {
    fromWAL.net +=
      ChangeSummary(net, of: database, naming: databases.list, columns: layouts.knownColumns).tables
  }
}

/// What the WALs of its databases add to a recorded story.
package struct StoryFromWAL {
  /// What nobody recorded, in the order of the steps behind which it was committed.
  var outside: [WALCheck.Outside] = []
  /// By number of a step whose rows were not told.
  var changes: [Int: [StoryTableChanges]] = [:]
  /// Of databases whose rows were not told: behind how many transactions of their WALs those of the test begin.
  package var untold: [Int: Int] = [:]
  /// What those transactions changed in all.
  var net: [ChangeSummary.Table] = []
  var notices: [String] = []

  /// Adds what the trace does not tell to the changes in all.
  func complete(_ changes: inout ChangeSummary, naming databases: [StoryDatabase]) {
    guard !net.isEmpty else { return }
    let tables = Set(net.map(\.table))
    changes.tables = changes.tables.filter { !tables.contains($0.table) } + net
    changes.sentence = changes.sentence(naming: databases)
  }
}
