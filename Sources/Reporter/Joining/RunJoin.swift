import Collector

/// Joins the inputs of each run, and then the runs: the newest that has a test decides, the others are attempts.
struct RunJoin {
  /// Sorted by identity.
  private(set) var tests: [JoinedTest] = []
  private(set) var findings = Findings()

  init(_ set: InputSet) {
    let order = Self.order(of: set.runs)
    // A file that lies in no run is taken to be of the newest: the user named both.
    let newest = order.last
    let joins =
      order.isEmpty
      ? [InputJoin(set.inputs)]
      : order.map { run in
        InputJoin(set.inputs.filter { ($0.run ?? newest) == run })
      }
    for join in joins { findings.append(join.findings) }
    tests = joins.count == 1 ? joins[0].tests : Self.merge(joins, names: order.map { set.runs[$0].name })
  }

  /// Oldest first.
  private static func order(of runs: [Report.Run]) -> [Int] {
    runs.indices.sorted { (runs[$0].start ?? 0, $0) < (runs[$1].start ?? 0, $1) }
  }

  private static func merge(_ joins: [InputJoin], names: [String]) -> [JoinedTest] {
    let all = zip(joins, names).flatMap { join, name in join.tests.map { (run: name, test: $0) } }
    let attempts = Dictionary(grouping: all, by: \.test.result.id)
    return attempts.values.compactMap { attempts in
      guard var deciding = attempts.last?.test else { return nil }
      // The time line is that of the newest run.
      if attempts.last?.run != names.last { deciding.result.span = nil }
      let earlier = attempts.dropLast()
      guard let last = attempts.last, !earlier.isEmpty else { return deciding }
      deciding.result.attempts =
        earlier.flatMap { $0.test.result.attempts + [TestAttempt($0.test.result, run: $0.run)] }
        + deciding.result.attempts
      // What an attempt that failed left is what one looks for when the last one passed.
      deciding.evidence = ([last] + earlier).flatMap { attempt in
        attempt.test.evidence.map { evidence in
          var evidence = evidence
          evidence.run = attempt.run
          return evidence
        }
      }
      return deciding
    }.sorted { $0.result.id < $1.result.id }
  }
}

extension TestAttempt {
  fileprivate init(_ test: TestResult, run: String) {
    self.init(
      outcome: test.outcome, duration: test.duration, issues: test.issues, run: run, output: test.output)
  }
}
