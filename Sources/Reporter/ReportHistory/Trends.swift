package import Collector
import ReportModel

/// How runs and tests of a history developed.
package struct Trends: Sendable, Equatable {
  package static let mostRuns = 10_000
  /// The newest runs, among which tests are read.
  static let recentRuns = 1000
  /// The newest runs of a series whose tests are read.
  package static let testRuns = TestPast.mostRuns
  /// The most outcomes read for failures and for durations, half a second each.
  static let (mostOutcomes, mostDurations) = (2_000_000, 500_000)
  /// The most series whose tests are read.
  package static let mostSeries = 8

  package var runs: [TrendRun] = []
  package var olderRuns = 0
  /// Series with most recent runs come first.
  package var series: [RunSeries] = []
  /// Failing or flaky tests, the leading ones of each series.
  package var troubled: [TestTrend] = []
  /// Slow tests and those that got slower, the leading ones of each series.
  package var timed: [DurationTrend] = []
  /// The number of tests in each list, by series.
  package var counts: [ListCounts] = []

  /// Adds how tests of a run ended with the code of `--compare-with`.
  package mutating func note(_ pasts: [TestCaseID: TestPast], of run: HistoryRun) {
    let compared = Dictionary(
      pasts.compactMap { id, past in past.compared.map { (TrendTestName(id), $0) } },
      uniquingKeysWith: { first, _ in first })
    for index in troubled.indices where troubled[index].past.outcomes.last?.run.name == run.name {
      troubled[index].past.compared = compared[troubled[index].name]
    }
  }

  /// The trends of some series, with unchanged indices.
  package func only(_ isWanted: (RunSeries) -> Bool) -> Trends {
    let wanted = series.map(isWanted)
    var some = self
    some.runs = runs.filter { wanted[$0.series] }
    some.troubled = troubled.filter { wanted[$0.series] }
    some.timed = timed.filter { wanted[$0.series] }
    return some
  }

  /// Indices of each series' runs, oldest first.
  package var runsOfSeries: [[Int]] {
    var places = [[Int]](repeating: [], count: series.count)
    for (place, run) in runs.enumerated() { places[run.series].append(place) }
    return places
  }
}

/// The number of tests in a list, including unlisted ones.
package struct ListCount: Sendable, Equatable {
  package var all = 0
  /// Tests that are in no earlier series of the same label.
  package var first = 0
}

package struct ListCounts: Sendable, Equatable {
  package var (failing, flaky, slower) = (ListCount(), ListCount(), ListCount())
}

/// The comparable runs of one label on one branch.
package struct RunSeries: Sendable, Hashable {
  package var branch: String?
  package var label: String
}

package struct TrendFilter: Sendable, Equatable {
  package var branch: String?
  package var label: String?

  package init(branch: String? = nil, label: String? = nil) {
    (self.branch, self.label) = (branch, label)
  }
}

/// A run with totals of its tests.
package struct TrendRun: Sendable, Equatable {
  package var run: HistoryRun
  /// An index in `Trends.series`.
  package var series = 0
  package var tests = 0
  package var failures = 0
  /// Tests that passed in a later attempt.
  package var flaky = 0
  package var skipped = 0

  package var seconds: Double? { run.seconds }
}

package struct TrendTestName: Sendable, Hashable {
  package var module: String
  package var suite: String
  package var name: String
  package var argument: String?
}

extension String {
  /// Its first characters, as SQL's `substr` counts them.
  fileprivate func first(_ most: Int) -> String { String(unicodeScalars.prefix(most)) }
}

extension TrendTestName {
  /// As the history's questions name it.
  package init(_ test: TestCaseID) {
    self.init(
      module: test.module.first(200), suite: test.suite.joined(separator: "/").first(300),
      name: test.name.first(300),
      argument: test.argument?.description.first(200))
  }
}

package struct TestTrend: Sendable, Equatable {
  package var name: TrendTestName
  package var series: Int
  /// Its outcomes in the series' last runs; the last failure has a message.
  package var past: TestPast
  package var difference: String?
}

