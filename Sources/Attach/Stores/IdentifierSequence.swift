import Collector
import ExhibitCSQLite
import ExhibitSystem
import Foundation
import Synchronization

/// What a store's SQL function `uuid()` returns.
package final class IdentifierSequence: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  private func next() -> UUID {
    .seed(count.wrappingAdd(1, ordering: .relaxed).oldValue)
  }

  /// Registers `uuid()`; the app may replace it later.
  @discardableResult
  package func register(on db: OpaquePointer) -> Int32 {
    // Innocuous, so that a column's default may call it in an untrusted schema.
    sqlite3_create_function_v2(
      db, "uuid", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passRetained(self).toOpaque(),
      { context, _, _ in
        guard let sequence = sqlite3_user_data(context) else { return }
        let text = Unmanaged<IdentifierSequence>.fromOpaque(sequence).takeUnretainedValue().next().uuidString
        exhibit_result_text(context, text, Int32(text.utf8.count))
      }, nil, nil, { $0.map { Unmanaged<IdentifierSequence>.fromOpaque($0).release() } })
  }
}

/// The stores' sequences, for connections that an app opens to them.
package enum StoreIdentifiers {
  package enum Storage: Sendable, Hashable {
    case file(path: String)
    /// Shared memory, by the address of SQLite's file object.
    case memory(address: UInt)

    /// Of a connection's main database; `nil` when SQLite does not tell.
    package init?(of db: OpaquePointer) {
      if let path = mainPath(of: db) {
        self = .file(path: path)
      } else if let file = filePointer(of: "main", on: db) {
        self = .memory(address: UInt(bitPattern: file))
      } else {
        return nil
      }
    }
  }

  private static let sequences = Locked<[Storage: IdentifierSequence]>([:])
  /// Spares a process without stores from making `sequences`.
  private static let areThereAny = Atomic<Bool>(false)

  package static func add(_ sequence: IdentifierSequence, at place: Storage) {
    sequences.withLock { $0[place] = sequence }
    areThereAny.store(true, ordering: .releasing)
  }

  /// Ends its use before the store's last connection closes; another database may get its address.
  package static func remove(_ sequence: IdentifierSequence, at place: Storage?) {
    guard let place else { return }
    sequences.withLock { if $0[place] === sequence { $0[place] = nil } }
  }

  static func register(on db: OpaquePointer) {
    guard areThereAny.load(ordering: .acquiring), let place = Storage(of: db) else { return }
    sequences.withLock { $0[place] }?.register(on: db)
  }
}
