import ExhibitCSQLite
import ExhibitSQLite

package struct CaptureError: Error, Codable, Equatable, CustomStringConvertible {
  package var reason: CaptureFailure.Reason
  package var message: String
  package var bytes: Int?

  package init(_ reason: CaptureFailure.Reason, _ message: String, bytes: Int? = nil) {
    self.reason = reason
    self.message = message
    self.bytes = bytes
  }

  package var description: String { message }

  package func failure(of kind: EvidenceKind, named name: String, source: String?) -> CaptureFailure {
    CaptureFailure(kind: kind, name: name, source: source, reason: reason, message: message, bytes: bytes)
  }
}

extension CaptureError {
  init(_ error: any Error) {
    switch error {
    case let error as CaptureError: self = error
    case let error as SQLiteError: self.init(Self.reason(for: error), Self.message(for: error))
    default: self.init(.io, String(describing: error))
    }
  }

  private static func reason(for error: SQLiteError) -> CaptureFailure.Reason {
    if error.extendedCode == SQLiteError.hotJournal { return .hotJournal }
    if error.isBusy { return .busy }
    switch error.code {
    case SQLITE_NOTADB, SQLITE_CORRUPT: return .notADatabase
    case SQLITE_AUTH, SQLITE_ERROR: return .unsupported
    default: return .io
    }
  }

  private static func message(for error: SQLiteError) -> String {
    switch reason(for: error) {
    case .hotJournal: hotJournal(error.path).message
    case .notADatabase: notADatabase(error.path, error.message).message
    default: error.description
    }
  }

  static func missing(_ path: String) -> CaptureError {
    CaptureError(
      .missing, "There is no file at \(path); the test may have deleted its folder before it failed.")
  }

  static func notADatabase(_ path: String, _ detail: String) -> CaptureError {
    CaptureError(.notADatabase, "\(path) is not a readable SQLite database (\(detail)); it may be encrypted.")
  }

  static func hotJournal(_ path: String) -> CaptureError {
    CaptureError(
      .hotJournal,
      "\(path) has the rollback journal of a process that died in a transaction, and only opening it for writing would repair it."
    )
  }

  static func foreignHandle(_ path: String) -> CaptureError {
    CaptureError(
      .foreignHandle,
      "\(path) is open in the test process, but not through the SQLite that is observed; reading it there could break its locks."
    )
  }

  static func busy(_ path: String) -> CaptureError {
    CaptureError(.busy, "\(path) was locked by another connection for as long as a capture waits.")
  }

  static let mixedMemory = CaptureError(
    .busy,
    "The in-memory database was made by sqlite3_deserialize and is inside a large transaction: what SQLite gives of it"
      + " then is neither what was committed nor what was not.")

  static func unusableName(_ name: String) -> CaptureError {
    CaptureError(.io, "\(name.debugDescription) cannot be the name of a file.")
  }

  static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  static func overBudget(_ name: String, bytes: Int, limit: Int) -> CaptureError {
    CaptureError(
      .overBudget, "\(name) has \(bytes) bytes, more than the limit of \(limit) for one capture.",
      bytes: bytes)
  }
}
