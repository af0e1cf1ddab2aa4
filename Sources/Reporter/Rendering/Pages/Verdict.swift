/// The report in one sentence, and how it is to be taken.
struct Verdict: Equatable {
  enum Style: String {
    case failed, degraded, passed
    /// Nothing failed and nothing passed.
    case neutral
  }

  var text: String
  var style: Style

  /// Green only when tests passed, none failed and nothing was lost.
  init(_ report: Report) {
    let failures = report.tests.filter(\.outcome.isFailure)
    let passed = report.tests.count { $0.outcome == .passed }
    if report.tests.isEmpty {
      (text, style) = ("No test was read", .failed)
    } else if !failures.isEmpty {
      let verb = Verdict.verb(Set(failures.map(\.outcome)))
      text = "\(grouped(failures.count)) of \(counted(report.tests.count, "test")) \(verb)"
      style = .failed
    } else if report.isDegraded {
      (text, style) = ("No failure was seen, but something was lost", .degraded)
    } else if passed == report.tests.count {
      (text, style) = (passed == 1 ? "The one test passed" : "All \(grouped(passed)) tests passed", .passed)
    } else {
      (text, style) = ("No test failed", passed > 0 ? .passed : .neutral)
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
