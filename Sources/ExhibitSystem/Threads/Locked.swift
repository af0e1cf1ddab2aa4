public import Glibc

/// A value behind a mutex.
///
/// It uses pthread's mutex, because ThreadSanitizer does not see the futex of `Synchronization.Mutex`. It is public
/// and inlinable so that it is specialized in `Attach`; no product shows it.
public struct Locked<Value>: @unchecked Sendable {
  @usableFromInline let storage: LockedStorage

  /// Guards a value.
  @inlinable public init(_ value: Value) {
    storage = LockedStorage.create(holding: value)
  }

  /// Runs `body` alone with the value; it must not use the same lock again.
  @inlinable public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try storage.withUnsafeMutablePointers { lock, memory in
      // They fail only for an invalid mutex or one that another thread holds.
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

@usableFromInline struct Lock {
  @usableFromInline var mutex = pthread_mutex_t()
  @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void

  @inlinable init(_ destroy: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.destroy = destroy
  }
}

/// A mutex and, in the same memory, the value.
///
/// It is not generic: metadata of a generic class is made at run time, 10 µs for each locked type in each test
/// process.
@usableFromInline final class LockedStorage: ManagedBuffer<Lock, UInt64> {
  @inlinable static func create<Value>(holding value: Value) -> LockedStorage {
    precondition(MemoryLayout<Value>.alignment <= MemoryLayout<UInt64>.alignment)
    let words = (MemoryLayout<Value>.size + MemoryLayout<UInt64>.size - 1) / MemoryLayout<UInt64>.size
    let storage = create(minimumCapacity: words) { _ in
      Lock { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    }
    return storage.withUnsafeMutablePointers { lock, memory in
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
