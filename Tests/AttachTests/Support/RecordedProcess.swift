import Collector
import ExhibitCSQLite
import Foundation
import Testing

@testable import Attach

/// A recorder of its own with an artifacts folder of its own, and connections that only it knows.
final class RecordedProcess {
  let folder: URL
  let recorder: Recorder
  var requests: EvidenceRequests { EvidenceRequests(to: recorder, patience: patience) }
  private let patience: Duration
  private var handles: [OpaquePointer] = []

  /// - Parameter patience: How long captures may wait; as long as a machine may need that does much else.
  init(_ variables: [String: String] = [:], patience: Duration = .seconds(600)) throws {
    self.patience = patience
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var variables = variables
    variables["EXHIBIT_ARTIFACTS"] = folder.appendingPathComponent("artifacts").path
    variables["TMPDIR"] = FileManager.default.temporaryDirectory.path
    let known = variables
    var settings = RecorderSettings { known[$0] }
    settings.capture = .all
    recorder = Recorder(settings: settings)
  }

  deinit {
    for handle in handles {
      recorder.connections.remove(UInt(bitPattern: handle))
      sqlite3_close_v2(handle)
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Begins a test that is not the only one: what the tests beside have open in this process is none of its own.
  func beginBesideAnother(_ name: String) -> TestScope {
    _ = begin("beside()")
    return begin(name)
  }

  /// Begins a test of the suite `Store`.
  func begin(_ name: String) -> TestScope {
    recorder.begin(
      TestCaseID(module: "M", suite: ["Store"], name: name), start: TestStart(framework: .swiftTesting))
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Opens a connection that stays open until this object goes.
  func open(_ path: String, _ sql: String = "", by opener: Ownership.Opener) throws -> AppConnection {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_URI
    #expect(sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK)
    let db = try #require(opened)
    handles.append(db)
    #expect(sqlite3_exec(db, sql, nil, nil, nil) == SQLITE_OK)
    return recorder.connections.insert(db, opener: opener)
  }

  func handle(of connection: AppConnection) throws -> OpaquePointer {
    try #require(OpaquePointer(bitPattern: connection.address))
  }

  /// Closes a connection as its app does.
  func close(_ connection: AppConnection) throws {
    let db = try handle(of: connection)
    recorder.connectionClosing(connection, db)
    recorder.connectionEnded(connection.address)
    handles.removeAll { $0 == db }
    sqlite3_close_v2(db)
  }

  /// What the log says of a test, in its order; that of no test with `nil`.
  func events(of test: TestCaseID?) throws -> [any LogPayload] {
    guard let run = recorder.output.run else { return [] }
    let logs = try FileManager.default.contentsOfDirectory(atPath: run.path + "/logs")
    return try logs.flatMap { name in
      LogReader.read(try Data(contentsOf: URL(fileURLWithPath: run.path + "/logs/" + name)), .all).records
        .filter { $0.test == test }.map(\.payload)
    }
  }

  /// What was captured of a test, without its story: whether there is one goes by what the tests beside have traced.
  func evidence(of scope: TestScope) throws -> [CapturedEvidence] {
    try events(of: scope.id).compactMap { $0 as? CapturedEvidence }.filter { $0.kind != .story }
  }

  func failures(of scope: TestScope) throws -> [CaptureFailure] {
    try events(of: scope.id).compactMap { $0 as? CaptureFailure }
  }
}

/// Keeps connections' mutexes, as threads in long statements do, until it goes.
final class BusyThread {
  private let isOver = DispatchSemaphore(value: 0)
  private let hasLeft = DispatchSemaphore(value: 0)

  init(using connections: [AppConnection]) {
    let hasBegun = DispatchSemaphore(value: 0)
    let addresses = connections.map(\.address)
    let (isOver, hasLeft) = (isOver, hasLeft)
    Thread.detachNewThread {
      let mutexes = addresses.compactMap { OpaquePointer(bitPattern: $0) }.compactMap { sqlite3_db_mutex($0) }
      for mutex in mutexes { sqlite3_mutex_enter(mutex) }
      hasBegun.signal()
      isOver.wait()
      for mutex in mutexes { sqlite3_mutex_leave(mutex) }
      hasLeft.signal()
    }
    hasBegun.wait()
  }

  deinit {
    isOver.signal()
    hasLeft.wait()
  }
}
