import Collector

struct OpenDatabaseEvidence: Sendable {
  let job: CaptureJob

  func captureDatabase(at path: String, name: String, keep: EvidenceKeep) -> CaptureCoverage {
    var subject = EvidenceSubject(kind: .database, name: name, source: path, keep: keep)
    guard let storage = OpenDatabase.Storage(path: path), let database = job.open.database(storage) else {
      subject.storage = OpenDatabase.Storage(path: path)
      DatabaseEvidence(job: job).capture(.file(DatabaseFile(path: path)), subject)
      return CaptureCoverage(storages: subject.storage.map { [$0] } ?? [])
    }
    subject.storage = storage
    captureOpen(database, as: subject)
    return CaptureCoverage(database)
  }

  func captureDatabase(
    of reference: ConnectionReference, name: String, keep: EvidenceKeep
  ) -> CaptureCoverage {
    var subject = EvidenceSubject(kind: .database, name: name, keep: keep)
    let isLent = reference.lending != nil && reference.connection?.unguarded != nil
    let main = job.open.all.first { database in reference.connection.map(database.isMain) ?? false }
    if !isLent, let main {
      (subject.source, subject.storage) = (main.path, main.storage)
      captureOpen(main, as: subject)
      return CaptureCoverage(main)
    }
    guard let connection = reference.connection, !connection.hasEnded else {
      return ClosedDatabaseEvidence(job: job).captureEnded(reference.connection, subject)
    }
    guard let lending = reference.lending else {
      job.record.fail(subject, .busy, "\(name): another thread used the connection until the deadline.")
      return CaptureCoverage()
    }
    (subject.source, subject.storage) = (connection.path, reference.storage)
    DatabaseEvidence(job: job).capture(lent(connection, by: lending), subject)
    return CaptureCoverage(storages: reference.storage.map { [$0] } ?? [])
  }

  func lent(_ connection: AppConnection, by lending: @escaping ConnectionReference.Lending)
    -> DatabaseSource
  {
    let live = LiveConnection(belongsToFailedTest: true) { deadline, body in
      lending(deadline) { db in OwnWork.run { body(db) } }
    }
    return connection.path.map { .file(DatabaseFile(path: $0, connections: [live])) } ?? .inMemory(live)
  }

  func captureOpen(_ database: OpenDatabase) {
    if WaitingDatabaseEvidence(job: job).capture(database) || isEmptyTemporary(database) { return }
    let path = database.path ?? database.deletedPath
    let subject = EvidenceSubject(
      kind: .database, name: database.name, source: path, storage: database.storage)
    if let path, !job.recorder.settings.mayCapture(path) {
      return job.record.refuse(subject, outside: path)
    }
    captureOpen(database, as: subject)
  }

  private func captureOpen(_ database: OpenDatabase, as subject: EvidenceSubject) {
    var failures: [CaptureError]?
    DatabaseEvidence(job: job).capture(
      database.source, subject,
      unlessClosed: { errors in
        guard database.uses.allSatisfy(\.connection.hasEnded) else { return false }
        failures = errors
        return true
      },
      amending: { capture in
        // A shared cache shows uncommitted rows.
        if database.path == nil, database.uses.contains(where: \.isWriting) { capture.uncommitted = true }
      })
    if let failures { ClosedDatabaseEvidence(job: job).captureClosedMeanwhile(database, subject, failures) }
  }

  private func isEmptyTemporary(_ database: OpenDatabase) -> Bool {
    guard let use = database.uses.first, use.schema == "temp" else { return false }
    return use.connection.ask(until: .now) { Attach.isEmptyTemporary(use.schema, on: $0) } ?? false
  }
}
