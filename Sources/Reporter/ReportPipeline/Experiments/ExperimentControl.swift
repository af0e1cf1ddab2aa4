import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportModel
import ReportRendering
import Synchronization

/// Runs a failing test alone and unchanged: experiments tell something only where it always fails alike.
struct ExperimentControl: Sendable {
  let test: TestCaseID
  let framework: TestFramework
  /// The failure's in the run, or empty.
  let message: String
  let harness: TestHarness
  let deadline: ContinuousClock.Instant
  /// Says why a database file forbids experiments, if it does.
  let refusal: @Sendable (String) -> String?

  struct Ground: Sendable {
    var result: ExplainedTest.Control
    var message = ""
    var limit = Duration.zero
    var atOnce = 1
    var sharesFiles = false
  }

  private static let (leastLimit, factor) = (Duration.seconds(2), 5)
  private static let longest = Duration.seconds(60)

  static let isFlaky =
    "Alone, it passes at times: what it does depends on tests before it or beside it, or on chance."

  /// Runs it twice, then many times at once.
  ///
  /// - Returns: `nil` where the user asked to end.
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
    // Runs at once would disturb each other.
    ground.sharesFiles = !fixed.isEmpty
    ground.atOnce = ground.sharesFiles ? 1 : ProcessInfo.processInfo.activeProcessorCount
    if ground.atOnce > 1, try fails(ground) != .alike { ground.atOnce = 1 }
    return ground
  }

  enum Comparison { case alike, otherwise, late }

  /// Compares runs, as many at once as there are experiments, with the first ones.
  func fails(_ ground: Ground) throws(TestHarness.Problem) -> Comparison {
    let found = Mutex<(comparison: Comparison, problem: TestHarness.Problem?)>((.alike, nil))
    let tasks = (0..<max(2, ground.atOnce)).map { _ -> @Sendable () -> Void in
      {
        do throws(TestHarness.Problem) {
          let ended = try harness.run([test], of: framework, nil, limit: ground.limit)
          let isAlike =
            ended.tests[test].map { $0.outcome.isFailure && message(of: $0) == ground.message } ?? false
          if isAlike || SignalForwarding.isAskedToEnd { return }
          found.withLock { $0.comparison = ended.isLate && $0.comparison != .otherwise ? .late : .otherwise }
        } catch {
          found.withLock { $0.problem = error }
        }
      }
    }
    if ground.atOnce > 1 { ReportRendering.perform(tasks) } else { for task in tasks { task() } }
    let (comparison, problem) = found.withLock { $0 }
    if let problem { throw problem }
    return comparison
  }

  func hasPassed(_ ended: TestHarness.Ended) -> Bool {
    guard !ended.isLate, ended.tests[test]?.outcome == .passed else { return false }
    // Other cases of its function may fail.
    return test.argument != nil || ended.end == .exited(0)
  }

  func message(of own: (outcome: Outcome, message: String?)) -> String {
    own.message ?? own.outcome.rawValue
  }

  /// The message without what varies: paths, terminal sequences and signs.
  private static func bare(_ message: String) -> String {
    withoutTerminalSequences(message).split(whereSeparator: \.isWhitespace).filter { !$0.contains("/") }
      .joined().filter { $0.isLetter || $0.isNumber }
  }
}
