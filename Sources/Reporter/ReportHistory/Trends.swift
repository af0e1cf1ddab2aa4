import ReportModel

/// The runs and tests of a history over time.
package struct Trends: Sendable, Equatable {
  /// The most runs that are looked at, the newest.
  package static let mostRuns = 10_000
  /// The newest runs among which those are whose tests are looked at.
  static let recentRuns = 1000
  /// Runs of a series whose tests are looked at, the newest.
  package static let testRuns = TestPast.mostRuns
  /// The outcomes that are looked at for tests that failed, and for their time, however many tests a run has.
  ///
  /// Either takes about half a second. The newest run of each series, and the time of the first series, are looked at in
  /// any case.
  static let (mostOutcomes, mostDurations) = (2_000_000, 250_000)
  /// The series whose tests are looked at, those with most of the recent runs.
  package static let mostSeries = 8

  /// The newest runs, oldest first.
  package var runs: [TrendRun] = []
  /// The number of runs that are older than these.
  package var olderRuns = 0
  /// The series of the runs, those with most of the recent runs first.
  package var series: [RunSeries] = []
  /// Tests that are failing or flaky, and that one of the last runs had: of each series and list those that lead.
  package var troubled: [TestTrend] = []
  /// Tests that take long, or longer than they did: of each series and list those that lead.
  package var timed: [DurationTrend] = []
  /// The number of tests in each list, for each series that is looked at.
  package var counts: [ListCounts] = []

  /// The same of some series alone, which keep their places.
  package func only(_ isWanted: (RunSeries) -> Bool) -> Trends {
    let wanted = series.map(isWanted)
    var some = self
    some.runs = runs.filter { wanted[$0.series] }
    some.troubled = troubled.filter { wanted[$0.series] }
    some.timed = timed.filter { wanted[$0.series] }
    return some
  }

  /// The runs of each series, oldest first, as places in `runs`.
  package var runsOfSeries: [[Int]] {
    var places = [[Int]](repeating: [], count: series.count)
    for (place, run) in runs.enumerated() { places[run.series].append(place) }
    return places
  }
}

/// The number of tests in a list, those that are not told included.
package struct ListCount: Sendable, Equatable {
  package var all = 0
  /// The tests that are in the list of no earlier series of the label.
  package var first = 0
}

/// The number of tests in each list of a series.
package struct ListCounts: Sendable, Equatable {
  package var (failing, flaky, slowing) = (ListCount(), ListCount(), ListCount())
}

/// The runs of one label on one branch: they can be compared.
package struct RunSeries: Sendable, Hashable {
  package var branch: String?
  package var label: String
}

/// A choice of runs to look at.
package struct TrendFilter: Sendable, Equatable {
  package var branch: String?
  package var label: String?

  package init(branch: String? = nil, label: String? = nil) {
    (self.branch, self.label) = (branch, label)
  }
}

/// A run with how many of its tests ended how.
package struct TrendRun: Sendable, Equatable {
  package var run: HistoryRun
  /// The place of its label and branch in `Trends.series`.
  package var series = 0
  package var tests = 0
  /// The tests that failed, crashed or did not end.
  package var failures = 0
  /// The tests that failed in an attempt and passed in a later one.
  package var flaky = 0
  package var skipped = 0

  /// Seconds from its start to its end; `nil` where they are not known, or no time that a run can take.
  package var seconds: Double? {
    guard let ended = run.ended, case let seconds = ended - run.began, seconds >= 0, seconds < 1e7 else {
      return nil
    }
    return seconds
  }
}

/// A test, as a page names it.
package struct TrendTestName: Sendable, Hashable {
  package var module: String
  package var suite: String
  package var name: String
  package var argument: String?
}

/// A test that is failing or flaky.
package struct TestTrend: Sendable, Equatable {
  package var name: TrendTestName
  package var series: Int
  /// Its outcomes in the last runs of the series; the last failure has its message.
  package var past: TestPast
  /// Its difference from a pass, as last compared on any branch of the label.
  package var difference: String?
}

