import Collector
import ExhibitSQLite
import ExhibitStart

/// Gives captures the stack they need, which is more than some threads of an app have.
struct CaptureStack: Sendable {
  /// Bytes below which a capture runs on a thread of our own.
  static let least = 256 << 10
  private static let own = 8 << 20

  /// The connections whose mutex the failing thread may hold.
  let connections: ConnectionRegistry

  /// Runs `body` with enough stack, here or on another thread while this one waits.
  ///
  /// - Parameters:
  ///   - scope: The test that runs there.
  ///   - body: Receives true where it may touch connections. It may not when this thread holds a connection's mutex,
  ///     as in a function that a statement calls: the other thread would wait for it in vain.
  /// - Throws: `NoThread`.
  func run(
    for scope: TestScope, until deadline: CaptureDeadline,
    _ body: @escaping @Sendable (_ mayTouch: Bool) -> Void
  ) throws(NoThread) {
    if exhibit_stack_left() >= Self.least { return body(true) }
    // This thread does as little as possible itself: some have 16 KiB.
    let turn = OwnThread(connections, scope, deadline, body)
    try turn.run(stack: Self.own)
    if turn.busy.isEmpty { return }
    // A mutex that a third thread holds cannot be taken here either; the capture waits for it.
    turn.mayTouch = !turn.busy.contains { $0.isFree(until: .now) }
    turn.busy = []
    try turn.run(stack: Self.own)
  }

  /// The process may start no other thread.
  struct NoThread: Error {}
}

/// A function that runs on a thread of ours while the thread that needs it waits.
private final class OwnThread {
  private let connections: ConnectionRegistry
  private let scope: TestScope
  private let deadline: CaptureDeadline
  private let body: @Sendable (Bool) -> Void
  /// `nil` until it is known which connections are busy.
  var mayTouch: Bool?
  /// Connections that the waiting thread, or another one, keeps busy.
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

  /// Runs the function, unless connections are busy; then it must first be known who holds them.
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
  /// True when this thread can take the mutex; a thread that holds it can take it again.
  fileprivate func isFree(until deadline: ContinuousClock.Instant) -> Bool {
    borrow(until: deadline) { _ in } == .used
  }
}
