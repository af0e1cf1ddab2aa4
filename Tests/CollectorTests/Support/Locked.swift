import ExhibitSystem
import Foundation

/// A value that threads share.
///
/// Not `Mutex`: ThreadSanitizer does not see it on Linux, and takes what it guards under contention for a race.
final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  private let lock = NSLock()

  init(_ value: Value) {
    self.value = value
  }

  func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
