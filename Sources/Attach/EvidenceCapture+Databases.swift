import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitStart
import ExhibitSystem
import Glibc

extension EvidenceCapture {
  /// Captures every database of the test, each once.
  ///
  /// - Parameter captured: Those that are captured already, because they were registered.
  func captureDatabases(except captured: CapturedDatabases, afterBody: Bool) {
    var captured = captured
    for database in open.own where !captured.storages.contains(database.storage) {
      captureOpen(database)
      captured.formUnion(CapturedDatabases(database))
    }
    captureClosed(except: captured, afterBody: afterBody)
    captureUnseen(except: captured)
    reportMixedImages()
  }

  /// Captures a database that the user named, whoever has it open.
  func captureDatabase(at path: String, name: String, keep: EvidenceKeep) -> CapturedDatabases {
    var subject = Subject(kind: .database, name: name, source: path, keep: keep)
    guard let storage = OpenDatabase.Storage(path: path), let database = openDatabase(storage) else {
      subject.storage = OpenDatabase.Storage(path: path)
      capture(.file(DatabaseFile(path: path)), subject)
      return CapturedDatabases(storages: subject.storage.map { [$0] } ?? [])
    }
    subject.storage = storage
    captureOpen(database, as: subject)
    return CapturedDatabases(database)
  }

  /// Captures the main database of a connection that the user named.
  func captureDatabase(
    of reference: ConnectionReference, name: String, keep: EvidenceKeep
  ) -> CapturedDatabases {
    var subject = Subject(kind: .database, name: name, keep: keep)
    // Its owner's own way comes first where the connection has no mutex.
    let isLent = reference.lending != nil && reference.connection?.unguarded != nil
    let main = open.all.first { database in reference.connection.map(database.isMain) ?? false }
    if !isLent, let main {
      (subject.source, subject.storage) = (main.path, main.storage)
      captureOpen(main, as: subject)
      return CapturedDatabases(main)
    }
    guard let connection = reference.connection, !connection.hasEnded else {
      return captureEnded(reference.connection, subject)
    }
    guard let lending = reference.lending else {
      fail(subject, .busy, "\(name): another thread used the connection until the deadline.")
      return CapturedDatabases()
    }
    (subject.source, subject.storage) = (connection.path, reference.storage)
    capture(lent(connection, by: lending), subject)
    return CapturedDatabases(storages: reference.storage.map { [$0] } ?? [])
  }

  /// A database whose connection its owner lends.
  func lent(_ connection: Connection, by lending: @escaping ConnectionReference.Lending)
    -> DatabaseSource
  {
    let live = LiveConnection(belongsToFailedTest: true) { deadline, body in
      lending(deadline) { db in OwnWork.run { body(db) } }
    }
    return connection.path.map { .file(DatabaseFile(path: $0, connections: [live])) } ?? .inMemory(live)
  }

  /// Whether the file is a database that this process has open through the SQLite we see.
  func isOpenDatabase(at path: String) -> Bool { openFile(at: path) != nil }
}

// MARK: - Which databases

extension EvidenceCapture {
  func openDatabase(_ storage: OpenDatabase.Storage) -> OpenDatabase? {
    open.all.first { $0.storage == storage }
  }

  /// A database file with the connections to it; `nil` when nobody here has it open.
  func openFile(at path: String) -> DatabaseFile? {
    guard let storage = OpenDatabase.Storage(path: path) else { return nil }
    return openDatabase(storage).map { file($0, at: $0.path ?? path) }
  }

  func source(_ database: OpenDatabase) -> DatabaseSource {
    guard let path = database.path else {
      return reader(of: database).map { .inMemory(live($0)) } ?? .file(DatabaseFile(path: ""))
    }
    return .file(file(database, at: path))
  }

  /// Who writes to memory that connections share without a common cache keeps all others out.
  private func reader(of database: OpenDatabase) -> OpenDatabase.Use? {
    guard case .sharedMemory = database.storage else { return database.uses.first }
    return database.uses.first(where: isWriting) ?? database.uses.first(where: \.isOwn)
  }

  private func isWriting(_ use: OpenDatabase.Use) -> Bool {
    use.connection.ask(until: .now) { sqlite3_txn_state($0, use.schema) == SQLITE_TXN_WRITE } ?? false
  }

  private func file(_ database: OpenDatabase, at path: String) -> DatabaseFile {
    DatabaseFile(path: path, vfs: database.vfs, connections: database.uses.map(live))
  }

  private func live(_ use: OpenDatabase.Use) -> LiveConnection {
    var live = LiveConnection(schema: use.schema, belongsToFailedTest: use.isOwn) { deadline, body in
      use.connection.borrow(until: deadline, body)
    }
    live.isLendable = use.connection.unguarded?.hasQueue ?? true
    return live
  }
}

// MARK: - Capturing

extension EvidenceCapture {
  private func captureOpen(_ database: OpenDatabase) {
    if captureLater(database) || isEmptyTemporary(database) { return }
    let path = database.path ?? database.deletedPath
    let subject = Subject(
      kind: .database, name: name(of: database), source: path, keep: .onFailure, storage: database.storage)
    if let path, !recorder.settings.mayCapture(path) {
      return refuse(subject, outside: path)
    }
    captureOpen(database, as: subject)
  }

  /// Captures a database that was open a moment ago, also when a thread closes it meanwhile.
  private func captureOpen(_ database: OpenDatabase, as subject: Subject) {
    var failures: [CaptureError]?
    capture(
      source(database), subject,
      unlessClosed: { errors in
        guard database.uses.allSatisfy(\.connection.hasEnded) else { return false }
        failures = errors
        return true
      },
      amending: { capture in
        // Connections that share a cache see each other's rows before they are committed.
        if database.path == nil, database.uses.contains(where: isWriting) { capture.uncommitted = true }
      })
    if let failures { captureClosedMeanwhile(database, subject, failures) }
  }

