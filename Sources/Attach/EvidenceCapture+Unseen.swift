import Collector
import ExhibitSQLite
import ExhibitSystem

/// Databases that this process has open through a copy of SQLite whose connections are not seen.
extension EvidenceCapture {
  /// Captures those that can only be this test's: nobody knows who opened them.
  ///
  /// - Parameter captured: Those that are captured already.
  func captureUnseen(except captured: CapturedDatabases) {
    guard recorder.isAlone(scope) else { return }
    let seen = Set(recorder.connections.all.compactMap(\.path).compactMap(OpenDatabase.Storage.init(path:)))
    let artifacts = recorder.settings.artifacts.path + "/"
    for database in OpenDatabaseFiles.all() {
      let storage = OpenDatabase.Storage.file(
        device: UInt(database.identity.device), inode: UInt(database.identity.inode))
      guard !captured.storages.contains(storage), !seen.contains(storage),
        !database.path.hasPrefix(artifacts),
        recorder.settings.mayCapture(database.path)
      else { continue }
      let subject = Subject(
        kind: .database, name: fileName(database.path), source: database.path, keep: .onFailure)
      capture(.file(DatabaseFile(path: database.path)), subject)
    }
  }

  /// Names the loss where the failing thread has too little stack and keeps every other one from a connection.
  ///
  /// - Parameter evidence: What was to be captured; `nil` for all of a failure's.
  func reportHeldMutex(_ evidence: Evidence? = nil) {
    fail(
      Subject(
        kind: evidence?.kind ?? .database, name: evidence?.name ?? "databases", source: evidence?.source,
        keep: .onFailure), .busy,
      "The test failed inside a function that SQLite called, on a thread with too little stack for a capture, and no"
        + " other thread can use the connection meanwhile. 256 KiB are enough.")
  }

  /// Names the loss where no connection may be touched.
  func reportMixedImages() {
    guard let function = ConnectionRegistry.foreignFunction else { return }
    fail(
      Subject(kind: .database, name: "in-memory", keep: .onFailure), .unsupported,
      "The test process has two copies of SQLite, and \(function) does not come from the one that opens the"
        + " connections, so they are not touched: databases in memory and rows not yet committed are missing."
    )
  }
}
