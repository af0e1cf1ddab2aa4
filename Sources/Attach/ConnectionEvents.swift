import Collector
import ExhibitStart
import Glibc
import Testing

/// ExhibitStart calls it on the opening thread.
@_cdecl("exhibit_connection_opened") func connectionOpened(_ db: OpaquePointer?) {
  guard let db else { return }
  StoreIdentifiers.register(on: db)
  guard let recorder = Recorder.process, recorder.settings.capture == .all else { return }
  let scope = TestScope.running
  recorder.connectionOpened(db, by: currentOpener(scope), in: scope)
}

nonisolated(unsafe) var mainThread = pthread_self()

/// Finds a statement's test, or 0; ExhibitStart calls it, with SQLite's mutex held, where it does not know
/// the test.
@_cdecl("exhibit_connection_used") func connectionUsed(_ connection: UnsafeMutableRawPointer?) -> UInt32 {
  guard let connection, let recorder = Recorder.process else { return 0 }
  let used = Unmanaged<AppConnection>.fromOpaque(connection).takeUnretainedValue()
  used.unguarded?.recordUse()
  let scope = TestScope.running
  if let scope, scope === TestScope.xctest, withUnsafeCurrentTask(body: { $0 == nil }),
    let test = used.leftRunning(during: scope.serial, isMain: pthread_equal(mainThread, pthread_self()) != 0)
  {
    return UInt32(truncatingIfNeeded: test)
  }
  if scope == nil || !used.isKnown(toBeUsedBy: recorder.tests.loneSerial) {
    recorder.connectionUsed(used, by: scope)
  }
  return UInt32(truncatingIfNeeded: scope?.serial ?? 0)
}

/// ExhibitStart calls it at the connection's first step.
@_cdecl("exhibit_connection_number") func connectionNumber(_ connection: UnsafeMutableRawPointer?) -> UInt32 {
  guard let connection else { return 0 }
  return UInt32(
    truncatingIfNeeded: Unmanaged<AppConnection>.fromOpaque(connection).takeUnretainedValue().number)
}

/// In bytes; ExhibitStart calls it at the process's first statement.
@_cdecl("exhibit_trace_size") func traceSize() -> UInt64 {
  UInt64(Recorder.process?.trace.size ?? 0)
}

/// Moves the ring from memory to its file; ExhibitStart calls it once the ring exists.
@_cdecl("exhibit_trace_made") func traceMade() {
  guard let recorder = Recorder.process else { return }
  recorder.trace.move(to: recorder.output.run)
  recorder.logLackOfTrace()
}

/// ExhibitStart calls it when the ATTACH starts.
@_cdecl("exhibit_connection_attaching") func connectionAttaching(_ connection: UnsafeMutableRawPointer?) {
  guard let connection, Recorder.process != nil else { return }
  Unmanaged<AppConnection>.fromOpaque(connection).takeUnretainedValue().recordAttaching()
}

/// Holds databases that a close would lose; ExhibitStart calls it on the closing thread, before the close.
@_cdecl("exhibit_connection_closing") func connectionClosing(_ db: OpaquePointer?) {
  guard let db, let recorder = Recorder.process else { return }
  guard let connection = recorder.connections[UInt(bitPattern: db)] else { return }
  connection.unguarded?.runWaiting(isUsable: true)
  recorder.connectionClosing(connection, db)
}

/// ExhibitStart calls it when the connection has really ended.
@_cdecl("exhibit_connection_ended") func connectionEnded(_ db: UnsafeMutableRawPointer?) {
  Recorder.process?.connectionEnded(UInt(bitPattern: db))
}

private func currentOpener(_ scope: TestScope?) -> Ownership.Opener {
  if let scope { return scope.opener }
  guard let test = Test.current else { return .nobody }
  return .named(TestCaseID(test, case: Test.Case.current))
}