  private func isEmptyTemporary(_ database: OpenDatabase) -> Bool {
    guard let use = database.uses.first, use.schema == "temp" else { return false }
    return use.connection.ask(until: .now) { Attach.isEmptyTemporary(use.schema, on: $0) } ?? false
  }

  /// - Parameter unlessClosed: Asked when nothing was captured; where it takes the errors they are not recorded.
  func capture(
    _ source: DatabaseSource, _ subject: Subject, unlessClosed: ([CaptureError]) -> Bool = { _ in false },
    amending amend: (inout DatabaseCapture) -> Void = { _ in }
  ) {
    let bytes = deadline.wait { source.bytes(until: deadline.instant, image: .ownConnections) }
    record(subject, bytes: bytes) { place in
      let capturer = capturer(of: source, bytes, room: place.room)
      let result = deadline.wait {
        capturer.capture(source, named: place.name, into: place.folder)
      } copied: {
        $0.bytes
      }
      if result.files.isEmpty, unlessClosed(result.failures) { return [] }
      for failure in result.failures { fail(subject, failure.reason, failure.message, bytes: failure.bytes) }
      share(result, subject, in: place)
      return withBaseline(evidence(of: result, subject, in: place, amend), subject, in: place)
    }
  }

  /// One that keeps within the run's budget with what it makes beside the database: raw files, then a second view.
  private func capturer(of source: DatabaseSource, _ bytes: Int, room: Int) -> DatabaseCapturer {
    var capturer = capturer
    let second = if case .file = source { max(0, room - 2 * bytes) } else { room }
    capturer.limits.databaseBytes = min(capturer.limits.databaseBytes, room)
    capturer.limits.serializedBytes = min(capturer.limits.serializedBytes, second)
    return capturer
  }

  func withBaseline(
    _ evidence: [CapturedEvidence], _ subject: Subject, in place: Place
  ) -> [CapturedEvidence] {
    let databases = evidence.indices.filter { evidence[$0].kind == .database }
    guard !databases.isEmpty else { return evidence }
    let (path, note) = captureBaseline(of: subject, in: place)
    var evidence = evidence
    for index in databases {
      evidence[index].database?.baseline = path
      guard let note else { continue }
      let earlier = evidence[index].database?.note
      evidence[index].database?.note = earlier.map { $0 + " " + note } ?? note
    }
    return evidence
  }

  /// The records of what a capture brought.
  func evidence(
    of result: DatabaseCaptureResult, _ subject: Subject, in place: Place,
    _ amend: (inout DatabaseCapture) -> Void = { _ in }
  ) -> [CapturedEvidence] {
    result.files.map { file in
      var capture = file.capture
      capture.history = capture.history.map { place.relativeFolder + "/" + $0 }
      amend(&capture)
      return CapturedEvidence(
        kind: file.isDatabase ? .database : .file, name: subject.name,
        path: place.relativeFolder + "/" + file.file,
        bytes: file.bytes, source: subject.source, keep: subject.keep, database: capture)
    }
  }

  /// Keeps what another test has captured already in the same state on the disk once.
  private func share(_ result: DatabaseCaptureResult, _ subject: Subject, in place: Place) {
    guard let source = subject.source else { return }
    let paths = result.files.flatMap { file -> [String] in
      let history = file.capture.history.map { place.folder + "/" + $0 }
      // What cannot be listed stays as it is.
      let names = history.flatMap { try? FileSystem.entries(of: $0) } ?? []
      return [place.folder + "/" + file.file] + names.map { (history ?? "") + "/" + $0 }
    }
    recorder.shared.withLock { shared in
      var captures = shared.take() ?? SharedCaptures()
      for path in paths { captures.files[source, default: SharedFiles()].share(path) }
      shared = captures
    }
  }

  var capturer: DatabaseCapturer {
    var capturer = DatabaseCapturer(
      image: .ownConnections,
      limits: CaptureLimits(databaseBytes: recorder.settings.budget.database, wait: deadline.rest),
      excludedTables: scope.state.withLock { $0.exclusions.tables }, keepsHistory: true)
    capturer.helper = { request in
      try HelperProcess(patience: deadline.rest, bytes: sizeOnDisk(request.path)).capture(request)
    }
    return capturer
  }

  /// Captures a database that lies in a directory, as the connections to it need it.
  func captureInside(_ path: String, into folder: String) -> DatabaseCaptureResult {
    let file = openFile(at: path) ?? DatabaseFile(path: path)
    var capturer = capturer
    capturer.keepsHistory = false
    return deadline.wait {
      capturer.capture(.file(file), named: "database", into: folder)
    } copied: {
      $0.bytes
    }
  }

  func refuse(_ subject: Subject, outside path: String) {
    fail(
      subject, .notAllowed,
      "\(path) lies outside the package and the temporary folders, so it is captured only when the test"
        + " registers it: attachOnFailure(.database(at: url)).")
  }

  private func sizeOnDisk(_ path: String?) -> Int {
    guard let path else { return 0 }
    return [path, path + "-wal"].reduce(0) { $0 + (FileSystem.targetStatus($1).map { Int($0.st_size) } ?? 0) }
  }

  func name(of database: OpenDatabase) -> String {
    if let path = database.path ?? database.deletedPath { return fileName(path) }
    guard let use = database.uses.first else { return "in-memory" }
    return use.schema == "main" ? "in-memory" : use.schema
  }

  func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension DatabaseCaptureResult {
  /// What it has copied.
  fileprivate var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
}
