package import Collector
import ExhibitCSQLite
import ExhibitSQLite
package import ReportModel

extension HistoryFile {
  // MARK: - The tests of a report

  /// The past of a report's tests that failed, and of those that passed and failed in one of the last runs.
  ///
  /// - Parameter run: The report's run; runs that began after it are not looked at.
  package func past(of tests: [TestResult], in run: HistoryRun) throws(HistoryError) -> [TestCaseID: TestPast]
  {
    try read { handle in
      guard try Self.hasRuns(in: handle, before: run) else { return [:] }
      let failed = try Self.recentlyFailed(in: handle, before: run)
      let question = try TestQuestion(handle)
      var pasts: [TestCaseID: TestPast] = [:]
      for test in tests {
        guard test.hasFailedOnce || test.outcome == .passed && failed.contains(test.id.description) else {
          continue
        }
        var past = try question.past(of: test.id.description, label: run.label, before: run)
        past.outcomes.append(PastOutcome(test, in: run))
        pasts[test.id] = past
      }
      return pasts
    }
  }

  /// Whether there are earlier ones of the label, else every test would be new.
  private static func hasRuns(in handle: SQLiteHandle, before run: HistoryRun) throws -> Bool {
    let rows = try statement(
      "SELECT 1 FROM runs WHERE label = ? AND began < ? AND key <> ? LIMIT 1", on: handle)
    try rows.bind(run.label, at: 1)
    try rows.bind(run.began, at: 2)
    try rows.bind(run.key, at: 3)
    return try rows.step()
  }

  /// The identities of tests that failed in one of the last runs of a label.
  private static func recentlyFailed(in handle: SQLiteHandle, before run: HistoryRun) throws -> Set<String> {
    let rows = try statement(
      """
      SELECT DISTINCT tests.identity FROM outcomes JOIN tests ON tests.id = outcomes.test
      WHERE (outcomes.outcome IN ('failed', 'crashed', 'unfinished') OR outcomes.flaky = 1) AND outcomes.run IN (
        SELECT id FROM runs WHERE label = ? AND began < ? AND key <> ? ORDER BY began DESC LIMIT 12)
      """, on: handle)
    try rows.bind(run.label, at: 1)
    try rows.bind(run.began, at: 2)
    try rows.bind(run.key, at: 3)
    var identities: Set<String> = []
    while try rows.step() { identities.insert(rows.shortText(at: 0) ?? "") }
    return identities
  }

  // MARK: - What is printed

  /// A run with how many of its tests ended how.
  package struct CountedRun: Sendable, Equatable {
    package var run: HistoryRun
    package var tests: Int
    package var failures: Int
    package var flaky: Int
  }

  /// What a history says of all of its tests.
  package struct Overview: Sendable, Equatable {
    /// Newest first.
    package var runs: [CountedRun]
    /// The tests that failed in the last run of a label that had them, by identity and label.
    package var failing: [NamedPast]
    /// Those that passed and failed on one commit and label, and do not fail.
    package var flaky: [NamedPast]
  }

  package struct NamedPast: Sendable, Equatable {
    package var identity: String
    package var label: String
    package var past: TestPast
  }

  /// - Parameter mostRuns: The runs that are listed.
  package func overview(mostRuns: Int) throws(HistoryError) -> Overview {
    try read { handle in
      let pasts = try Self.troubled(in: handle)
      return Overview(
        runs: try Self.runs(in: handle, most: mostRuns),
        failing: pasts.filter { $0.past.outcomes.last?.outcome.isFailure == true },
        flaky: pasts.filter { each in
          guard each.past.outcomes.last?.outcome.isFailure == false else { return false }
          if case .flaky = each.past.standing { return true }
          return false
        })
    }
  }

