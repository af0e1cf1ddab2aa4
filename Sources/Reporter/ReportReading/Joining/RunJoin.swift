import Collector
package import ReportModel

/// Joins the inputs of each run, and then the runs: the newest run of a test decides, the others are attempts.
package struct RunJoin {
  /// Tests sorted by identity.
  package private(set) var tests: [TestRecord] = []
  package private(set) var remarks = Remarks()

  package init(_ all: [RunInputs]) {
    let runs = Self.ordered(all)
    let joins = Self.inputs(of: all).map(InputJoin.init)
    for join in joins { remarks.append(join.remarks) }
    tests = joins.count == 1 ? joins[0].tests : Self.merge(joins, of: runs.map(\.id))
  }

  /// Gives the tests away, so that who gets them can change them in place.
  package mutating func takeTests() -> [TestRecord] {
    defer { tests = [] }
    return tests
  }

  /// The inputs of each run, oldest first.
  static func inputs(of all: [RunInputs]) -> [[InputTests]] {
    let runs = ordered(all)
    if runs.isEmpty { return [all.flatMap(\.inputs)] }
    // A file outside of runs counts for the newest run, since the user named both.
    let newest = runs.last?.id
    return runs.map { run in
      all.filter { ($0.run == nil ? newest : $0.id) == run.id }.flatMap(\.inputs)
    }
  }

  /// The inputs with a run, oldest first.
  private static func ordered(_ all: [RunInputs]) -> [RunInputs] {
    all.enumerated().filter { $0.element.run != nil }
      .sorted { ($0.element.run?.start ?? 0, $0.offset) < ($1.element.run?.start ?? 0, $1.offset) }
      .map(\.element)
  }

  private static func merge(_ joins: [InputJoin], of runs: [RunID]) -> [TestRecord] {
    let all = zip(joins, runs).flatMap { join, run in join.tests.map { (run: run, test: $0) } }
    let attempts = Dictionary(grouping: all, by: \.test.id)
    return attempts.values.compactMap { attempts in
      guard var deciding = attempts.last?.test else { return nil }
      // The time line is the newest run's.
      if attempts.last?.run != runs.last { deciding.span = nil }
      let earlier = attempts.dropLast()
      guard let last = attempts.last, !earlier.isEmpty else { return deciding }
      deciding.attempts =
        earlier.flatMap { $0.test.attempts + [TestAttempt($0.test, run: $0.run)] }
        + deciding.attempts
      // When the last attempt passed, readers look for the evidence of a failed one.
      deciding.observed = ([last] + earlier).flatMap { attempt in
        attempt.test.observed.map { evidence in
          var evidence = evidence
          evidence.run = attempt.run
          return evidence
        }
      }
      return deciding
    }.sorted { $0.id < $1.id }
  }
}

extension TestAttempt {
  fileprivate init(_ test: TestResult, run: RunID) {
    self.init(
      outcome: test.outcome, duration: test.duration, issues: test.issues, run: run, output: test.output)
  }
}
