import Glibc

/// A value behind a mutex of pthread, which ThreadSanitizer knows, and a condition variable to wait for changes.
package final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    // On Linux neither can fail with default attributes.
    _ = pthread_mutex_init(mutex, nil)
    _ = pthread_cond_init(changed, nil)
  }

  deinit {
    _ = pthread_cond_destroy(changed)
    _ = pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    _ = pthread_mutex_lock(mutex)
    defer { _ = pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` alone with the value, then wakes all waiting threads.
  package func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    defer { _ = pthread_cond_broadcast(changed) }
    return try withLock(body)
  }

  /// Waits until `body` returns a result for the value.
  package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    _ = pthread_mutex_lock(mutex)
    defer { _ = pthread_mutex_unlock(mutex) }
    while true {
      // Passed anew, because others change it while this thread waits.
      if let result = body(&value) { return result }
      _ = pthread_cond_wait(changed, mutex)
    }
  }
}
