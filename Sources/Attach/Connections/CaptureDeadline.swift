import Collector
import ExhibitSystem

/// The time that all captures of one failure may wait for locks; the test is delayed by as much.
///
/// It is made when the failure happens and handed down. Its clock stops while a capture copies or compresses, which
/// takes the time it needs.
final class CaptureDeadline: Sendable {
  /// Time that all captures together may wait.
  static let patience = Duration.seconds(2)
  /// Time that each capture may wait at least; most locks are held for less.
  static let leastWait = Duration.milliseconds(20)
  /// Bytes that count as copied in a second; time beyond that counts as waiting.
  static let copiedBytesPerSecond = 64 << 20

  private let left: Locked<Duration>

  init(_ wait: Duration = patience) {
    left = Locked(wait)
  }

  /// Time that is left for waiting.
  var rest: Duration { max(Self.leastWait, left.withLock { $0 }) }

  /// The end of the waiting time if nothing else is done meanwhile.
  var instant: ContinuousClock.Instant { .now + rest }

  /// True when all time is used up; then only free locks are taken.
  var hasPassed: Bool { left.withLock { $0 <= .zero } }

  /// Runs a body that may wait for locks, and subtracts its waiting time from the rest.
  ///
  /// - Parameter copied: Bytes that the body copied; the time for them is not counted.
  @discardableResult
  func wait<Result>(_ body: () -> Result, copied: (Result) -> Int = { _ in 0 }) -> Result {
    let start = ContinuousClock.now
    let result = body()
    let copying = Duration.milliseconds(copied(result) / (Self.copiedBytesPerSecond / 1000))
    let waited = start.duration(to: .now) - copying
    if waited > .zero { left.withLock { $0 -= waited } }
    return result
  }
}

extension DatabaseCaptureResult {
  var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
}
