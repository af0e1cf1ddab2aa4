#if GRDB
  import Attach
  import Collector
  import Dispatch
  import ExhibitStart
  import ExhibitSystem
  import Foundation
  import GRDB

  /// Lends the writing connection of a queue or pool, on its own dispatch queue only.
  final class QueueAccess: Sendable {
    private let writer: any DatabaseWriter
    private let label: String

    init(_ writer: some DatabaseWriter) {
      self.writer = writer
      label = writer.unsafeReentrantWrite { _ in Self.currentLabel() }
    }

    /// `nil` when the queue or pool is closed.
    func evidence(named name: String?) -> Evidence? {
      writer.unsafeReentrantWrite { db in
        db.sqliteConnection.map { connection in
          Evidence.database(connection: connection, named: name) { [self] deadline, body in
            lend(until: deadline, body)
          }
        }
      }
    }

    /// Runs `body` while the dispatch queue does nothing else.
    ///
    /// On that queue itself GRDB allows reentrance and waiting would never end. Other queues can have its label, so
    /// waiting is tried first.
    private func lend(
      until deadline: ContinuousClock.Instant, _ body: (OpaquePointer) -> Void
    ) -> LiveConnection.Access {
      let isPerhapsHere = Self.currentLabel() == label
      let visit = QueueVisit(writer)
      if let access = visit.wait(
        until: isPerhapsHere ? min(deadline, .now + .milliseconds(50)) : deadline, body)
      {
        return access
      }
      guard isPerhapsHere else { return .busy }
      return writer.unsafeReentrantWrite { db in
        guard let connection = db.sqliteConnection else { return .closed }
        body(connection)
        return .used
      }
    }

    private static func currentLabel() -> String { String(cString: exhibit_current_queue_label()) }
  }

  /// Blocks a dispatch queue while another thread uses its connection.
  private final class QueueVisit: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    private struct State {
      var connection: OpaquePointer?
      var hasArrived = false
      var hasLeft = false
    }

    init(_ writer: any DatabaseWriter) {
      Thread.detachNewThread { [self] in
        writer.unsafeReentrantWrite { db in
          let isAwaited = state.withLock { state in
            (state.connection, state.hasArrived) = (db.sqliteConnection, !state.hasLeft)
            return state.hasArrived
          }
          guard isAwaited else { return }
          arrived.signal()
          finished.wait()
        }
      }
    }

    /// Runs `body` once the queue is blocked; `nil` when it is not by the deadline.
    func wait(
      until deadline: ContinuousClock.Instant, _ body: (OpaquePointer) -> Void
    ) -> LiveConnection.Access? {
      let patience = max(0, ContinuousClock.now.duration(to: deadline) / .seconds(1))
      let isHere =
        arrived.wait(timeout: .now() + patience) == .success
        || state.withLock { state in
          state.hasLeft = !state.hasArrived
          return state.hasArrived
        }
      guard isHere else { return nil }
      defer { finished.signal() }
      guard let connection = state.withLock({ $0.connection }) else { return .closed }
      body(connection)
      return .used
    }
  }
#endif
