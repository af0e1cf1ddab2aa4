import Glibc

/// A value that one thread at a time can reach, and whose changes others can wait for.
///
/// It uses pthread's primitives, which ThreadSanitizer knows, because these threads run in test processes.
package final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    // POSIX knows no error on Linux for either, with default attributes in fresh memory.
    _ = pthread_mutex_init(mutex, nil)
    _ = pthread_cond_init(changed, nil)
  }

  deinit {
    _ = pthread_cond_destroy(changed)
    _ = pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` alone with the value.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    // Both fail only for an invalid mutex or one that another thread holds.
    _ = pthread_mutex_lock(mutex)
    defer { _ = pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` alone with the value and wakes everyone who waits for a change.
  package func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    defer { _ = pthread_cond_broadcast(changed) }
    return try withLock(body)
  }

  /// Waits until `body` returns a result for the value.
  package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    _ = pthread_mutex_lock(mutex)
    defer { _ = pthread_mutex_unlock(mutex) }
    while true {
      // The value is passed anew every time, because others can change it while this thread waits.
      if let result = body(&value) { return result }
      _ = pthread_cond_wait(changed, mutex)
    }
  }
}
