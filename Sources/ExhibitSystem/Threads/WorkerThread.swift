import Glibc

/// A thread outside of Swift's pool, whose threads a test may all have blocked; it handles no signals.
package final class WorkerThread {
  private let thread: pthread_t

  /// - Throws: `SystemError` when the process may start no more threads.
  package init(_ body: @escaping @Sendable () -> Void) throws {
    let pointer = Unmanaged.passRetained(Body(run: body))
    var thread = pthread_t()
    let code = Self.withSignalsBlocked {
      pthread_create(&thread, nil, { Body.run($0) }, pointer.toOpaque())
    }
    guard code == 0 else {
      pointer.release()
      throw SystemError("start", "a thread", code: code)
    }
    self.thread = thread
  }

  deinit {
    _ = pthread_join(thread, nil)
  }

  /// Runs `body` with all signals blocked; threads that it starts inherit that.
  package static func withSignalsBlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
    var (all, before) = (sigset_t(), sigset_t())
    _ = sigfillset(&all)
    _ = pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { _ = pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  private final class Body {
    private let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let pointer else { return nil }
      Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
      return nil
    }
  }
}
