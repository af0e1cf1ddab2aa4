import ReportModel

/// A test with its outcomes in a series, stored compactly: there may be millions.
struct FoundTest {
  struct Key: Hashable {
    var test: Int64
    var series: Int
  }

  private struct FoundOutcome {
    var outcome: Outcome
    var isFlaky: Bool
  }

  var key: Key
  private var outcomes: [FoundOutcome?] = []
  /// The last failure's message id and run.
  private(set) var message: (id: Int64, place: Int)?

  init(_ test: Int64, _ series: Int) { key = Key(test: test, series: series) }

  var test: Int64 { key.test }
  var series: Int { key.series }

  mutating func add(_ outcome: Outcome, isFlaky: Bool, message: Int64?, at place: Int) {
    while outcomes.count <= place { outcomes.append(nil) }
    outcomes[place] = FoundOutcome(outcome: outcome, isFlaky: isFlaky)
    guard outcome.isFailure || isFlaky, let message, place < self.message?.place ?? .max else { return }
    self.message = (message, place)
  }

  /// - Parameters:
  ///   - runs: The series' runs, newest first.
  ///   - durations: In seconds, by the run's index among them.
  func past(in runs: [HistoryRun], hasEarlier: Bool, durations: [Int: Double] = [:]) -> TestPast {
    let known = outcomes.indices.prefix(runs.count).compactMap { place in
      outcomes[place].map {
        PastOutcome(run: runs[place], outcome: $0.outcome, isFlaky: $0.isFlaky, duration: durations[place])
      }
    }
    return TestPast(outcomes: known.reversed(), hasEarlier: hasEarlier)
  }

  /// The index of a run's outcome in its past.
  func outcome(at place: Int) -> Int { outcomes.dropFirst(place + 1).count { $0 != nil } }
}

/// Counts the tests of a list, series by series.
struct CountedTests {
  let labels: [String]
  var seen: [String: Set<Int64>] = [:]

  mutating func add(_ test: Int64, of series: Int, to count: inout ListCount) {
    count.all += 1
    if seen[labels[series], default: []].insert(test).inserted { count.first += 1 }
  }
}

/// Counts failing and flaky tests and keeps the leading ones of each series.
///
/// A test is in one of the two lists; what fails on one branch and is flaky on another is counted once, as failing.
struct TroubledLists {
  private static let mostKept = 50

  private var failingCounts: [ListCounts]
  private var countedFailing: CountedTests
  private var flakyKeys: [FoundTest.Key] = []
  private var (failing, flaky): ([LeadingTests], [LeadingTests])

  init(labels: [String], counts: [ListCounts]) {
    failingCounts = counts
    countedFailing = CountedTests(labels: labels)
    let none = counts.map { _ in LeadingTests(most: Self.mostKept) }
    (failing, flaky) = (none, none)
  }

  /// Adds a test; series must come in order.
  mutating func add(_ test: FoundTest, _ past: TestPast) {
    switch past.trouble {
    case .failing:
      countedFailing.add(test.test, of: test.series, to: &failingCounts[test.series].failing)
      failing[test.series].add(test, (past.failsSince ?? -.infinity, 0))
    case .flaky:
      let rate = past.flakyRate
      flakyKeys.append(test.key)
      flaky[test.series].add(test, (rate.rank, Double(rate.failures)))
    case nil: break
    }
  }

  var counts: [ListCounts] {
    var (counts, counted) = (failingCounts, countedFailing)
    for key in flakyKeys { counted.add(key.test, of: key.series, to: &counts[key.series].flaky) }
    return counts
  }

  var leading: [FoundTest] { failing.indices.flatMap { failing[$0].tests + flaky[$0].tests } }
}

private struct LeadingTests {
  let most: Int
  var kept: [(key: (Double, Double), test: FoundTest)] = []

  mutating func add(_ test: FoundTest, _ key: (Double, Double)) {
    kept.append((key, test))
    if kept.count >= 2 * most { kept = Array(sorted.prefix(most)) }
  }

  private var sorted: [(key: (Double, Double), test: FoundTest)] {
    kept.sorted { ($1.key.0, $1.key.1, $0.test.test) < ($0.key.0, $0.key.1, $1.test.test) }
  }

  var tests: [FoundTest] { sorted.prefix(most).map(\.test) }
}
