import ExhibitSQLite
import Foundation
import Synchronization

/// The identifiers that the SQL function `uuid()` of one store yields, each once.
package final class IdentifierSequence: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  private func next() -> UUID {
    .seed(count.wrappingAdd(1, ordering: .relaxed).oldValue)
  }

  /// Registers `uuid()` on a connection; a function of that name that the app registers later replaces it.
  ///
  /// - Returns: SQLite's result code.
  @discardableResult
  package func register(on db: OpaquePointer) -> Int32 {
    // Innocuous: a column's default may call it where the schema is not trusted.
    sqlite3_create_function_v2(
      db, "uuid", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passRetained(self).toOpaque(),
      { context, _, _ in
        guard let sequence = sqlite3_user_data(context) else { return }
        let text = Unmanaged<IdentifierSequence>.fromOpaque(sequence).takeUnretainedValue().next().uuidString
        exhibit_result_text(context, text, Int32(text.utf8.count))
      }, nil, nil, { $0.map { Unmanaged<IdentifierSequence>.fromOpaque($0).release() } })
  }
}

/// The sequences of the stores on disk, for connections that an app opens to them itself.
package enum StoreIdentifiers {
  private static let sequences = Locked<[String: IdentifierSequence]>([:])
  /// Spares a process without stores the making of `sequences`.
  private static let areThereAny = Atomic<Bool>(false)

  /// Has every later connection to the file at `path`, as SQLite names it, use the sequence.
  package static func add(_ sequence: IdentifierSequence, path: String) {
    sequences.withLock { $0[path] = sequence }
    areThereAny.store(true, ordering: .releasing)
  }

  package static func remove(path: String) {
    sequences.withLock { _ = $0.removeValue(forKey: path) }
  }

  /// Called for each connection that is opened in the process.
  static func register(on db: OpaquePointer) {
    guard areThereAny.load(ordering: .acquiring), let path = mainPath(of: db) else { return }
    sequences.withLock { $0[path] }?.register(on: db)
  }
}
