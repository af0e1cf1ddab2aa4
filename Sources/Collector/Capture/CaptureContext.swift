import ExhibitSQLite

/// The settings of one capture: the place of its files, its limits and its deadline.
struct CaptureContext {
  let image: SQLiteImage
  let limits: CaptureLimits
  let deadline: ContinuousClock.Instant
  let folder: String
  let name: String
  let excludedTables: Set<String>
  let keepsHistory: Bool
  let start = ContinuousClock.now

  /// Makes an empty copy to fill from the original.
  ///
  /// - Throws: `SystemError`.
  func makeCopy(of original: String, method: DatabaseCapture.Method) throws -> PrivateCopy {
    try PrivateCopy(
      of: original, in: folder, method: method,
      options: PrivateCopy.Options(
        image: image, limit: limits.databaseBytes, name: "\(name).sqlite",
        keepsHistory: keepsHistory && excludedTables.isEmpty))
  }

  /// Opens a connection that takes no lock and looks for no WAL.
  ///
  /// - Throws: `SQLiteError`.
  func openImmutable(_ file: DatabaseFile) throws -> SQLiteHandle {
    try SQLiteConnection(immutable: file.path, named: file.name, vfs: file.vfs, image: image).handle
  }

  /// Reads the header; `nil` when the file does not begin like a database.
  ///
  /// It reads through SQLite, so that no lock of this process is lost even if somebody opens the file meanwhile.
  ///
  /// - Throws: `SQLiteError`.
  func header(of file: DatabaseFile) throws -> DatabaseHeader? {
    DatabaseHeader(try SQLiteFile.database(of: try openImmutable(file)).prefix(DatabaseHeader.byteCount))
  }
}

enum CaptureOutcome {
  case copy(PrivateCopy)
  /// The file has changed since the strategy was chosen, so there is no copy.
  case changed(SituationChange)
}
