import Collector
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// One capture for one test: all that its steps need, made when the failure happens and handed down.
struct CaptureJob: Sendable {
  let recorder: Recorder
  let scope: TestScope
  /// How long all of it together may still wait for locks.
  let deadline: CaptureDeadline
  /// The databases that are open.
  let open: OpenDatabases

  init(recorder: Recorder, scope: TestScope, deadline: CaptureDeadline) {
    self.recorder = recorder
    self.scope = scope
    self.deadline = deadline
    open = OpenDatabases(
      recorder.connections, of: DatabaseSelection(test: scope.owner, isAlone: recorder.tests.isAlone(scope)),
      until: deadline)
  }

  /// The record of what came of it.
  var record: EvidenceRecord { EvidenceRecord(recorder: recorder, scope: scope) }

  /// The capturer of the test's databases, which keeps within the budget for a database and within the deadline.
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

/// Bytes of a database and its WAL.
private func sizeOnDisk(_ path: String) -> Int {
  [path, SideFile.wal.path(beside: path)].reduce(0) {
    $0 + (FileSystem.targetStatus($1).map { Int($0.st_size) } ?? 0)
  }
}
