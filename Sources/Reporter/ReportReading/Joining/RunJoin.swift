import Collector
package import ReportModel

/// Joins the inputs of each run, and then the runs: the newest run of a test decides, the others are attempts.
package struct RunJoin {
  /// Tests sorted by identity.
  package private(set) var tests: [TestRecord] = []
  package private(set) var remarks = Remarks()

  package init(_ all: [RunInputs]) {
    let rounds = Self.rounds(of: all)
    let joins = rounds.map { InputJoin($0.inputs) }
    for join in joins { remarks.append(join.remarks) }
    tests = joins.count == 1 ? joins[0].tests : Self.merge(joins, of: rounds)
  }

  /// Gives the tests away, so that who gets them can change them in place.
  package mutating func takeTests() -> [TestRecord] {
    defer { tests = [] }
    return tests
  }

  /// The inputs of each run and of each round of tests that ran again in it, oldest first.
  static func inputs(of all: [RunInputs]) -> [[InputTests]] { rounds(of: all).map(\.inputs) }

  /// The run itself, or a round of its failed tests that ran again.
  private struct Round {
    /// `nil` where no input is of a run.
    var run: RunID?
    /// 0 for the run itself.
    var number: Int
    var inputs: [InputTests]

    /// What attempts and evidence name.
    var id: RunID {
      let run = run ?? RunID(name: "")
      return number == 0
        ? run : RunID(name: "\(run.name), again \(number)", folder: "\(run.folder)/\(number)")
    }
  }

  private static func rounds(of all: [RunInputs]) -> [Round] {
    let runs = ordered(all)
    guard let newest = runs.last?.id else {
      return [Round(run: nil, number: 0, inputs: all.flatMap(\.inputs))]
    }
    return runs.flatMap { run in
      // A file outside of runs counts for the newest run, since the user named both.
      let own = all.filter { ($0.run == nil && $0.round == 0 ? newest : $0.id) == run.id }
      return Dictionary(grouping: own, by: \.round).sorted { $0.key < $1.key }.map { number, inputs in
        Round(run: run.id, number: number, inputs: inputs.flatMap(\.inputs))
      }
    }
  }

  /// The inputs with a run, oldest first.
  private static func ordered(_ all: [RunInputs]) -> [RunInputs] {
    all.enumerated().filter { $0.element.run != nil }
      .sorted { ($0.element.run?.start ?? 0, $0.offset) < ($1.element.run?.start ?? 0, $1.offset) }
      .map(\.element)
  }

  /// One attempt at a test.
  private struct Attempt {
    var round: Round
    var test: TestRecord

    /// The test with attempts of others before it, whose evidence it takes.
    func following(_ earlier: [Attempt]) -> Attempt {
      var result = self
      result.test.attempts =
        earlier.flatMap { $0.test.attempts + [TestAttempt($0.test, run: $0.round.id)] } + test.attempts
      // When the last attempt passed, readers look for the evidence of a failed one.
      result.test.observed = ([self] + earlier).flatMap { attempt in
        attempt.test.observed.map { evidence in
          var evidence = evidence
          evidence.run = evidence.run ?? attempt.round.id
          return evidence
        }
      }
      return result
    }
  }

  private static func merge(_ joins: [InputJoin], of rounds: [Round]) -> [TestRecord] {
    let all = zip(joins, rounds).flatMap { join, round in
      join.tests.map { Attempt(round: Round(run: round.run, number: round.number, inputs: []), test: $0) }
    }
    let newest = rounds.last?.run
    return Dictionary(grouping: all, by: \.test.id).values.compactMap { attempts in
      var runs: [[Attempt]] = []
      for attempt in attempts {
        if runs.last?.last?.round.run == attempt.round.run {
          runs[runs.count - 1].append(attempt)
        } else {
          runs.append([attempt])
        }
      }
      let decided = runs.map(decide)
      guard var last = decided.last else { return nil }
      // The time line is the newest run's.
      if last.round.run != newest { last.test.span = nil }
      return decided.count == 1 ? last.test : last.following(decided.dropLast()).test
    }.sorted { $0.id < $1.id }
  }

  /// Joins the rounds of one run: a pass counts, since the test is flaky then, else the run itself.
  ///
  /// - Parameter attempts: At least one, the run itself first.
  private static func decide(_ attempts: [Attempt]) -> Attempt {
    guard attempts.count > 1 else { return attempts[0] }
    let deciding = attempts.lastIndex { [.passed, .knownIssue].contains($0.test.outcome) } ?? 0
    var others = attempts
    var result = others.remove(at: deciding).following(others)
    // The time line is that of the run itself, and so is the story that is told, for which the last one is taken.
    result.test.span = attempts[0].round.number == 0 ? attempts[0].test.span : nil
    let stories = result.test.observed.filter { $0.kind == .story }
    if stories.count > 1 {
      result.test.observed.removeAll { $0.kind == .story }
      let first = attempts[0].round.id
      result.test.observed += stories.filter { $0.run != first } + stories.filter { $0.run == first }
    }
    return result
  }
}

extension TestAttempt {
  fileprivate init(_ test: TestResult, run: RunID) {
    self.init(
      outcome: test.outcome, duration: test.duration, issues: test.issues, run: run, output: test.output)
  }
}
