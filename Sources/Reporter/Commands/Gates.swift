import ReportModel

/// Rules that a report must keep for `reporter` to succeed.
extension CIOptions {
  enum Condition: String, CaseIterable {
    case failed, crashed, unfinished, flaky, degraded
  }

  /// Each as the user gave it, with the reason.
  func rulesBroken(by report: Report) -> [String] {
    Condition.allCases.filter(failOn.contains).compactMap { Self.broken($0, by: report) }
      + [brokenFailures(report), brokenTests(report), brokenDuration(report)].compactMap { $0 }
  }

  private static func broken(_ condition: Condition, by report: Report) -> String? {
    let rule = "--fail-on \(condition.rawValue)"
    switch condition {
    case .degraded:
      if report.isDegraded { return "\(rule): the report is degraded." }
      // What a crash cut short is told as a notice.
      let crash = report.tests.first { $0.outcome == .crashed }
      return crash.map { "\(rule): a process died in \($0.id), and what came after it did not run." }
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
    guard let maxFailures else { return nil }
    let failures = OutcomeCounts(report.tests).failures
    guard failures > maxFailures else { return nil }
    return "--max-failures \(maxFailures): \(counted(failures, "test")) failed."
  }

  private func brokenTests(_ report: Report) -> String? {
    guard let minTests else { return nil }
    let tests = report.tests.count { $0.outcome != .skipped }
    guard tests < minTests else { return nil }
    return "--min-tests \(minTests): \(counted(tests, "test")) ran."
  }

  private func brokenDuration(_ report: Report) -> String? {
    guard let maxDuration,
      let slowest = report.tests.max(by: { ($0.duration ?? 0) < ($1.duration ?? 0) }),
      let duration = slowest.duration, duration > maxDuration
    else { return nil }
    return "--max-duration \(maxDuration): \(slowest.id) took \(durationText(duration) ?? "longer")."
  }
}
