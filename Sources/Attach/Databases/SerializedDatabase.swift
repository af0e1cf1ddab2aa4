import Collector
import ExhibitSQLite

/// A database as `sqlite3_serialize` gave it, in SQLite's memory; freed with this object.
final class SerializedDatabase: Sendable {
  private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
  let count: Int

  /// Copies a database through a connection that nobody else uses meanwhile; `nil` when it is empty or SQLite has no
  /// memory for it.
  init?(_ schema: UnsafePointer<CChar>, on db: OpaquePointer) {
    var size: sqlite3_int64 = 0
    guard let start = sqlite3_serialize(db, schema, &size, 0) else { return nil }
    self.start = start
    count = Int(size)
    if count == 0 { return nil }
  }

  /// The same of a database that is not empty.
  ///
  /// - Throws: `SQLiteError`.
  init(reading schema: String, on db: OpaquePointer) throws {
    (start, count) = try SQLiteHandle(pointer: db, path: "").image(of: schema)
  }

  deinit {
    sqlite3_free(start)
  }

  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
