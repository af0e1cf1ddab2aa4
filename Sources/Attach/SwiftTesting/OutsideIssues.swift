import Collector
import ExhibitSystem

/// Remembers issues that were recorded where no test is known to run, as in a detached task.
///
/// Swift Testing posts each of them once for every configuration in use at that moment, with the same instant.
final class OutsideIssues: Sendable {
  /// More issues than are posted at once.
  private static let limit = 256

  private let state = Locked<[Told]>([])

  private struct Told: Equatable, Sendable {
    var issue: RecordedIssue
    var instant: TestEvent.Instant
  }

  /// Adds an issue; false when it was posted before.
  func isNew(_ issue: RecordedIssue, at instant: TestEvent.Instant) -> Bool {
    let told = Told(issue: issue, instant: instant)
    return state.withLock { state in
      guard !state.contains(told) else { return false }
      if state.count == Self.limit { state.removeFirst() }
      state.append(told)
      return true
    }
  }
}
