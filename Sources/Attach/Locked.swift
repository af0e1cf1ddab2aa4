import Glibc

/// A value that one thread at a time can reach.
///
/// `Synchronization.Mutex` waits on a futex of its own on Linux, which ThreadSanitizer does not see: the tests of
/// everyone who links Attach would show races under `--sanitize=thread` that are none. It knows pthread's.
final class Locked<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    // A mutex with default attributes in fresh memory: POSIX knows no error for it on Linux.
    _ = pthread_mutex_init(mutex, nil)
  }

  deinit {
    _ = pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` alone with the value; it must not come back to the same lock.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    // Both fail only for a mutex that is none or belongs to another thread.
    _ = pthread_mutex_lock(mutex)
    defer { _ = pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
