import Collector
import ExhibitSQLite
import ExhibitStart

/// Gives captures enough stack, which some threads lack.
struct CaptureStack: Sendable {
  /// With less, a capture runs on another thread.
  static let least = 256 << 10
  private static let own = 8 << 20

  let connections: ConnectionRegistry

  /// - Parameter body: Gets false when this thread holds a connection's mutex, for which another thread would
  ///   wait in vain.
  func run(
    for scope: TestScope, until deadline: CaptureDeadline,
    _ body: @escaping @Sendable (_ mayTouch: Bool) -> Void
  ) throws(NoThread) {
    if exhibit_stack_left() >= Self.least { return body(true) }
    // Some threads have 16 KiB, so little is done here.
    let turn = OwnThread(connections, scope, deadline, body)
    try turn.run(stack: Self.own)
    if turn.busy.isEmpty { return }
    // A mutex that is free here is this thread's own.
    turn.mayTouch = !turn.busy.contains { $0.isFree(until: .now) }
    turn.busy = []
    try turn.run(stack: Self.own)
  }

  struct NoThread: Error {}
}

private final class OwnThread {
  private let connections: ConnectionRegistry
  private let scope: TestScope
  private let deadline: CaptureDeadline
  private let body: @Sendable (Bool) -> Void
  var mayTouch: Bool?
  var busy: [AppConnection] = []

  init(
    _ connections: ConnectionRegistry, _ scope: TestScope, _ deadline: CaptureDeadline,
    _ body: @escaping @Sendable (Bool) -> Void
  ) {
    self.connections = connections
    self.scope = scope
    self.deadline = deadline
    self.body = body
  }

  func run(stack: Int) throws(CaptureStack.NoThread) {
    let code = exhibit_run_on_thread(stack, Unmanaged.passUnretained(self).toOpaque()) { turn in
      if let turn { Unmanaged<OwnThread>.fromOpaque(turn).takeUnretainedValue().runBody() }
    }
    guard code == 0 else { throw CaptureStack.NoThread() }
  }

  private func runBody() {
    if mayTouch == nil {
      let instant = min(deadline.instant, .now + .milliseconds(50))
      busy = deadline.wait {
        connections.all.filter { $0.unguarded == nil && !$0.hasEnded && !$0.isFree(until: instant) }
      }
      if !busy.isEmpty { return }
    }
    scope.run { body(mayTouch ?? true) }
  }
}

extension AppConnection {
  /// A thread can take its own mutex again.
  fileprivate func isFree(until deadline: ContinuousClock.Instant) -> Bool {
    borrow(until: deadline) { _ in } == .used
  }
}
