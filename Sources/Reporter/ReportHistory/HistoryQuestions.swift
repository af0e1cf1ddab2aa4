package import Collector
package import ReportModel

extension HistoryStore {
  // MARK: - The tests of a report

  /// The past of tests that failed, now or in recent runs.
  ///
  /// - Parameter run: The report's run; later runs are ignored.
  package func past(of tests: [TestResult], in run: HistoryRun) throws(HistoryError) -> [TestCaseID: TestPast]
  {
    try read { connection in
      guard try Self.hasRuns(in: connection, before: run) else { return [:] }
      let failed = try Self.recentlyFailed(in: connection, before: run)
      let told = tests.filter { test in
        test.hasFailedOnce || test.outcome == .passed && failed.contains(test.id.historyIdentity)
      }
      let question = PastQuestion(identities: told.map(\.id.historyIdentity), label: run.label, run: run)
      let known = Dictionary(grouping: try question.pasts(in: connection), by: \.identity)
      var pasts: [TestCaseID: TestPast] = [:]
      for test in told {
        var past = known[test.id.historyIdentity]?.first?.past ?? TestPast(outcomes: [])
        past.outcomes.append(PastOutcome(test, in: run))
        pasts[test.id] = past
      }
      return pasts
    }
  }

  /// True when the label has earlier runs; otherwise every test would be new.
  private static func hasRuns(in connection: any HistoryConnection, before run: HistoryRun) throws -> Bool {
    try connection.rows(
      "SELECT 1 FROM runs WHERE label = ? AND began < ? AND key <> ? LIMIT 1", .text(run.label),
      .real(run.began), .text(run.key)
    ).step()
  }

  /// Tests that failed in one of the label's last runs.
  private static func recentlyFailed(in connection: any HistoryConnection, before run: HistoryRun) throws
    -> Set<String>
  {
    let identities = try connection.all(
      """
      SELECT DISTINCT tests.identity FROM outcomes JOIN tests ON tests.id = outcomes.test
      WHERE (outcomes.\(isFailure) OR outcomes.flaky = 1) AND outcomes.run IN (
        SELECT id FROM runs WHERE label = ? AND began < ? AND key <> ? ORDER BY began DESC LIMIT \(TestPast.lastRuns))
      """, [.text(run.label), .real(run.began), .text(run.key)]
    ) { $0.shortText(at: 0) ?? "" }
    return Set(identities)
  }

  // MARK: - What is printed

  package func overview(mostRuns: Int) throws(HistoryError) -> HistoryOverview {
    try read { connection in
      let pasts = try Self.troubled(in: connection)
      return HistoryOverview(
        runs: try Self.runs(in: connection, most: mostRuns),
        failing: pasts.filter { $0.past.trouble == .failing }, flaky: pasts.filter(\.past.isFlaky))
    }
  }

  /// The pasts of one test, by label.
  package func pasts(ofTest identity: String) throws(HistoryError) -> [NamedPast] {
    try read { connection in
      try PastQuestion(identities: [identity]).pasts(in: connection).sorted { $0.label < $1.label }
    }
  }

  /// The durations of test functions, as sums over their cases in the latest of 100 runs.
  package func durations() throws(HistoryError) -> [TestCaseID: Double] {
    try read { connection in
      let rows = try connection.rows(
        """
        WITH recent AS (
          SELECT id, row_number() OVER (ORDER BY began DESC, id DESC) AS rank FROM runs
          ORDER BY began DESC, id DESC LIMIT 100),
        latest AS (
          SELECT outcomes.test, min(recent.rank) AS rank FROM recent JOIN outcomes ON outcomes.run = recent.id
          WHERE outcomes.duration >= 0 GROUP BY outcomes.test)
        SELECT tests.module, tests.suite, tests.name, outcomes.duration
        FROM latest JOIN recent ON recent.rank = latest.rank
          JOIN outcomes ON outcomes.run = recent.id AND outcomes.test = latest.test
          JOIN tests ON tests.id = latest.test
        """)
      var durations: [TestCaseID: Double] = [:]
      while try rows.step() {
        func text(_ column: Int32) -> String { rows.shortText(at: column) ?? "" }
        let suite = text(1).split(separator: "/").map(String.init)
        let test = TestCaseID(module: text(0), suite: suite, name: text(2))
        durations[test, default: 0] += rows.real(at: 3)
      }
      return durations
    }
  }

