import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitStart

/// Hides our work from the app's authorizers, handlers, traces, error log and automatic extensions.
enum OwnWork {
  static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    exhibit_begin_own_work()
    defer { exhibit_end_own_work() }
    return try body()
  }

  /// Restores the app's error after `body`, or throws where that is impossible.
  static func run(on db: OpaquePointer, _ body: () -> Void) throws {
    guard exhibit_reaches_callbacks() != 0 else { throw CaptureError.callbacksOutOfReach }
    let code = sqlite3_extended_errcode(db)
    guard exhibit_can_restore_error(code) != 0 else { throw CaptureError.errorLost(code) }
    let (systemError, message) = (sqlite3_system_errno(db), String(cString: sqlite3_errmsg(db)))
    run {
      body()
      _ = exhibit_restore_error(db, code, systemError, message)
    }
  }
}

extension CaptureError {
  fileprivate static let callbacksOutOfReach = CaptureError(
    .unsupported,
    "The rows of an open transaction are missing: only a statement could read them, and the app's authorizer, progress"
      + " handler and trace, which would hear of it, are out of reach in an executable that carries its own SQLite."
  )

  fileprivate static func errorLost(_ code: Int32) -> CaptureError {
    CaptureError(
      .unsupported,
      "The rows of an open transaction are missing: the connection's last error has the code \(code), which cannot be"
        + " put back once a statement has read them.")
  }
}

extension SQLiteImage {
  static let ownConnections = SQLiteImage(
    open: { exhibit_open_own($0, $1, $2, $3) }, undisturbed: { try OwnWork.run(on: $0, $1) })
}
