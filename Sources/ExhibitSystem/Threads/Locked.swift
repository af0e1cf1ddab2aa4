public import Glibc

/// A value that one thread at a time can reach.
///
/// It uses pthread's mutex, which ThreadSanitizer knows. `Synchronization.Mutex` waits on a futex of its own on
/// Linux, which ThreadSanitizer does not see: everybody who links Attach would get false races under
/// `--sanitize=thread`.
///
/// It is public and inlinable, although no product shows it, because it would not be specialized in `Attach`
/// otherwise.
public struct Locked<Value>: @unchecked Sendable {
  @usableFromInline let storage: LockedStorage

  /// Guards a value.
  @inlinable public init(_ value: Value) {
    storage = LockedStorage.create(holding: value)
  }

  /// Runs `body` alone with the value; it must not use the same lock again.
  @inlinable public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try storage.withUnsafeMutablePointers { lock, memory in
      // Both fail only for an invalid mutex or one that another thread holds.
      _ = pthread_mutex_lock(&lock.pointee.mutex)
      defer { _ = pthread_mutex_unlock(&lock.pointee.mutex) }
      return try body(&UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Sets the value and returns the former one.
  @inlinable public func exchange(_ new: Value) -> Value {
    withLock { value in
      defer { value = new }
      return value
    }
  }
}

/// A mutex, and the function that destroys the guarded value.
@usableFromInline struct Lock {
  @usableFromInline var mutex = pthread_mutex_t()
  @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void

  @inlinable init(_ destroy: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.destroy = destroy
  }
}

/// A mutex and, in the same memory, the value.
///
/// It is not generic: Swift makes a generic class's metadata when the process runs, and each test process of `swift
/// test --parallel` would pay 10 µs for each locked type.
@usableFromInline final class LockedStorage: ManagedBuffer<Lock, UInt64> {
  @inlinable static func create<Value>(holding value: Value) -> LockedStorage {
    precondition(MemoryLayout<Value>.alignment <= MemoryLayout<UInt64>.alignment)
    let words = (MemoryLayout<Value>.size + MemoryLayout<UInt64>.size - 1) / MemoryLayout<UInt64>.size
    let storage = create(minimumCapacity: words) { _ in
      Lock { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    }
    return storage.withUnsafeMutablePointers { lock, memory in
      // POSIX knows no error on Linux for a mutex with default attributes in fresh memory.
      _ = pthread_mutex_init(&lock.pointee.mutex, nil)
      UnsafeMutableRawPointer(memory).initializeMemory(as: Value.self, to: value)
      return unsafeDowncast(storage, to: LockedStorage.self)
    }
  }

  deinit {
    withUnsafeMutablePointers { lock, memory in
      lock.pointee.destroy(memory)
      _ = pthread_mutex_destroy(&lock.pointee.mutex)
    }
  }
}
