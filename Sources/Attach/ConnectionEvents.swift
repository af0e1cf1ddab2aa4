import Collector
import ExhibitCSQLite
import Testing

/// Called by ExhibitStart on the opening thread, with the connection ready for use.
@c(exhibit_connection_opened) func connectionOpened(_ db: OpaquePointer?) {
  guard let db else { return }
  // Before the app can register anything of its own.
  StoreIdentifiers.register(on: db)
  guard let recorder = Recorder.process, recorder.settings.capture == .all else { return }
  let scope = TestScope.running
  recorder.connectionOpened(db, by: currentOpener(scope), in: scope)
}

/// Called by ExhibitStart at the start of each statement, with SQLite's mutex held; the registry keeps the
/// `AppConnection` until its end.
@c(exhibit_connection_used) func connectionUsed(_ connection: UnsafeMutableRawPointer?) {
  guard let connection, let recorder = Recorder.process else { return }
  let used = Unmanaged<AppConnection>.fromOpaque(connection).takeUnretainedValue()
  used.unguarded?.recordUse()
  if used.isKnown(toBeUsedBy: recorder.tests.loneSerial) { return }
  recorder.connectionUsed(used, by: TestScope.running)
}

/// Called by ExhibitStart at the start of each statement that attaches a database, which the next one finds attached.
@c(exhibit_connection_attaching) func connectionAttaching(_ connection: UnsafeMutableRawPointer?) {
  guard let connection else { return }
  Unmanaged<AppConnection>.fromOpaque(connection).takeUnretainedValue().recordAttaching()
}

/// Called by ExhibitStart on the closing thread, with the connection still whole.
@c(exhibit_connection_closing) func connectionClosing(_ db: OpaquePointer?) {
  guard let db, let recorder = Recorder.process else { return }
  guard let connection = recorder.connections[UInt(bitPattern: db)] else { return }
  connection.unguarded?.runWaiting(isUsable: true)
  recorder.connectionClosing(connection, db)
}

/// Called by ExhibitStart at the real end of a connection.
@c(exhibit_connection_ended) func connectionEnded(_ db: UnsafeMutableRawPointer?) {
  Recorder.process?.connectionEnded(UInt(bitPattern: db))
}

private func currentOpener(_ scope: TestScope?) -> Ownership.Opener {
  if let scope { return scope.opener }
  guard let test = Test.current else { return .nobody }
  return .named(TestCaseID(test, case: Test.Case.current))
}
