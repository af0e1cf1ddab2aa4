import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportModel
import ReportRendering
import Synchronization

/// A failing test as it is, alone: an experiment tells something only where that always fails alike.
struct ExperimentControl: Sendable {
  let test: TestCaseID
  let framework: TestFramework
  /// The message with which it failed in its run; empty where it had none.
  let message: String
  let harness: TestHarness
  let deadline: ContinuousClock.Instant
  /// The sentence that says which database file stands in the way; `nil` where none does.
  let refusal: @Sendable (String) -> String?

  /// What experiments are compared with.
  struct Ground: Sendable {
    var result: ExplainedTest.Control
    var message = ""
    /// The time after which a run is ended.
    var limit = Duration.zero
    /// The number of runs at once.
    var atOnce = 1
  }

  /// A slow test has at least this long.
  private static let (leastLimit, factor) = (Duration.seconds(2), 5)
  private static let longest = Duration.seconds(60)

  static let isFlaky =
    "Alone, it passes at times: what it does depends on tests before it or beside it, or on chance."

  /// Runs it twice one after the other, and then as many times at once as there will be.
  ///
  /// - Returns: `nil` where the user has asked to end.
  func ground() throws(TestHarness.Problem) -> Ground? {
    var messages: [String] = []
    var (duration, fixed) = (Duration.zero, Set<String>())
    for recording in [TestHarness.Recording.databases, .nothing] {
      let limit = min(Self.longest, max(Self.leastLimit, deadline - .now))
      let ended = try harness.run([test], of: framework, nil, limit: limit, recording: recording)
      if SignalForwarding.isAskedToEnd { return nil }
      guard !ended.isLate, let own = ended.tests[test] else {
        return Ground(
          result: .refused(
            ended.isLate
              ? "alone, it does not end in \(Int(limit / .seconds(1))) s." : "it does not run alone."))
      }
      guard own.outcome.isFailure else { return Ground(result: .differs(Self.isFlaky)) }
      messages.append(message(of: own))
      (duration, fixed) = (max(duration, ended.duration), fixed.union(ended.databases))
    }
    if let reason = fixed.sorted().lazy.compactMap(refusal).first { return Ground(result: .refused(reason)) }
    guard messages[0] == messages[1] else {
      return Ground(result: .differs("Alone, it fails with another message each time."))
    }
    guard message.isEmpty || Self.bare(messages[0]) == Self.bare(message) else {
      return Ground(result: .differs("Alone, it fails otherwise: \(shortened(messages[0], to: 120))"))
    }
    var ground = Ground(result: .fails, message: messages[0])
    ground.limit = max(Self.leastLimit, duration * Self.factor)
    // Runs would disturb each other in files that all of them have.
    ground.atOnce = fixed.isEmpty ? ProcessInfo.processInfo.activeProcessorCount : 1
    if ground.atOnce > 1, try !failsStill(ground) { ground.atOnce = 1 }
    return ground
  }

  /// True where it fails alike in as many runs at once as there are of experiments.
  func failsStill(_ ground: Ground) throws(TestHarness.Problem) -> Bool {
    let found = Mutex<(isAlike: Bool, problem: TestHarness.Problem?)>((true, nil))
    let tasks = (0..<max(2, ground.atOnce)).map { _ -> @Sendable () -> Void in
      {
        do throws(TestHarness.Problem) {
          let ended = try harness.run([test], of: framework, nil, limit: ground.limit)
          let isAlike =
            ended.tests[test].map { $0.outcome.isFailure && message(of: $0) == ground.message } ?? false
          if !isAlike, !SignalForwarding.isAskedToEnd { found.withLock { $0.isAlike = false } }
        } catch {
          found.withLock { $0.problem = error }
        }
      }
    }
    if ground.atOnce > 1 { ReportRendering.perform(tasks) } else { for task in tasks { task() } }
    let (isAlike, problem) = found.withLock { $0 }
    if let problem { throw problem }
    return isAlike
  }

  /// True for a run in which it passed, and its process ended well.
  func hasPassed(_ ended: TestHarness.Ended) -> Bool {
    guard !ended.isLate, ended.tests[test]?.outcome == .passed else { return false }
    // Other cases of its function may fail.
    return test.argument != nil || ended.end == .exited(0)
  }

  /// The message, and the outcome of one without.
  func message(of own: (outcome: Outcome, message: String?)) -> String {
    own.message ?? own.outcome.rawValue
  }

  /// What two runs of a test say alike: without paths, terminal sequences and signs.
  private static func bare(_ message: String) -> String {
    withoutTerminalSequences(message).split(whereSeparator: \.isWhitespace).filter { !$0.contains("/") }
      .joined().filter { $0.isLetter || $0.isNumber }
  }
}