/// The time that a test takes when it passes.
package struct DurationTrend: Sendable, Equatable {
  /// The runs of which the median is taken, and as many before them.
  package static let runs = 10
  /// A slowing test takes at least this many times as long as before, and this many seconds more.
  package static let (leastRatio, leastSeconds) = (1.5, 0.05)
  /// The least passes in both, and how many of them may be out of line.
  package static let (leastPasses, mostOutliers) = (8, 2)

  package var name: TrendTestName
  package var series: Int
  /// Seconds: the median of the last runs.
  package var now: Double
  /// That of those before; `nil` where it passed in none.
  package var before: Double?
  package var isSlowing: Bool
  /// Its place among the slowest of the series, from 1.
  package var place: Int
}

// MARK: - Better or worse

/// A comparison of the last runs of a series with those before.
package struct SeriesTrend: Sendable, Equatable {
  /// The most runs on each side.
  package static let mostRuns = 20
  /// The least runs on each side.
  static let leastRuns = 5
  /// The share of runs that must have changed, and the least number.
  static let (leastShare, leastChanged) = (0.15, 2)

  package enum Direction: Sendable { case better, worse, same, unknown }

  /// Runs that are compared with as many before; 0 where they are too few.
  package var runs: Int
  package var failed: Int
  package var failedBefore: Int
  /// Seconds: the median of the runs that passed and whose time is known.
  package var seconds: Double?
  package var secondsBefore: Double?

  /// - Parameter runs: The runs of the series, oldest first.
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

  /// The change in the share of runs that failed.
  package var direction: Direction {
    guard runs > 0 else { return .unknown }
    let change = failed - failedBefore
    guard abs(change) >= Self.leastChanged, Double(abs(change)) >= Self.leastShare * Double(runs) else {
      return .same
    }
    return change < 0 ? .better : .worse
  }

  /// The change in the time that runs take: at least a fifth, and a second.
  package var pace: Direction {
    guard let seconds, let secondsBefore else { return .unknown }
    if seconds >= 1.2 * secondsBefore, seconds - secondsBefore >= 1 { return .worse }
    if secondsBefore >= 1.2 * seconds, secondsBefore - seconds >= 1 { return .better }
    return .same
  }
}

/// The one in the middle, the lower of two; `nil` of none.
package func median(_ values: [Double]) -> Double? {
  values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
}

extension TestPast {
  /// The number of failures that say nothing against the code, and of runs that say anything.
  package struct FlakyRate: Sendable, Equatable {
    package var failures: Int
    package var runs: Int
    package var share: Double { runs == 0 ? 0 : Double(failures) / Double(runs) }
    /// The rate by which tests are ordered: a few runs say little.
    package var rank: Double { Double(failures) / Double(max(runs, 10)) }
  }

  /// Its failures in an attempt, and on a commit without changes on which it passed, too.
  package var flakyRate: FlakyRate {
    let passed = Set(outcomes.lazy.filter { $0.hasPassed }.compactMap { $0.run.cleanCommit })
    let failures = outcomes.count { outcome in
      outcome.isFlaky
        || outcome.outcome.isFailure && outcome.run.cleanCommit.map(passed.contains) == true
    }
    return FlakyRate(failures: failures, runs: outcomes.count { $0.hasPassed || $0.outcome.isFailure })
  }

  /// True when its last outcome is a failure, and it is not flaky.
  package var isFailing: Bool {
    guard outcomes.last?.outcome.isFailure == true else { return false }
    if case .flaky = standing { return false }
    return true
  }

  /// When the run began since which it fails; `nil` where that is not known.
  package var failsSince: Double? {
    guard case .failing(let since) = standing, since.run.began.isFinite else { return nil }
    return since.run.began
  }
}
