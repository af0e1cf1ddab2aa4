import Collector
import ExhibitStart
import ExhibitSystem
import Glibc

/// Where a connection without a mutex is used: only the app's own thread or queue may touch it.
///
/// Only an executable with its own SQLite has such connections.
final class UnguardedUse: Sendable {
  private enum Queue {
    case none
    case only(UInt)
    case unknown
  }

  /// A capture that waits for the connection's next use or close.
  ///
  /// - Parameter isUsable: False when the process ends first.
  typealias Waiting = @Sendable (_ isUsable: Bool) -> Void

  typealias Use = (_ body: (OpaquePointer) -> Void) -> LiveConnection.Access

  private let queue = Locked(Queue.none)
  private let waiting = Locked<[Waiting]>([])

  deinit {
    if case .only(let queue) = self.queue.withLock({ $0 }) {
      exhibit_release_queue(UnsafeMutableRawPointer(bitPattern: queue))
    }
  }

  func recordUse() {
    recordQueue(UInt(bitPattern: exhibit_current_queue()))
    runWaiting(isUsable: true)
  }

  private func recordQueue(_ current: UInt) {
    queue.withLock { known in
      switch known {
      case .none where current != 0:
        exhibit_retain_queue(UnsafeMutableRawPointer(bitPattern: current))
        known = .only(current)
      case .only(let queue) where queue != current:
        exhibit_release_queue(UnsafeMutableRawPointer(bitPattern: queue))
        known = .unknown
      case .none: known = .unknown
      case .only, .unknown: break
      }
    }
  }

  func runWaiting(isUsable: Bool) {
    for capture in waiting.exchange([]) { capture(isUsable) }
  }

  func wait(_ capture: @escaping Waiting) {
    waiting.withLock { $0.append(capture) }
  }

  // MARK: - Now

  func borrow(
    until deadline: ContinuousClock.Instant, lentBy use: @escaping Use, _ body: (OpaquePointer) -> Void
  ) -> LiveConnection.Access {
    guard let queue = retainedQueue() else { return .busy }
    defer { exhibit_release_queue(queue) }
    if exhibit_current_queue() == queue { return use(body) }
    guard ContinuousClock.now < deadline else { return .busy }
    return withoutActuallyEscaping(body) { body in
      let turn = Turn(use, body)
      exhibit_run_alone(queue, Unmanaged.passRetained(turn).toOpaque()) { turn in
        turn.map { Unmanaged<Turn>.fromOpaque($0).takeRetainedValue().run() }
      }
      return turn.wait(until: deadline)
    }
  }

  var hasQueue: Bool {
    queue.withLock { known in
      if case .only = known { true } else { false }
    }
  }

  private func retainedQueue() -> UnsafeMutableRawPointer? {
    queue.withLock { known in
      guard case .only(let address) = known else { return nil }
      let queue = UnsafeMutableRawPointer(bitPattern: address)
      exhibit_retain_queue(queue)
      return queue
    }
  }
}

/// Runs a function on another queue, unless its caller no longer waits.
private final class Turn: @unchecked Sendable {
  private let use: UnguardedUse.Use
  private var body: ((OpaquePointer) -> Void)?
  /// Locked while the function runs, so that a late caller waits for it.
  private let access = Locked<LiveConnection.Access?>(nil)

  init(_ use: @escaping UnguardedUse.Use, _ body: @escaping (OpaquePointer) -> Void) {
    self.use = use
    self.body = body
  }

  func run() {
    access.withLock { access in
      guard let body else { return }
      access = use(body)
      self.body = nil
    }
  }

  func wait(until deadline: ContinuousClock.Instant) -> LiveConnection.Access {
    while true {
      let isLate = ContinuousClock.now >= deadline
      let access = access.withLock { access in
        if isLate || access != nil { body = nil }
        return access
      }
      if let access { return access }
      if isLate { return .busy }
      usleep(200)
    }
  }
}
