import ExhibitCSQLite
import ExhibitSystem

/// A connection as a test of a user has it; closed at its last use.
package final class TestConnection: Sendable {
  private let address: UInt
  private let isClosed = Locked(false)
  package let path: String

  /// Opens a database that is read and written.
  ///
  /// - Parameters:
  ///   - flags: besides reading, writing and the mutex; a database that is missing is made.
  ///   - setup: what is run first.
  package init(
    _ path: String, vfs: String? = nil, flags: Int32 = 0, _ setup: String = ""
  ) throws {
    var pointer: OpaquePointer?
    let mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | flags
    let code = sqlite3_open_v2(path, &pointer, mode, vfs)
    address = UInt(bitPattern: pointer)
    self.path = path
    guard code == SQLITE_OK else { throw Refused(message: "open \(path): \(code)") }
    try execute(setup)
  }

  deinit { close() }

  /// What SQLite said instead of doing what it was told.
  package struct Refused: Error {
    package var message: String

    package init(message: String) {
      self.message = message
    }
  }

  package var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// Runs statements.
  package func execute(_ sql: String) throws {
    _ = try text(sql)
  }

  /// Runs statements and gives the first column of the last row, or an empty text.
  @discardableResult package func text(_ sql: String) throws -> String { try runSQL(pointer, sql) }

  /// Runs statements and gives the first column of the last row, when it is a number.
  package func integer(_ sql: String) throws -> Int? { Int(try text(sql)) }

  package func close() {
    isClosed.withLock { closed in
      if !closed { sqlite3_close_v2(pointer) }
      closed = true
    }
  }

  /// Calls `body` with the connection, which nobody closes meanwhile; `nil` when it is closed.
  package func whileOpen<Result>(_ body: (OpaquePointer) throws -> Result) rethrows -> Result? {
    try isClosed.withLock { closed in
      guard !closed, let pointer else { return nil }
      return try body(pointer)
    }
  }
}

/// Runs statements and gives the first column of the last row, or an empty text.
@discardableResult package func runSQL(_ connection: OpaquePointer?, _ sql: String) throws -> String {
  var last = ""
  let code = withUnsafeMutablePointer(to: &last) { last in
    sqlite3_exec(
      connection, sql,
      { last, _, values, _ in
        last?.assumingMemoryBound(to: String.self).pointee = values?[0].map { String(cString: $0) } ?? ""
        return 0
      }, last, nil)
  }
  guard code == SQLITE_OK else {
    throw TestConnection.Refused(message: "\(sql): \(String(cString: sqlite3_errmsg(connection))) (\(code))")
  }
  return last
}
