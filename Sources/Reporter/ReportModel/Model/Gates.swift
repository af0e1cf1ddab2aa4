/// Rules that a report must keep for `reporter` to succeed.
package struct Gates: Sendable, Equatable {
  /// The conditions of `--fail-on`.
  package enum Condition: String, Sendable, CaseIterable {
    case failed, crashed, unfinished, flaky, degraded
  }

  package var failOn: Set<Condition>
  /// The most tests that may fail, crash or stay unfinished.
  package var maximumFailures: Int?
  /// The fewest tests that must have run; skipped ones do not count.
  package var minimumTests: Int?
  /// The most seconds that one test may take.
  package var maximumDuration: Double?

  package init(
    failOn: Set<Condition> = [], maximumFailures: Int? = nil, minimumTests: Int? = nil,
    maximumDuration: Double? = nil
  ) {
    self.failOn = failOn
    self.maximumFailures = maximumFailures
    self.minimumTests = minimumTests
    self.maximumDuration = maximumDuration
  }

  /// The rules that a report breaks, each as the user gave it, with the reason.
  package func broken(by report: Report) -> [String] {
    Condition.allCases.filter(failOn.contains).compactMap { Self.broken($0, by: report) }
      + [brokenFailures(report), brokenTests(report), brokenDuration(report)].compactMap { $0 }
  }

  private static func broken(_ condition: Condition, by report: Report) -> String? {
    let rule = "--fail-on \(condition.rawValue)"
    switch condition {
    case .degraded: return report.isDegraded ? "\(rule): the report is degraded." : nil
    case .flaky: return named(report.tests.filter(\.isFlaky), "flaky", rule)
    case .failed, .crashed, .unfinished:
      let word = condition.rawValue
      return named(report.tests.filter { $0.outcome.rawValue == word }, word, rule)
    }
  }

  private static func named(_ tests: [TestResult], _ word: String, _ rule: String) -> String? {
    guard let first = tests.first else { return nil }
    let others = tests.count > 1 ? " and \(counted(tests.count - 1, "other"))" : ""
    return "\(rule): \(word) \(tests.count > 1 ? "are" : "is") \(first.id)\(others)."
  }

  private func brokenFailures(_ report: Report) -> String? {
    let failures = OutcomeCounts(report.tests).failures
    guard let maximumFailures, failures > maximumFailures else { return nil }
    return "--max-failures \(maximumFailures): \(counted(failures, "test")) failed."
  }

  private func brokenTests(_ report: Report) -> String? {
    let tests = report.tests.count { $0.outcome != .skipped }
    guard let minimumTests, tests < minimumTests else { return nil }
    return "--min-tests \(minimumTests): \(counted(tests, "test")) ran."
  }

  private func brokenDuration(_ report: Report) -> String? {
    guard let maximumDuration,
      let slowest = report.tests.max(by: { ($0.duration ?? 0) < ($1.duration ?? 0) }),
      let duration = slowest.duration, duration > maximumDuration
    else { return nil }
    return "--max-duration \(maximumDuration): \(slowest.id) took \(durationText(duration) ?? "longer")."
  }
}