  package func identities() throws(HistoryError) -> [String] {
    try read { connection in
      try connection.all("SELECT identity FROM tests ORDER BY identity") { $0.shortText(at: 0) ?? "" }
    }
  }

  private static func runs(in connection: any HistoryConnection, most: Int) throws -> [TrendRun] {
    try connection.all(
      """
      SELECT \(HistoryRun.columns), \(TrendRun.columns)
      FROM runs LEFT JOIN run_totals ON run_totals.run = runs.id ORDER BY runs.began DESC, runs.id DESC LIMIT ?
      """, [.integer(Int64(most))]
    ) { TrendRun($0) }
  }

  private static func troubled(in connection: any HistoryConnection) throws -> [NamedPast] {
    let found = try connection.all(
      """
      WITH recent AS (
        SELECT id, label, row_number() OVER (PARTITION BY label ORDER BY began DESC, id DESC) AS rank FROM runs)
      SELECT DISTINCT tests.identity, recent.label FROM recent JOIN outcomes ON outcomes.run = recent.id
      JOIN tests ON tests.id = outcomes.test
      WHERE rank <= \(TestPast.lastRuns) AND (outcomes.\(isFailure) OR outcomes.flaky = 1)
      """
    ) { [$0.shortText(at: 0) ?? "", $0.shortText(at: 1) ?? ""] }
    // One query for all labels: each scans all outcomes of its tests.
    let troubled = Set(found)
    return try PastQuestion(identities: Array(Set(found.map { $0[0] }))).pasts(in: connection)
      .filter { troubled.contains([$0.identity, $0.label]) }
      .sorted { ($0.identity, $0.label) < ($1.identity, $1.label) }
  }
}

private struct PastQuestion {
  let identities: [String]
  var label: String?
  /// Only earlier runs count; `nil` for all.
  var run: HistoryRun?

  func pasts(in connection: any HistoryConnection) throws -> [NamedPast] {
    let found = try found(in: connection)
    let runs = try connection.all(
      of: Set(found.map(\.run)), "SELECT \(HistoryRun.columns), runs.id FROM runs WHERE id",
      at: HistoryRun.columnCount
    ) { HistoryRun($0) }
    let outcomes = found.compactMap { each in
      runs[each.run].map { run in
        let outcome = PastOutcome(
          run: run, outcome: each.outcome, isFlaky: each.isFlaky, duration: each.duration,
          message: each.message)
        return (test: [each.identity, run.label], outcome: outcome)
      }
    }
    return Dictionary(grouping: outcomes, by: \.test).map { test, outcomes in
      let past = TestPast(
        outcomes: outcomes.prefix(TestPast.mostRuns).reversed().map(\.outcome),
        hasEarlier: outcomes.count > TestPast.mostRuns)
      return NamedPast(identity: test[0], label: test[1], past: past)
    }
  }

  private struct FoundOutcome {
    var run: Int64
    var identity: String
    var outcome: Outcome
    var isFlaky: Bool
    var duration: Double?
    var message: String?
  }

  private func found(in connection: any HistoryConnection) throws -> [FoundOutcome] {
    var found: [FoundOutcome] = []
    try connection.each(identities, question, values) { rows in
      // An unknown outcome of another version.
      guard let outcome = Outcome(rawValue: rows.shortText(at: 2) ?? "") else { return }
      found.append(
        FoundOutcome(
          run: rows.integer(at: 0), identity: rows.shortText(at: 1) ?? "", outcome: outcome,
          isFlaky: rows.integer(at: 3) != 0, duration: rows.optionalReal(at: 4),
          message: rows.shortText(at: 5)))
    }
    return found
  }