  /// The pasts of one test, one for each label.
  ///
  /// - Parameter identity: The whole of it.
  package func pasts(ofTest identity: String) throws(HistoryError) -> [NamedPast] {
    try read { handle in
      let labels = try statement(
        """
        SELECT DISTINCT runs.label FROM outcomes JOIN runs ON runs.id = outcomes.run
        JOIN tests ON tests.id = outcomes.test WHERE tests.identity = ? ORDER BY runs.label
        """, on: handle)
      try labels.bind(identity, at: 1)
      let question = try TestQuestion(handle)
      var pasts: [NamedPast] = []
      while try labels.step() {
        let label = labels.shortText(at: 0) ?? ""
        pasts.append(
          NamedPast(identity: identity, label: label, past: try question.past(of: identity, label: label)))
      }
      return pasts
    }
  }

  /// How long each test function took in the last of the newest 100 runs that know it, with all its cases.
  package func durations() throws(HistoryError) -> [TestCaseID: Double] {
    try read { handle in
      let rows = try statement(
        """
        SELECT tests.module, tests.suite, tests.name, outcomes.duration, max(runs.began)
        FROM outcomes JOIN runs ON runs.id = outcomes.run JOIN tests ON tests.id = outcomes.test
        WHERE outcomes.duration >= 0 AND runs.id IN (SELECT id FROM runs ORDER BY began DESC, id DESC LIMIT 100)
        GROUP BY outcomes.test
        """, on: handle)
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

  /// The identities of all tests.
  package func identities() throws(HistoryError) -> [String] {
    try read { handle in
      let rows = try statement("SELECT identity FROM tests ORDER BY identity", on: handle)
      var identities: [String] = []
      while try rows.step() { identities.append(rows.shortText(at: 0) ?? "") }
      return identities
    }
  }

  private static func runs(in handle: SQLiteHandle, most: Int) throws -> [CountedRun] {
    let rows = try statement(
      """
      SELECT \(runColumns), (SELECT count(*) FROM outcomes WHERE run = runs.id),
        (SELECT count(*) FROM outcomes WHERE run = runs.id AND outcome IN ('failed', 'crashed', 'unfinished')),
        (SELECT count(*) FROM outcomes WHERE run = runs.id AND flaky = 1)
      FROM runs ORDER BY began DESC, id DESC LIMIT ?
      """, on: handle)
    try rows.bind(Int64(most), at: 1)
    var runs: [CountedRun] = []
    while try rows.step() {
      func count(_ column: Int32) -> Int { Int(rows.integer(at: runColumnCount + column)) }
      runs.append(CountedRun(run: rows.run, tests: count(0), failures: count(1), flaky: count(2)))
    }
    return runs
  }

  /// The pasts of tests that failed in one of the last 12 runs of their label.
  private static func troubled(in handle: SQLiteHandle) throws -> [NamedPast] {
    let rows = try statement(
      """
      WITH recent AS (
        SELECT id, label, row_number() OVER (PARTITION BY label ORDER BY began DESC, id DESC) AS rank FROM runs)
      SELECT DISTINCT tests.identity, recent.label FROM recent JOIN outcomes ON outcomes.run = recent.id
      JOIN tests ON tests.id = outcomes.test
      WHERE rank <= 12 AND (outcomes.outcome IN ('failed', 'crashed', 'unfinished') OR outcomes.flaky = 1)
      ORDER BY tests.identity, recent.label
      """, on: handle)
    let question = try TestQuestion(handle)
    var pasts: [NamedPast] = []
    while try rows.step() {
      let (identity, label) = (rows.shortText(at: 0) ?? "", rows.shortText(at: 1) ?? "")
      pasts.append(
        NamedPast(identity: identity, label: label, past: try question.past(of: identity, label: label)))
    }
    return pasts
  }
}

/// The columns of a run, and how many they are.
private let runColumns = """
  runs.key, runs.name, runs.label, runs.commit_hash, runs.dirty, runs.branch, runs.address, runs.began, runs.ended
  """
private let runColumnCount: Int32 = 9

/// The question for one test's outcomes, compiled once.
private struct TestQuestion {
  private let rows: SQLiteStatement

  init(_ handle: SQLiteHandle) throws {
    rows = try statement(
      """
      SELECT \(runColumns), outcomes.outcome, outcomes.flaky, outcomes.duration, messages.text
      FROM tests JOIN outcomes ON outcomes.test = tests.id JOIN runs ON runs.id = outcomes.run
        LEFT JOIN messages ON messages.id = outcomes.message
      WHERE tests.identity = ? AND runs.label = ? AND runs.began < ? AND runs.key <> ?
      ORDER BY runs.began DESC, runs.id DESC LIMIT \(TestPast.mostRuns + 1)
      """, on: handle)
  }

  /// - Parameter run: The run before which they were; `nil` for all.
  func past(of identity: String, label: String, before run: HistoryRun? = nil) throws -> TestPast {
    rows.reset()
    try rows.bind(identity, at: 1)
    try rows.bind(label, at: 2)
    try rows.bind(run?.began ?? .infinity, at: 3)
    try rows.bind(run?.key ?? "", at: 4)
    var outcomes: [PastOutcome] = []
    while try rows.step() {
      // A word of another version says nothing that could be told.
      guard let outcome = Outcome(rawValue: rows.shortText(at: runColumnCount) ?? "") else { continue }
      outcomes.append(
        PastOutcome(
          run: rows.run, outcome: outcome, isFlaky: rows.integer(at: runColumnCount + 1) != 0,
          duration: rows.optionalReal(at: runColumnCount + 2), message: rows.shortText(at: runColumnCount + 3)
        ))
    }
    return TestPast(
      outcomes: outcomes.prefix(TestPast.mostRuns).reversed(), hasEarlier: outcomes.count > TestPast.mostRuns)
  }
}

extension SQLiteStatement {
  /// A text as long as one that is kept; what is longer is cut.
  func shortText(at column: Int32) -> String? {
    utf8(at: column).map { String(decoding: $0.prefix(HistoryFile.mostTextBytes), as: UTF8.self) }
  }

  /// The run in the first columns, as `runColumns` names them.
  fileprivate var run: HistoryRun {
    HistoryRun(
      key: shortText(at: 0) ?? "", name: shortText(at: 1) ?? "", label: shortText(at: 2) ?? "",
      commit: shortText(at: 3).flatMap { $0.isCommitHash ? $0 : nil },
      isDirty: optionalInteger(at: 4).map { $0 != 0 }, branch: shortText(at: 5), address: shortText(at: 6),
      began: real(at: 7), ended: optionalReal(at: 8))
  }
}

// MARK: - The last pass

/// The commit on which tests passed last.
package enum LastPass: Sendable, Equatable {
  /// The full hash, and how many of the tests passed on it.
  case commit(String, passed: Int)
  /// A sentence that says why there is none.
  case none(String)
}

extension HistoryFile {
  /// The newest commit without changes on which all of some tests passed, or the most of them.
  package func lastPass(of tests: [TestCaseID], label: String) throws(HistoryError) -> LastPass {
    try read { handle in
      let rows = try statement(
        """
        SELECT runs.commit_hash, max(runs.began) FROM tests JOIN outcomes ON outcomes.test = tests.id
        JOIN runs ON runs.id = outcomes.run
        WHERE tests.identity = ? AND runs.label = ? AND runs.dirty = 0 AND outcomes.outcome = 'passed'
          AND runs.commit_hash IS NOT NULL GROUP BY runs.commit_hash
        """, on: handle)
      var commits: [String: (passed: Int, began: Double)] = [:]
      for test in Set(tests.map(\.description)) {
        rows.reset()
        try rows.bind(test, at: 1)
        try rows.bind(label, at: 2)
        while try rows.step() {
          guard let commit = rows.shortText(at: 0), commit.isCommitHash else { continue }
          let known = commits[commit] ?? (0, 0)
          commits[commit] = (known.passed + 1, max(known.began, rows.real(at: 1)))
        }
      }
      let best = commits.max { ($0.value.passed, $0.value.began) < ($1.value.passed, $1.value.began) }
      if let best { return .commit(best.key, passed: best.value.passed) }
      let subject = tests.count == 1 ? "the test" : "any of the tests"
      return .none(
        "The history \(path) has no run with the label \(label) in which \(subject) passed on a commit without changes."
      )
    }
  }
}
