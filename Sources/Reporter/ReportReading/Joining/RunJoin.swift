import Collector
package import ReportModel

/// Joins each run's inputs, then the runs.
///
/// Of each label the newest run decides, and older ones are attempts; among labels the worst outcome counts.
package struct RunJoin {
  package private(set) var tests: [TestRecord] = []
  package private(set) var remarks = Remarks()
  package private(set) var overviews: [RunID: RunOverview] = [:]
  private(set) var repeated: [TestCaseID] = []

  package init(_ all: [RunInputs]) {
    var rounds = Self.rounds(of: all)
    let runs = Set(rounds.map(\.run)).count
    if Set(rounds.map(\.label)).count == 1 {
      for index in rounds.indices { rounds[index].label = "" }
    }
    var joined: [[TestRecord]] = []
    for index in rounds.indices {
      let join = InputJoin(rounds[index].inputs)
      rounds[index].inputs = []
      remarks.append(join.remarks)
      if runs > 1, rounds[index].number == 0, let run = rounds[index].run {
        overviews[run] = RunOverview(join.tests)
      }
      joined.append(join.tests)
    }
    tests = joined.count == 1 ? joined[0] : merge(joined, of: rounds)
  }

  /// Moves the tests out, so that changing them needs no copy.
  package mutating func takeTests() -> [TestRecord] {
    defer { tests = [] }
    return tests
  }

  static func inputs(of all: [RunInputs]) -> [[InputTests]] { rounds(of: all).map(\.inputs) }

  fileprivate struct Round {
    var run: RunID?
    var label = ""
    var isShard = false
    var number: Int
    var inputs: [InputTests]

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
      // A file outside of runs counts for the newest run.
      let own = all.filter { ($0.run == nil && $0.round == 0 ? newest : $0.id) == run.id }
      return Dictionary(grouping: own, by: \.round).sorted { $0.key < $1.key }.map { number, inputs in
        Round(
          run: run.id, label: run.run?.machines ?? "", isShard: run.run?.shard != nil, number: number,
          inputs: inputs.flatMap(\.inputs))
      }
    }
  }

  private static func ordered(_ all: [RunInputs]) -> [RunInputs] {
    all.enumerated().filter { $0.element.run != nil }
      .sorted { ($0.element.run?.start ?? 0, $0.offset) < ($1.element.run?.start ?? 0, $1.offset) }
      .map(\.element)
  }

  private struct Attempt {
    var round: Round
    var test: TestRecord

    func following(_ earlier: [Attempt]) -> Attempt {
      if earlier.isEmpty { return self }
      var result = self
      result.test.attempts =
        earlier.flatMap { $0.test.attempts + [TestAttempt($0.test, $0.round)] } + test.attempts
      // After a pass, readers look for an earlier attempt's evidence.
      result.test.observed = ([self] + earlier).flatMap { attempt in
        attempt.test.observed.map { evidence in
          var evidence = evidence
          evidence.run = evidence.run ?? attempt.round.id
          return evidence
        }
      }
      return result
    }

    /// Moves a round's story to the end, since the last story is shown.
    mutating func tellLastStory(of told: RunID? = nil) {
      let stories = test.observed.filter { $0.kind == .story }
      guard stories.count > 1 else { return }
      let told = told ?? round.id
      test.observed.removeAll { $0.kind == .story }
      test.observed += stories.filter { $0.run != told } + stories.filter { $0.run == told }
    }
  }

  private mutating func merge(_ joined: consuming [[TestRecord]], of rounds: [Round]) -> [TestRecord] {
    var origins: [Int] = []
    for (round, tests) in joined.enumerated() { origins += repeatElement(round, count: tests.count) }
    var all = Array(joined.joined())
    joined = []
    let order = all.indices.sorted { all[$0].id != all[$1].id ? all[$0].id < all[$1].id : $0 < $1 }
    // Shards have different clocks, hence no time line.
    let isOne = Set(rounds.map(\.run)).count == 1
    let newest = isOne || !rounds.contains(where: \.isShard) ? rounds.last?.run : nil
    var merged: [TestRecord] = []
    merged.reserveCapacity(all.count)
    order.forEachStretch({ all[$0].id == all[$1].id }) { same in
      let first = same[same.startIndex]
      if same.count == 1 {
        if !all[first].isPlain, rounds[origins[first]].run != newest { all[first].span = nil }
        merged.append(all[first])
      } else {
        merged.append(join(same.map { Attempt(round: rounds[origins[$0]], test: all[$0]) }, newest))
      }
    }
    return merged
  }

  /// - Parameter attempts: Of one test; nonempty, by run, oldest first.
  private mutating func join(_ attempts: [Attempt], _ newest: RunID?) -> TestRecord {
    let runs = attempts.groups(\.round.run)
    if runs.count > 1 { repeated.append(attempts[0].test.id) }
    let labels = runs.map(Self.decide).groups(\.round.label)
    let decided = labels.map { runs in runs[runs.count - 1].following(Array(runs.dropLast())) }
    var result = decided[decided.count - 1]
    if decided.count > 1 {
      var others = decided
      let worst = others.indices.reduce(0) { worst, index in
        others[index].test.outcome.severity <= others[worst].test.outcome.severity ? index : worst
      }
      result = others.remove(at: worst).following(others)
      result.tellLastStory()
      result.test.labels = decided.map { LabelledOutcome(label: $0.round.label, outcome: $0.test.outcome) }
    }
    if result.round.run != newest { result.test.span = nil }
    return result.test
  }

  /// Joins one run's rounds: a pass makes the test flaky, otherwise the run itself decides.
  ///
  /// - Parameter attempts: Nonempty, the run itself first.
  private static func decide(_ attempts: [Attempt]) -> Attempt {
    guard attempts.count > 1 else { return attempts[0] }
    let deciding = attempts.lastIndex { $0.test.outcome.hasPassed } ?? 0
    var others = attempts
    var result = others.remove(at: deciding).following(others)
    // Time line and story are the run's own.
    result.test.span = attempts[0].round.number == 0 ? attempts[0].test.span : nil
    result.tellLastStory(of: attempts[0].round.id)
    return result
  }
}

extension TestAttempt {
  fileprivate init(_ test: TestResult, _ round: RunJoin.Round) {
    self.init(test)
    run = round.id
    label = round.label.isEmpty ? nil : round.label
  }
}