/// How long a test takes when it passes.
package struct DurationTrend: Sendable, Equatable {
  /// How many of a series' last runs are compared with as many before them.
  package static let runs = 10
  /// Slower means at least this ratio and increase.
  package static let (leastRatio, leastSeconds) = (1.5, 0.05)
  /// The fewest passes on each side, and the most outliers of ten.
  package static let (leastPasses, mostOutliers) = (8, 2)

  package var name: TrendTestName
  package var series: Int
  /// The median of the last runs.
  package var now: Double
  /// The median of those before, if it passed.
  package var before: Double?
  /// Since when it takes longer, if it does.
  package var step: DurationStep?
  /// How long its passes took, oldest first.
  package var passes: [Double] = []
  package var place: Int

  /// The seconds that each run takes longer.
  package var lost: Double { step.map { $0.now - $0.before } ?? 0 }
}

// MARK: - Better or worse

/// Compares the last runs of a series with those before.
package struct SeriesTrend: Sendable, Equatable {
  package static let mostRuns = 20
  static let leastRuns = 5
  /// The share and number of runs that must have changed.
  static let (leastShare, leastChanged) = (0.15, 2)

  package enum Direction: Sendable { case better, worse, same, unknown }

  /// The number of runs compared with as many before; 0 for too few.
  package var runs: Int
  package var failed: Int
  package var failedBefore: Int
  /// The median duration of passing runs.
  package var seconds: Double?
  package var secondsBefore: Double?

  package init(_ runs: [TrendRun]) {
    let count = min(Self.mostRuns, runs.count / 2)
    let last = runs.suffix(count >= Self.leastRuns ? count : Self.mostRuns)
    let before = count >= Self.leastRuns ? runs.dropLast(count).suffix(count) : runs.prefix(0)
    self.runs = before.isEmpty ? 0 : count
    failed = last.count { $0.failures > 0 }
    failedBefore = before.count { $0.failures > 0 }
    seconds = Self.median(last)
    secondsBefore = Self.median(before)
  }

  private static func median(_ runs: ArraySlice<TrendRun>) -> Double? {
    let all = runs.compactMap(\.seconds)
    let passed = runs.filter { $0.failures == 0 }.compactMap(\.seconds)
    return ReportHistory.median(passed.isEmpty ? all : passed)
  }

  /// How the share of failing runs changed.
  package var direction: Direction {
    guard runs > 0 else { return .unknown }
    let change = failed - failedBefore
    guard abs(change) >= Self.leastChanged, Double(abs(change)) >= Self.leastShare * Double(runs) else {
      return .same
    }
    return change < 0 ? .better : .worse
  }

  /// How durations changed, by at least a fifth and a second.
  package var pace: Direction {
    guard let seconds, let secondsBefore else { return .unknown }
    if seconds >= 1.2 * secondsBefore, seconds - secondsBefore >= 1 { return .worse }
    if secondsBefore >= 1.2 * seconds, secondsBefore - seconds >= 1 { return .better }
    return .same
  }
}

/// The lower median; `nil` for no values.
package func median(_ values: [Double]) -> Double? {
  values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
}

extension TestPast {
  /// The number of flaky failures among runs that passed or failed.
  package struct FlakyRate: Sendable, Equatable {
    package var failures: Int
    package var runs: Int
    package var share: Double { runs == 0 ? 0 : Double(failures) / Double(runs) }
    /// Ranks tests; few runs count less.
    package var rank: Double { Double(failures) / Double(max(runs, 10)) }
  }

  /// Failures followed by a pass, in one run or on the same unmodified commit.
  package var flakyRate: FlakyRate {
    let passed = Set(outcomes.lazy.filter { $0.hasPassed }.compactMap { $0.run.cleanCommit })
    let failures = outcomes.count { outcome in
      outcome.isFlaky
        || outcome.outcome.isFailure && outcome.run.cleanCommit.map(passed.contains) == true
    }
    return FlakyRate(failures: failures, runs: outcomes.count { $0.hasPassed || $0.outcome.isFailure })
  }

  /// What troubles a test now.
  package enum Trouble: Sendable { case failing, flaky }

  /// The one list that tells of the test, by the history alone; `nil` for none.
  package var trouble: Trouble? {
    if outcomes.last?.outcome.isFailure == true { return isFlaky ? .flaky : .failing }
    return flakyRate.failures > 0 ? .flaky : nil
  }

  /// True when it passed and failed on one commit lately, and does not go on failing.
  var isFlaky: Bool {
    if case .flaky = standingInHistory { return true }
    return false
  }

  /// The start of the first failing run, if known.
  package var failsSince: Double? {
    guard case .failing(let since) = standing, since.run.began.isFinite else { return nil }
    return since.run.began
  }
}
