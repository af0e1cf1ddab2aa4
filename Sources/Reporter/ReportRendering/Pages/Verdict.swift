import ReportModel

/// The report in one sentence.
struct Verdict: Equatable {
  enum Style: String {
    case failed, degraded, passed
    /// Neither failed nor passed.
    case neutral
  }

  var text: String
  var style: Style

  /// Passed only if tests passed, none failed and nothing was lost.
  init(_ report: Report, _ counts: OutcomeCounts) {
    let passed = counts[.passed]
    if counts.total == 0 {
      (text, style) = ("No test was read", .failed)
    } else if counts.failures > 0 {
      let outcomes = Outcome.allCases.filter { $0.isFailure && counts[$0] > 0 }
      text = "\(grouped(counts.failures)) of \(counted(counts.total, "test")) \(Verdict.verb(Set(outcomes)))"
      style = .failed
    } else if report.isDegraded {
      (text, style) = ("No failure was seen, but something was lost", .degraded)
    } else if passed == counts.total {
      text = passed == 1 ? "The one test passed" : "All \(grouped(passed)) tests passed"
      style = .passed
    } else {
      (text, style) = ("No test failed", passed > 0 ? .passed : .neutral)
    }
    if counts.flaky > 0 && counts.failures == 0 {
      text +=
        ", \(passed == counts.flaky && passed == counts.total ? "all" : grouped(counts.flaky)) only when repeated"
    }
  }

  private static func verb(_ outcomes: Set<Outcome>) -> String {
    switch outcomes {
    case [.failed]: "failed"
    case [.crashed]: "crashed"
    case [.unfinished]: "did not finish"
    default: "did not pass"
    }
  }
}