  private func question(_ identities: String) -> String {
    """
    SELECT * FROM (
      SELECT runs.id, tests.identity, outcomes.outcome, outcomes.flaky, outcomes.duration, messages.text,
        row_number() OVER (PARTITION BY tests.id, runs.label ORDER BY runs.began DESC, runs.id DESC) AS rank
      FROM tests JOIN outcomes ON outcomes.test = tests.id JOIN runs ON runs.id = outcomes.run
        LEFT JOIN messages ON messages.id = outcomes.message
      WHERE tests.identity IN (\(identities))\(label == nil ? "" : " AND runs.label = ?")
        \(run == nil ? "" : " AND runs.began < ? AND runs.key <> ?")
    ) AS ranked WHERE rank <= \(TestPast.mostRuns + 1) ORDER BY rank
    """
  }

  private var values: [HistoryValue] {
    (label.map { [.text($0)] } ?? []) + (run.map { [.real($0.began), .text($0.key)] } ?? [])
  }
}

extension HistoryRun {
  static let columns = """
    runs.key, runs.name, runs.label, runs.commit_hash, runs.dirty, runs.branch, runs.address, runs.began, runs.ended
    """
  static let columnCount: Int32 = 9

  init(_ rows: any HistoryRows) {
    self.init(
      key: rows.shortText(at: 0) ?? "", name: rows.shortText(at: 1) ?? "", label: rows.shortText(at: 2) ?? "",
      commit: rows.shortText(at: 3).flatMap { $0.isCommitHash ? $0 : nil },
      isDirty: rows.optionalInteger(at: 4).map { $0 != 0 }, branch: rows.shortText(at: 5),
      address: rows.shortText(at: 6), began: rows.real(at: 7), ended: rows.optionalReal(at: 8))
  }
}

extension TrendRun {
  /// Columns that follow those of the run.
  static let columns = "run_totals.tests, run_totals.failures, run_totals.flaky, run_totals.skipped"
  static let columnCount = HistoryRun.columnCount + 4

  init(_ rows: any HistoryRows) {
    func count(_ column: Int32) -> Int { rows.count(at: HistoryRun.columnCount + column) }
    self.init(
      run: HistoryRun(rows), tests: count(0), failures: count(1), flaky: count(2), skipped: count(3))
  }
}

// MARK: - The last pass

/// The commit on which tests last passed.
package enum LastPass: Sendable, Equatable {
  /// The full hash, and how many of the tests passed.
  case commit(String, passed: Int)
  /// The reason, as a sentence.
  case none(String)
}

extension HistoryStore {
  /// The newest unmodified commit on which all tests passed, or else most of them.
  package func lastPass(of tests: [TestCaseID], label: String) throws(HistoryError) -> LastPass {
    try read { connection in
      let question = { (identities: String) in
        """
        SELECT runs.commit_hash, max(runs.began), count(DISTINCT tests.id) FROM tests
        JOIN outcomes ON outcomes.test = tests.id JOIN runs ON runs.id = outcomes.run
        WHERE tests.identity IN (\(identities)) AND runs.label = ? AND runs.dirty = 0 AND outcomes.outcome = 'passed'
          AND runs.commit_hash IS NOT NULL GROUP BY runs.commit_hash
        """
      }
      var commits: [String: (passed: Int, began: Double)] = [:]
      try connection.each(Array(Set(tests.map(\.historyIdentity))), question, [.text(label)]) { rows in
        guard let commit = rows.shortText(at: 0), commit.isCommitHash else { return }
        let known = commits[commit] ?? (0, 0)
        commits[commit] = (known.passed + Int(rows.integer(at: 2)), max(known.began, rows.real(at: 1)))
      }
      let best = commits.max { ($0.value.passed, $0.value.began) < ($1.value.passed, $1.value.began) }
      if let best { return .commit(best.key, passed: best.value.passed) }
      let subject = tests.count == 1 ? "the test" : "any of the tests"
      return .none(
        "The history \(name) has no run with the label \(label) in which \(subject) passed on a commit without changes."
      )
    }
  }
}
