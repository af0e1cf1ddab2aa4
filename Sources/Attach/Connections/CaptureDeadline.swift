import Collector
import ExhibitSystem

/// How long all captures of one failure may wait for locks together: the test waits as long.
///
/// It is made when the failure happens and handed down. Its clock stands still while a capture copies or compresses,
/// which takes as long as it takes.
final class CaptureDeadline: Sendable {
  /// How long all may wait together.
  static let patience = Duration.seconds(2)
  /// How long each capture may wait at least.
  ///
  /// Most locks are kept for less.
  static let leastWait = Duration.milliseconds(20)
  /// Bytes that are taken to be copied in a second.
  ///
  /// Time beyond that counts as waiting.
  static let copiedBytesPerSecond = 64 << 20

  private let left: Locked<Duration>

  init(_ wait: Duration = patience) {
    left = Locked(wait)
  }

  /// How long may still be waited.
  var rest: Duration { max(Self.leastWait, left.withLock { $0 }) }

  /// The moment up to which may be waited if nothing else is done.
  var instant: ContinuousClock.Instant { .now + rest }

  /// Whether all time is used up.
  ///
  /// Then only what is free at once is to be had.
  var hasPassed: Bool { left.withLock { $0 <= .zero } }

  /// Runs what may wait for locks and takes the time off what is left.
  ///
  /// - Parameter copied: Bytes that it has copied, whose time is no waiting.
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
  /// Bytes of all that was captured.
  var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
}
