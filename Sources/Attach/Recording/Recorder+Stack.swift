import Collector
import ExhibitSQLite
import ExhibitStart

/// Captures need more stack than some threads of an app have.
extension Recorder {
  /// Bytes below which a capture runs on a thread of our own.
  private static let leastStack = 256 << 10
  private static let ownStack = 8 << 20

  /// Runs `body` with enough stack, here or on a thread for which this one waits.
  ///
  /// - Parameter body: It is told whether it may touch connections: not where this thread holds the mutex of one, as in
  ///   a function that a statement calls, and another thread would wait for it in vain.
  func withEnoughStack(
    for scope: TestScope, until deadline: CaptureDeadline,
    _ body: @escaping @Sendable (_ mayTouch: Bool) -> Void
  ) {
    if exhibit_stack_left() >= Self.leastStack { return body(true) }
    // What this thread does itself is as little as can be: some have 16 KiB.
    let turn = OwnThread(self, scope, deadline, body)
    guard turn.run(stack: Self.ownStack) else { return output.complainAboutThread() }
    if turn.busy.isEmpty { return }
    // Another thread's mutex is not to be had here either, and a capture waits for it.
    turn.mayTouch = !turn.busy.contains { $0.isFree(until: .now) }
    turn.busy = []
    if !turn.run(stack: Self.ownStack) { output.complainAboutThread() }
  }
}

/// A function that runs on a thread of our own while the one that needs it waits.
private final class OwnThread {
  private let recorder: Recorder
  private let scope: TestScope
  private let deadline: CaptureDeadline
  private let body: @Sendable (Bool) -> Void
  /// Known when it was found out which connections are busy.
  var mayTouch: Bool?
  /// Connections that the waiting thread, or another one, keeps.
  var busy: [Connection] = []

  init(
    _ recorder: Recorder, _ scope: TestScope, _ deadline: CaptureDeadline,
    _ body: @escaping @Sendable (Bool) -> Void
  ) {
    self.recorder = recorder
    self.scope = scope
    self.deadline = deadline
    self.body = body
  }

  /// - Returns: Whether a thread could be had.
  func run(stack: Int) -> Bool {
    exhibit_run_on_thread(stack, Unmanaged.passUnretained(self).toOpaque()) { turn in
      if let turn { Unmanaged<OwnThread>.fromOpaque(turn).takeUnretainedValue().take() }
    } == 0
  }

  private func take() {
    if mayTouch == nil {
      let instant = min(deadline.instant, .now + .milliseconds(50))
      busy = deadline.wait {
        recorder.connections.all.filter {
          $0.unguarded == nil && !$0.hasEnded && !$0.isFree(until: instant)
        }
      }
      if !busy.isEmpty { return }
    }
    TestScope.$task.withValue(scope) { body(mayTouch ?? true) }
  }
}

extension Connection {
  /// Whether this thread can take its mutex, which it can again where it keeps it.
  fileprivate func isFree(until deadline: ContinuousClock.Instant) -> Bool {
    borrow(until: deadline) { _ in } == .used
  }
}
