public import Glibc

/// A value that one thread at a time can reach.
///
/// `Synchronization.Mutex` waits on a futex of its own on Linux, which ThreadSanitizer does not see: the tests of
/// everyone who links Attach would show races under `--sanitize=thread` that are none. It knows pthread's.
///
/// Public and inlinable although no product shows it: else it would not be specialized in `Attach`.
public struct Locked<Value>: @unchecked Sendable {
  @usableFromInline let storage: LockedStorage

  /// Guards a value.
  @inlinable public init(_ value: Value) {
    storage = LockedStorage.create(holding: value)
  }

  /// Runs `body` alone with the value; it must not come back to the same lock.
  @inlinable public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try storage.withUnsafeMutablePointers { lock, memory in
      // Both fail only for a mutex that is none or belongs to another thread.
      _ = pthread_mutex_lock(&lock.pointee.mutex)
      defer { _ = pthread_mutex_unlock(&lock.pointee.mutex) }
      return try body(&UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Value.self).pointee)
    }
  }
}

/// A mutex and how what it guards is destroyed.
@usableFromInline struct Lock {
  @usableFromInline var mutex = pthread_mutex_t()
  @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void

  @inlinable init(_ destroy: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.destroy = destroy
  }
}

/// A mutex and, in the same memory, the value.
///
/// Not generic: Swift makes the metadata of a generic class when the process runs, which every test process of
/// `swift test --parallel` would pay for, 10 µs for each type that is locked.
@usableFromInline final class LockedStorage: ManagedBuffer<Lock, UInt64> {
  @inlinable static func create<Value>(holding value: Value) -> LockedStorage {
    precondition(MemoryLayout<Value>.alignment <= MemoryLayout<UInt64>.alignment)
    let words = (MemoryLayout<Value>.size + MemoryLayout<UInt64>.size - 1) / MemoryLayout<UInt64>.size
    let storage = create(minimumCapacity: words) { _ in
      Lock { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    }
    return storage.withUnsafeMutablePointers { lock, memory in
      // A mutex with default attributes in fresh memory: POSIX knows no error for it on Linux.
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
