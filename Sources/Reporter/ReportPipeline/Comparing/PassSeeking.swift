import Collector
import ReportHistory
package import ReportModel

/// Runs failed tests again, and with another commit's code, for passes to compare with.
package struct PassSeeking {
  private let run: TestRun
  /// How often still failing tests run again.
  private let rounds: Int
  private let commit: String?
  /// True to compare only tests whose passes the history lacks.
  private let onlyWithoutPass: Bool
  private let history: HistoryLookup?
  package private(set) var losses: [String] = []
  package private(set) var remarks = Remarks()

  package init(
    of run: TestRun, rounds: Int, commit: String?, onlyWithoutPass: Bool, history: HistoryLookup?
  ) {
    (self.run, self.rounds, self.commit) = (run, rounds, commit)
    (self.onlyWithoutPass, self.history) = (onlyWithoutPass, history)
  }

  package func lookForCommit() {
    guard let commit, commit != Comparison.lastPassName else { return }
    do throws(Git.Problem) {
      _ = try GitPackage(folder: run.arguments.packageFolder, environment: run.environment).commit(commit)
    } catch {
      run.say("Failed tests will not be compared with \(commit). \(error)")
    }
  }

  package mutating func perform() {
    guard rounds > 0 || commit != nil, let tests = run.tests(inRound: 0) else { return }
    let failed = FailedTests(tests)
    guard !failed.functions.isEmpty else { return }
    if failed.omitted > 0 {
      remarks.notice(
        .limitExceeded,
        "Of the failed tests only the first \(FailedTests.limit) ran again; \(counted(failed.omitted, "other")) did not."
      )
    }
    let signals = SignalForwarding(to: nil)
    withExtendedLifetime(signals) { perform(failed) }
  }

  private mutating func perform(_ tests: FailedTests) {
    var failed = tests
    if rounds > 0 {
      var rerun = Rerun(run: run, rounds: rounds)
      // A flaky test is compared with its own pass.
      failed = failed.only(rerun.perform(failed))
      losses += rerun.losses
    }
    guard let commit, !failed.functions.isEmpty, !SignalForwarding.isAskedToEnd else { return }
    if onlyWithoutPass, let history {
      failed = failed.only(history.withoutPass(failed.cases, in: run.run))
      if failed.functions.isEmpty { return }
    }
    let (run, history) = (run, history)
    var comparison = Comparison(run: run, name: commit) { tests in
      history?.lastPass(of: tests, in: run.run)
        ?? .none("No history is read, so that the last commit that passed is not known.")
    }
    comparison.perform(failed)
    losses += comparison.losses
  }
}
