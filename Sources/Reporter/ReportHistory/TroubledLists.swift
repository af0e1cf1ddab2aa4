import ReportModel

/// A test with its outcomes in the runs of a series, oldest first.
struct FoundTest {
  var test: Int64
  var series: Int
  var past: TestPast
  /// That of the last failure, and which outcome it is of.
  var message: (id: Int64, outcome: Int)?

  init(_ test: Int64, _ series: Int, hasEarlier: Bool) {
    (self.test, self.series) = (test, series)
    past = TestPast(outcomes: [], hasEarlier: hasEarlier)
  }

  mutating func add(_ outcome: PastOutcome, message: Int64?) {
    past.outcomes.append(outcome)
    guard outcome.outcome.isFailure || outcome.isFlaky, let message else { return }
    self.message = (message, past.outcomes.count - 1)
  }
}

/// Counts the tests of a list, those of one series after those of another.
struct CountedTests {
  /// That of each series.
  let labels: [String]
  private var seen: [String: Set<Int64>] = [:]

  init(labels: [String]) { self.labels = labels }

  mutating func add(_ test: Int64, of series: Int, to count: inout ListCount) {
    count.all += 1
    if seen[labels[series], default: []].insert(test).inserted { count.first += 1 }
  }
}

/// Counts all tests that are failing or flaky, and keeps of each series those that lead a list: all may fail at once.
struct TroubledLists {
  /// The most tests that are kept of a list and a series.
  private static let mostKept = 50

  private(set) var counts: [ListCounts]
  private var (countedFailing, countedFlaky): (CountedTests, CountedTests)
  private var (failing, flaky): ([LeadingTests], [LeadingTests])

  /// - Parameter labels: That of each series.
  init(labels: [String], counts: [ListCounts]) {
    self.counts = counts
    (countedFailing, countedFlaky) = (CountedTests(labels: labels), CountedTests(labels: labels))
    let none = counts.map { _ in LeadingTests(most: Self.mostKept) }
    (failing, flaky) = (none, none)
  }

  /// Those of a series come after those of the series before it.
  mutating func add(_ test: FoundTest) {
    if test.past.isFailing {
      countedFailing.add(test.test, of: test.series, to: &counts[test.series].failing)
      failing[test.series].add(test, (test.past.failsSince ?? -.infinity, 0))
    }
    let rate = test.past.flakyRate
    if rate.failures > 0 {
      countedFlaky.add(test.test, of: test.series, to: &counts[test.series].flaky)
      flaky[test.series].add(test, (rate.rank, Double(rate.failures)))
    }
  }

  /// Those that are kept, each once.
  var leading: [FoundTest] {
    counts.indices.flatMap { series in
      let failing = failing[series].tests
      let known = Set(failing.map(\.test))
      return failing + flaky[series].tests.filter { !known.contains($0.test) }
    }
  }
}

/// The first tests of a list, by keys of which high ones come first.
private struct LeadingTests {
  let most: Int
  private var kept: [(key: (Double, Double), test: FoundTest)] = []

  init(most: Int) { self.most = most }

  mutating func add(_ test: FoundTest, _ key: (Double, Double)) {
    kept.append((key, test))
    if kept.count >= 2 * most { kept = Array(sorted.prefix(most)) }
  }

  private var sorted: [(key: (Double, Double), test: FoundTest)] {
    kept.sorted { ($1.key.0, $1.key.1, $0.test.test) < ($0.key.0, $0.key.1, $1.test.test) }
  }

  var tests: [FoundTest] { sorted.prefix(most).map(\.test) }
}
