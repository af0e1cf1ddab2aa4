import ExhibitSQLite
import ExhibitSystem

/// What everything in one capture goes by: where its files go, and until when it may wait.
struct CaptureContext {
  let image: SQLiteImage
  let limits: CaptureLimits
  let deadline: ContinuousClock.Instant
  let folder: String
  let name: String
  let excludedTables: Set<String>
  let keepsHistory: Bool
  let start = ContinuousClock.now

  /// A copy to be filled from the original.
  ///
  /// - Throws: `SystemError`.
  func makeCopy(of original: String, method: DatabaseCapture.Method) throws -> PrivateCopy {
    try PrivateCopy(
      of: original, in: folder, method: method,
      options: PrivateCopy.Options(
        image: image, limit: limits.databaseBytes, name: "\(name).sqlite",
        keepsHistory: keepsHistory && excludedTables.isEmpty))
  }

  /// A connection that takes no lock and looks for no WAL.
  ///
  /// - Throws: `SQLiteError`.
  func openImmutable(_ file: DatabaseFile) throws -> SQLiteHandle {
    try SQLiteConnection(immutable: file.path, named: file.name, vfs: file.vfs, image: image).handle
  }

  /// The header, through SQLite, so that no lock of this process is lost even if somebody opens the file meanwhile;
  /// `nil` when the file does not begin as a database does.
  ///
  /// - Throws: `SQLiteError`.
  func header(of file: DatabaseFile) throws -> DatabaseHeader? {
    DatabaseHeader(try SQLiteFile.database(of: try openImmutable(file)).prefix(DatabaseHeader.byteCount))
  }
}

/// What running one strategy brought.
enum CaptureOutcome {
  case copy(PrivateCopy)
  /// Nothing, because the file is not as it was when the strategy was chosen.
  case changed(SituationChange)
}
