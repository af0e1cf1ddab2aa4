import Collector
import ExhibitSQLite
import Testing

/// Called by ExhibitStart on the opening thread, with the connection ready for use.
@c(exhibit_connection_opened) func connectionOpened(_ db: OpaquePointer?) {
  guard let db, let recorder = Recorder.process else { return }
  recorder.connectionOpened(db, by: currentOpener())
}

/// Called by ExhibitStart at the start of each statement, with SQLite's mutex held.
@c(exhibit_connection_used) func connectionUsed(_ db: UnsafeMutableRawPointer?) {
  guard let recorder = Recorder.process, let connection = recorder.connections[UInt(bitPattern: db)] else {
    return
  }
  recorder.connectionUsed(connection, by: TestScope.running)
}

/// Called by ExhibitStart on the closing thread, with the connection still whole.
@c(exhibit_connection_closing) func connectionClosing(_ db: OpaquePointer?) {
  guard let db else { return }
  Recorder.process?.connectionClosing(db)
}

/// Called by ExhibitStart at the real end of a connection.
@c(exhibit_connection_ended) func connectionEnded(_ db: UnsafeMutableRawPointer?) {
  Recorder.process?.connectionEnded(UInt(bitPattern: db))
}

private func currentOpener() -> Connection.Opener {
  if let scope = TestScope.running { return .scope(scope) }
  guard let test = Test.current else { return .nobody }
  return .test(TestCaseID(test, case: Test.Case.current))
}
