import Collector
import ExhibitSystem

/// The time that all captures of a failure may wait for locks; copying does not count.
final class CaptureDeadline: Sendable {
  static let patience = Duration.seconds(2)
  static let leastWait = Duration.milliseconds(20)
  /// Longer copying counts as waiting.
  static let copiedBytesPerSecond = 64 << 20

  private let left: Locked<Duration>

  init(_ wait: Duration = patience) {
    left = Locked(wait)
  }

  var rest: Duration { max(Self.leastWait, left.withLock { $0 }) }

  var instant: ContinuousClock.Instant { .now + rest }

  var hasPassed: Bool { left.withLock { $0 <= .zero } }

  /// - Parameter copied: Bytes that `body` copied, whose time does not count.
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
