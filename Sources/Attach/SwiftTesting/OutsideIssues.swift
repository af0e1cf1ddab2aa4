import Collector
import ExhibitSystem

/// Issues recorded where no test is known to run, as in a detached task.
///
/// Swift Testing posts each once per configuration in use, with the same instant.
final class OutsideIssues: Sendable {
  private static let limit = 256

  private let state = Locked<[Told]>([])

  private struct Told: Equatable, Sendable {
    var issue: RecordedIssue
    var instant: TestEvent.Instant
  }

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
