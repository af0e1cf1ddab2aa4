import Collector
import ExhibitSQLite
import ExhibitStart
import Glibc
import Synchronization

extension EvidenceCapture {
  /// Captures every database of the test, each once.
  ///
  /// - Parameter paths: Those that are captured already, because they were registered.
  func captureDatabases(except paths: Set<String>, afterBody: Bool) {
    let deadline = ContinuousClock.now + patience
    let databases = selection.databases(among: recorder.connections.all, until: deadline)
    for database in databases where !paths.contains(database.path ?? "") {
      captureOpen(database, until: deadline)
    }
    captureClosed(except: paths.union(databases.compactMap(\.path)), afterBody: afterBody)
  }

  /// Captures a database that the user named, whoever has it open.
  func captureDatabase(at path: String, name: String, keep: EvidenceKeep) {
    let file = fileAmongOpen(path) ?? DatabaseFile(path: path)
    capture(.file(file), Subject(kind: .database, name: name, source: path, keep: keep))
  }

  /// Captures the main database of a connection that the user named.
  func captureDatabase(of reference: ConnectionReference, name: String, keep: EvidenceKeep) {
    let subject = Subject(kind: .database, name: name, keep: keep)
    guard let connection = reference.connection, !connection.hasEnded else {
      return fail(subject, .closed, "\(name): the connection was closed before the test failed.")
    }
    let deadline = ContinuousClock.now + patience
    let all = selection.allDatabases(among: recorder.connections.all, until: deadline)
    let main = all.first { database in
      database.uses.contains { $0.connection === connection && $0.schema == "main" }
    }
    guard let main else {
      return fail(subject, .busy, "\(name): another thread used the connection until the deadline.")
    }
    capture(source(main), Subject(kind: .database, name: name, source: main.path, keep: keep))
  }

  /// Whether the file is a database that this process has open through the SQLite we see.
  func isOpenDatabase(_ status: stat) -> Bool {
    openStorages.contains(.file(device: UInt(status.st_dev), inode: UInt(status.st_ino)))
  }
}

// MARK: - Which databases

extension EvidenceCapture {
  private var selection: DatabaseSelection {
    DatabaseSelection(scope: scope, isAlone: recorder.isAlone(scope))
  }

  private var openStorages: Set<OpenDatabase.Storage> {
    let all = selection.allDatabases(among: recorder.connections.all, until: .now + patience)
    return Set(all.map(\.storage))
  }

  /// A database file with the connections to it; `nil` when nobody here has it open.
  private func fileAmongOpen(_ path: String) -> DatabaseFile? {
    guard let status = FileSystem.targetStatus(path) else { return nil }
    let storage = OpenDatabase.Storage.file(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    let all = selection.allDatabases(among: recorder.connections.all, until: .now + patience)
    return all.first { $0.storage == storage }.map { file($0, at: $0.path ?? path) }
  }

  private func source(_ database: OpenDatabase) -> DatabaseSource {
    guard let path = database.path else {
      return database.uses.first.map { .inMemory(live($0)) } ?? .file(DatabaseFile(path: ""))
    }
    return .file(file(database, at: path))
  }

  private func file(_ database: OpenDatabase, at path: String) -> DatabaseFile {
    DatabaseFile(path: path, vfs: database.vfs, connections: database.uses.map(live))
  }

  private func live(_ use: OpenDatabase.Use) -> LiveConnection {
    LiveConnection(schema: use.schema, belongsToFailedTest: use.isOwn) { deadline, body in
      use.connection.borrow(until: deadline, body)
    }
  }
}

// MARK: - Capturing

extension EvidenceCapture {
  private func captureOpen(_ database: OpenDatabase, until deadline: ContinuousClock.Instant) {
    let subject = Subject(
      kind: .database, name: name(of: database), source: database.path, keep: .onFailure)
    if let path = database.path, !recorder.settings.mayCapture(path) {
      return refuse(subject, outside: path)
    }
    capture(source(database), subject)
  }

  /// Databases that the test opened and that were closed before its failure was known.
  private func captureClosed(except paths: Set<String>, afterBody: Bool) {
    var seen = paths
    for opened in scope.state.withLock({ $0.opened }) {
      guard let path = opened.path else {
        if afterBody { reportClosedInMemory(opened) }
        continue
      }
      guard seen.insert(path).inserted, afterBody || FileSystem.status(path) != nil else { continue }
      let subject = Subject(kind: .database, name: fileName(path), source: path, keep: .onFailure)
      guard recorder.settings.mayCapture(path) else {
        refuse(subject, outside: path)
        continue
      }
      capture(.file(fileAmongOpen(path) ?? DatabaseFile(path: path)), subject)
    }
  }

  private func reportClosedInMemory(_ opened: OpenedDatabase) {
    guard !recorder.connections.all.contains(where: { $0.number == opened.connection }) else { return }
    fail(
      Subject(kind: .database, name: "in-memory", keep: .onFailure), .closed,
      "An in-memory database of the test was closed before its failure was known: an error that leaves the test"
        + " takes the test's own databases with it.")
  }

  private func capture(_ source: DatabaseSource, _ subject: Subject) {
    record(subject, bytes: sizeOnDisk(subject.source)) { place in
      let capturer = DatabaseCapturer(
        image: .ownConnections,
        limits: CaptureLimits(databaseBytes: recorder.settings.budget.database, wait: patience))
      let result = capturer.capture(source, named: place.name, into: place.folder)
      for failure in result.failures {
        fail(subject, failure.reason, failure.message, bytes: failure.bytes)
      }
      return result.files.map { file in
        CapturedEvidence(
          kind: .database, name: subject.name, path: place.relativeFolder + "/" + file.file,
          bytes: file.bytes, source: subject.source, keep: subject.keep, database: file.capture)
      }
    }
  }

  private func refuse(_ subject: Subject, outside path: String) {
    fail(
      subject, .notAllowed,
      "\(path) lies outside the package and the temporary folders, so it is captured only when the test"
        + " registers it: attachOnFailure(.database(at: url)).")
  }

  private func sizeOnDisk(_ path: String?) -> Int {
    guard let path else { return 0 }
    return [path, path + "-wal"].reduce(0) { $0 + (FileSystem.targetStatus($1).map { Int($0.st_size) } ?? 0) }
  }

  private func name(of database: OpenDatabase) -> String {
    if let path = database.path { return fileName(path) }
    guard let use = database.uses.first else { return "in-memory" }
    return use.schema == "main" ? "in-memory" : use.schema
  }

  private func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension SQLiteImage {
  /// The SQLite of this process, opened so that our connections are not taken for the app's.
  static let ownConnections = SQLiteImage { exhibit_open_own($0, $1, $2, $3) }
}
