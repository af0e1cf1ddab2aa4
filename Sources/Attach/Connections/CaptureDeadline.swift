import Collector
import ExhibitSystem

/// The time that all captures of one failure may wait for locks; copying does not count.
final class CaptureDeadline: Sendable {
  static let patience = Duration.seconds(2)
  static let leastWait = Duration.milliseconds(20)
  /// Bytes copied in a second; longer time counts as waiting.
  static let copiedBytesPerSecond = 64 << 20

  private let left: Locked<Duration>

  init(_ wait: Duration = patience) {
    left = Locked(wait)
  }

  var rest: Duration { max(Self.leastWait, left.withLock { $0 }) }

  /// The end of the wait if nothing is copied meanwhile.
  var instant: ContinuousClock.Instant { .now + rest }

  /// True when no time is left, so that only free locks are taken.
  var hasPassed: Bool { left.withLock { $0 <= .zero } }

  /// - Parameter copied: Bytes that `body` copied, for which no time is subtracted.
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
