package import ReportModel

/// A test's outcomes in the last runs of one label, and its present standing.
package struct TestPast: Sendable, Equatable {
  package static let mostRuns = 100
  /// The recent runs in which flaky and failing tests are looked for.
  package static let lastRuns = 12
  /// After so many failures in sequence a test is not flaky.
  private static let steadyFailures = 3

  /// Oldest first, ending with the present run.
  package var outcomes: [PastOutcome]
  /// True when earlier outcomes exist.
  package var hasEarlier = false
  /// How it ended with the code of `--compare-with`, which decides what is new.
  package var compared: ComparedOutcome?

  package init(outcomes: [PastOutcome], hasEarlier: Bool = false) {
    (self.outcomes, self.hasEarlier) = (outcomes, hasEarlier)
  }

  package enum Standing: Sendable, Equatable {
    /// No earlier run had it.
    case new
    /// Fails now, and passed or failed with another commit's code.
    case compared(ComparedOutcome)
    /// Failing since a commit.
    case failing(FailingSince)
    /// Failed last time, passes now.
    case fixed(failedIn: HistoryRun)
    /// Passed and failed on one commit, or in one run.
    case flaky(commit: String?, passed: Int, failed: Int)
    /// Fails with uncommitted changes, and passed on a commit.
    case failingUncommitted(passed: HistoryRun?)
  }

  package struct FailingSince: Sendable, Equatable {
    package var run: HistoryRun
    /// The number of failing runs on unmodified commits.
    package var runs: Int
    /// Between the first and the last.
    package var seconds: Double
    /// The last passing run before, if known.
    package var passed: HistoryRun?
    /// True when it may have begun before the known runs.
    package var isLonger: Bool
  }

  /// `nil` for nothing notable.
  package var standing: Standing? {
    guard let compared, outcomes.last?.outcome.isFailure ?? true else { return standingInHistory }
    if compared.hasPassed { return .compared(compared) }
    if case .failing = standingInHistory { return standingInHistory }
    return .compared(compared)
  }

  /// The standing without the comparison with another commit's code.
  var standingInHistory: Standing? {
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

  /// Counts unmodified commits only; `nil` when the last of them did not fail.
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
  fileprivate var isClean: Bool { run.cleanCommit != nil }

  fileprivate var isTelling: Bool { hasPassed || outcome.isFailure }
}
