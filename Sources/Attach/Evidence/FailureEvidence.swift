import Collector
import ExhibitSystem

struct FailureEvidence: Sendable {
  let job: CaptureJob

  func captureFailure(afterBody: Bool) {
    let registered = job.scope.state.withLock { $0.registered }
    var captured = CaptureCoverage()
    for evidence in registered { captured.formUnion(capture(evidence, keep: .onFailure)) }
    guard job.recorder.settings.capture == .all else { return }
    captureDatabases(except: captured, afterBody: afterBody)
  }

  private func captureDatabases(except captured: CaptureCoverage, afterBody: Bool) {
    var captured = captured
    for database in job.open.own where !captured.storages.contains(database.storage) {
      OpenDatabaseEvidence(job: job).captureOpen(database)
      captured.formUnion(CaptureCoverage(database))
    }
    ClosedDatabaseEvidence(job: job).captureClosed(except: captured, afterBody: afterBody)
    UnseenDatabaseEvidence(job: job).capture(except: captured)
    reportMixedImages()
  }

  /// - Returns: The database, if it was one, to be captured once.
  @discardableResult
  func capture(_ evidence: Evidence, keep: EvidenceKeep) -> CaptureCoverage {
    switch evidence.content {
    case .database(let path):
      return OpenDatabaseEvidence(job: job).captureDatabase(at: path, name: evidence.name, keep: keep)
    case .connection(let reference):
      return OpenDatabaseEvidence(job: job).captureDatabase(of: reference, name: evidence.name, keep: keep)
    case .directory(let path, let compression):
      FileEvidence(job: job).captureDirectory(at: path, compression, name: evidence.name, keep: keep)
    case .file(let path):
      return FileEvidence(job: job).captureFile(at: path, name: evidence.name, keep: keep)
    case .data(let bytes, let kind):
      FileEvidence(job: job).captureData(bytes, kind: kind, name: evidence.name, keep: keep)
    }
    return CaptureCoverage()
  }

  /// The stack was too small, and no other thread may use the connection.
  func reportUnreachable(_ evidence: Evidence? = nil) {
    job.record.fail(
      EvidenceSubject(
        kind: evidence?.kind ?? .database, name: evidence?.name ?? "databases", source: evidence?.source),
      .busy,
      "The test failed inside a function that SQLite called, on a thread with too little stack for a capture, and no"
        + " other thread can use the connection meanwhile. 256 KiB are enough.")
  }

  private func reportMixedImages() {
    guard let function = ConnectionRegistry.foreignFunction else { return }
    job.record.fail(
      EvidenceSubject(kind: .database, name: "in-memory"), .unsupported,
      "The test process has two copies of SQLite, and \(function) does not come from the one that opens the"
        + " connections, so they are not touched: databases in memory and rows not yet committed are missing."
    )
  }
}
