import ReportModel

/// The outcomes of a test in its last runs of one label, and its standing now.
package struct TestPast: Sendable, Equatable {
  /// The most runs that are looked at.
  package static let mostRuns = 100
  /// The last runs: in them a test that passed and failed on one commit is called flaky, and one that none of them had is
  /// not told as failing or flaky.
  package static let lastRuns = 12
  /// Failing in so many runs one after the other, it is no longer called flaky.
  private static let steadyFailures = 3

  /// Oldest first; the last is that of the run that is told.
  package var outcomes: [PastOutcome]
  /// True when there are earlier outcomes that were not looked at.
  package var hasEarlier = false

  package enum Standing: Sendable, Equatable {
    /// No earlier run had the test.
    case new
    /// It fails since a run of a commit without changes.
    case failing(FailingSince)
    /// It failed in the last run that says anything, and passes now.
    case fixed(failedIn: HistoryRun)
    /// It passed and failed on one commit, or in one run.
    case flaky(commit: String?, passed: Int, failed: Int)
    /// It fails with changes that are not committed, and passed on a commit.
    case failingUncommitted(passed: HistoryRun?)
  }

  package struct FailingSince: Sendable, Equatable {
    /// The first run in which it failed.
    package var run: HistoryRun
    /// The number of runs in which it failed since; only commits without changes count.
    package var runs: Int
    /// From the start of the first to that of the last.
    package var seconds: Double
    /// The last run before in which it passed; `nil` where none is known.
    package var passed: HistoryRun?
    /// True when it may have failed even before the runs that were looked at.
    package var isLonger: Bool
  }

  /// `nil` where nothing is to be said.
  package var standing: Standing? {
    guard let now = outcomes.last else { return nil }
    let earlier = outcomes.dropLast()
    if earlier.isEmpty, !hasEarlier { return now.outcome.isFailure ? .new : flaky(isFailing: false) }
    let isFailing = now.outcome.isFailure
    let since = isFailing ? failingSince : nil
    if (since?.runs ?? 0) < Self.steadyFailures, let flaky = flaky(isFailing: isFailing) { return flaky }
    if let since { return .failing(since) }
    if isFailing { return .failingUncommitted(passed: earlier.last { $0.isClean && $0.hasPassed }?.run) }
    guard now.hasPassed, let last = earlier.last(where: { $0.isClean && $0.isTelling }),
      last.outcome.isFailure
    else { return nil }
    return .fixed(failedIn: last.run)
  }

  /// By runs of commits without changes alone; `nil` where the last of them did not fail, or is none.
  private var failingSince: FailingSince? {
    let telling = outcomes.filter { $0.isClean && $0.isTelling }
    let start = telling.lastIndex { $0.hasPassed }.map { $0 + 1 } ?? 0
    let failing = telling[start...]
    guard let first = failing.first, let last = failing.last else { return nil }
    return FailingSince(
      run: first.run, runs: failing.count, seconds: max(0, last.run.began - first.run.began),
      passed: start > 0 ? telling[start - 1].run : nil, isLonger: start == 0 && hasEarlier)
  }

  private func flaky(isFailing: Bool) -> Standing? {
    if let now = outcomes.last, now.isFlaky {
      return .flaky(commit: now.run.cleanCommit, passed: 1, failed: 1)
    }
    var counts: [String: (passed: Int, failed: Int)] = [:]
    var latest: String?
    for outcome in outcomes.suffix(Self.lastRuns) {
      guard let commit = outcome.run.cleanCommit else { continue }
      var count = counts[commit] ?? (0, 0)
      if outcome.hasPassed { count.passed += 1 }
      if outcome.outcome.isFailure || outcome.isFlaky { count.failed += 1 }
      counts[commit] = count
      if count.passed > 0, count.failed > 0 { latest = commit }
    }
    guard let latest, let count = counts[latest] else { return nil }
    return .flaky(commit: latest, passed: count.passed, failed: count.failed)
  }
}

extension PastOutcome {
  /// True when its run was of a commit without changes.
  fileprivate var isClean: Bool { run.cleanCommit != nil }

  /// True when it says that the test works, or that it does not.
  fileprivate var isTelling: Bool { hasPassed || outcome.isFailure }
}
