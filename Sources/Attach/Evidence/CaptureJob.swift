import Collector
import ExhibitSQLite
import ExhibitSystem
import Glibc

struct CaptureJob: Sendable {
  let recorder: Recorder
  let scope: TestScope
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

private func sizeOnDisk(_ path: String) -> Int {
  [path, SideFile.wal.path(beside: path)].reduce(0) {
    $0 + (FileSystem.targetStatus($1).map { Int($0.st_size) } ?? 0)
  }
}
