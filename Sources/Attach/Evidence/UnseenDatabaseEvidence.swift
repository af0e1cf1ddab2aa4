import Collector
import ExhibitSQLite

/// Captures databases open through a copy of SQLite whose connections are invisible.
struct UnseenDatabaseEvidence: Sendable {
  let job: CaptureJob

  /// While other tests run, a database could be theirs.
  func capture(except captured: CaptureCoverage) {
    guard job.recorder.tests.isAlone(job.scope) else { return }
    let seen = Set(
      job.recorder.connections.all.compactMap(\.path).compactMap(OpenDatabase.Storage.init(path:)))
    let artifacts = job.recorder.settings.artifacts.path + "/"
    for database in OpenDatabaseFiles.all() {
      let storage = OpenDatabase.Storage.file(database.identity)
      guard !captured.storages.contains(storage), !seen.contains(storage),
        !database.path.hasPrefix(artifacts),
        job.recorder.settings.mayCapture(database.path)
      else { continue }
      let subject = EvidenceSubject(
        kind: .database, name: fileName(database.path), source: database.path)
      DatabaseEvidence(job: job).capture(.file(DatabaseFile(path: database.path)), subject)
    }
  }
}
