/// Checks of a whole run that no single test shows.
enum RunChecks {
  /// A `swift test` that failed must have a failed test to show for it.
  static func check(_ invocations: [SwiftTestInvocation], _ tests: [JoinedTest], _ findings: inout Findings) {
    guard !tests.contains(where: { $0.result.outcome.isFailure }) else { return }
    for invocation in invocations {
      let end: String
      switch (invocation.status, invocation.signal) {
      case (_, let signal?): end = "was ended by signal \(signal)"
      case (let status?, _) where status != 0: end = "returned \(status)"
      default: continue
      }
      findings.fault(
        .failedWithoutFailure,
        "swift test \(end) although no test is known to have failed; its output is in the run's "
          + "inputs/output.txt.")
    }
  }
}
