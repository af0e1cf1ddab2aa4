import Glibc

/// A value that one thread at a time can reach.
///
/// `Synchronization.Mutex` waits on a futex of its own on Linux, which ThreadSanitizer does not see: the tests of
/// everyone who links Attach would show races under `--sanitize=thread` that are none. It knows pthread's.
struct Locked<Value>: @unchecked Sendable {
  private let storage: ManagedBuffer<Value, pthread_mutex_t>

  init(_ value: Value) {
    storage = LockedStorage<Value>.create(minimumCapacity: 1) { storage in
      // A mutex with default attributes in fresh memory: POSIX knows no error for it on Linux.
      storage.withUnsafeMutablePointerToElements { _ = pthread_mutex_init($0, nil) }
      return value
    }
  }

  /// Runs `body` alone with the value; it must not come back to the same lock.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try storage.withUnsafeMutablePointers { value, mutex in
      // Both fail only for a mutex that is none or belongs to another thread.
      _ = pthread_mutex_lock(mutex)
      defer { _ = pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
}

/// The value and, in the same memory, its mutex.
private final class LockedStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
  deinit {
    withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
  }
}
