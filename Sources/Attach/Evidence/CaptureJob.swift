import Collector
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Holds what all steps of one capture need; made when the failure happens and handed down.
struct CaptureJob: Sendable {
  let recorder: Recorder
  let scope: TestScope
  /// Ends the time in which the whole capture may wait for locks.
  let deadline: CaptureDeadline
  let open: OpenDatabases

  init(recorder: Recorder, scope: TestScope, deadline: CaptureDeadline) {
    self.recorder = recorder
    self.scope = scope
    self.deadline = deadline
    open = OpenDatabases(
      recorder.connections, of: DatabaseSelection(test: scope.owner, isAlone: recorder.tests.isAlone(scope)),
      until: deadline)
  }

  var record: EvidenceRecord { EvidenceRecord(recorder: recorder, scope: scope) }

  /// A capturer that keeps within the budget for one database and within the deadline.
  var capturer: DatabaseCapturer {
    var capturer = DatabaseCapturer(
      image: .ownConnections,
      limits: CaptureLimits(databaseBytes: recorder.settings.budget.database, wait: deadline.rest),
      excludedTables: scope.state.withLock { $0.exclusions.tables }, keepsHistory: true)
    capturer.helper = { [deadline] request in
      try HelperProcess(patience: deadline.rest, bytes: sizeOnDisk(request.path)).capture(request)
    }
    return capturer
  }
}

/// Adds up the bytes of a database and its WAL.
private func sizeOnDisk(_ path: String) -> Int {
  [path, SideFile.wal.path(beside: path)].reduce(0) {
    $0 + (FileSystem.targetStatus($1).map { Int($0.st_size) } ?? 0)
  }
}
