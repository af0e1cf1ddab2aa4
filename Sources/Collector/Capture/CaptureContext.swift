import ExhibitSQLite

struct CaptureContext {
  let image: SQLiteImage
  let limits: CaptureLimits
  let deadline: ContinuousClock.Instant
  let folder: String
  let name: String
  let excludedTables: Set<String>
  let keepsHistory: Bool
  let start = ContinuousClock.now

  func makeCopy(of original: String, method: DatabaseCapture.Method) throws -> PrivateCopy {
    try PrivateCopy(
      of: original, in: folder, method: method,
      options: PrivateCopy.Options(
        image: image, limit: limits.databaseBytes, name: "\(name).sqlite",
        keepsHistory: keepsHistory && excludedTables.isEmpty))
  }

  func openImmutable(_ file: DatabaseFile) throws -> SQLiteHandle {
    try SQLiteConnection(immutable: file.path, named: file.name, vfs: file.vfs, image: image).handle
  }

  /// Reads through SQLite, so that no lock of this process is lost.
  func header(of file: DatabaseFile) throws -> DatabaseHeader? {
    DatabaseHeader(try SQLiteFile.database(of: try openImmutable(file)).prefix(DatabaseHeader.byteCount))
  }
}

enum CaptureOutcome {
  case copy(PrivateCopy)
  case changed(SituationChange)
}
