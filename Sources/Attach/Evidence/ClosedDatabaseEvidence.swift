import Collector
import ExhibitSystem

/// Captures databases that the test opened and that closed before its failure.
struct ClosedDatabaseEvidence: Sendable {
  let job: CaptureJob

  /// - Parameter afterBody: True when the body's variables are gone, so that what was not held is lost.
  func captureClosed(except captured: CaptureCoverage, afterBody: Bool) {
    var captured = captured
    var (held, refused) = job.recorder.held.take(job.scope.serial)
    held.removeAll { captured.contains($0.connection, $0.schema) }
    refused.removeAll { captured.connections.contains($0.connection) }
    for database in held {
      if !database.isLost, let storage = database.storage, !captured.storages.insert(storage).inserted {
        continue
      }
      captureHeld(database)
    }
    var paths = captured.paths.union(held.compactMap(\.path))
    let numbers = captured.connections.union(held.map(\.connection) + refused.map(\.connection))
    for opened in job.scope.state.withLock({ $0.opened }) where !numbers.contains(opened.connection) {
      guard let path = opened.path else {
        if afterBody { reportClosedInMemory(opened) }
        continue
      }
      guard paths.insert(path).inserted else { continue }
      captureNotHeld(path, &captured, afterBody: afterBody)
    }
    captureRefused(refused, &captured, held: paths)
  }

  private func captureRefused(
    _ refused: [HeldDatabases.Refused], _ captured: inout CaptureCoverage, held paths: Set<String>
  ) {
    var lost: [HeldDatabases.Refused] = []
    for database in refused {
      if let path = database.path, OpenDatabase.Storage(path: path) != nil {
        captureNotHeld(path, &captured, afterBody: false)
      } else if database.path.map({ !paths.contains($0) }) ?? true {
        lost.append(database)
      }
    }
    guard let first = lost.first else { return }
    let names = lost.prefix(5).map { $0.path.map(fileName) ?? "in-memory" }.joined(separator: ", ")
    job.record.fail(
      EvidenceSubject(kind: .database, name: first.path.map(fileName) ?? "in-memory"),
      .closed,
      "\(lost.count) databases were closed before the failure of the test was known and could not be held until"
        + " then, because \(reason(of: first)): \(names)\(lost.count > 5 ? " and others" : "").")
  }

  private func reason(of refused: HeldDatabases.Refused) -> String {
    switch refused.reason {
    case .descriptors:
      "the test process has few file descriptors left (ulimit -n), which stay the app's"
    case .number: "\(HeldDatabases.limit) are held already"
    case .transaction(let words): "they were inside a transaction. \(words)"
    }
  }

  private func captureNotHeld(
    _ path: String, _ captured: inout CaptureCoverage, afterBody: Bool
  ) {
    if let storage = OpenDatabase.Storage(path: path) {
      if captured.storages.insert(storage).inserted { captureClosed(at: path) }
    } else if afterBody {
      captureClosed(at: path)
    }
  }

  private func captureClosed(at path: String) {
    let subject = EvidenceSubject(
      kind: .database, name: fileName(path), source: path,
      storage: OpenDatabase.Storage(path: path))
    guard job.recorder.settings.mayCapture(path) else { return job.record.refuse(subject, outside: path) }
    DatabaseEvidence(job: job).capture(job.open.source(at: path), subject)
  }

  private func reportClosedInMemory(_ opened: DatabaseOpening) {
    guard !job.recorder.connections.all.contains(where: { $0.number == opened.connection }) else { return }
    job.record.fail(
      EvidenceSubject(kind: .database, name: "in-memory"), .closed,
      "An in-memory database of the test was closed before its failure was known, and it was too large to be held"
        + " until then (\(HeldDatabase.memoryLimit) bytes).")
  }

  // MARK: - Held databases

  private func captureHeld(_ database: HeldDatabase) {
    switch database.content {
    case .memory:
      let name = database.schema == "main" ? "in-memory" : database.schema
      captureHeld(database, as: EvidenceSubject(kind: .database, name: name))
    case .file(let path, let file, _):
      let subject = EvidenceSubject(
        kind: .database, name: fileName(path), source: path, storage: file.storage)
      guard job.recorder.settings.mayCapture(path) else { return job.record.refuse(subject, outside: path) }
      captureHeld(database, as: subject)
    }
  }

  private func captureHeld(_ database: HeldDatabase, as subject: EvidenceSubject) {
    switch database.content {
    case .memory(let image):
      DatabaseEvidence(job: job).captureCopy(subject, bytes: image.count) { path in
        try HeldCopy(of: try image.bytes(), at: path)
      }
    case .file(let path, let file, let wal):
      if OpenDatabase.Storage(path: path) == file.storage {
        return DatabaseEvidence(job: job).capture(job.open.source(at: path), subject)
      }
      DatabaseEvidence(job: job).captureCopy(subject, bytes: file.size + (wal?.size ?? 0)) { copy in
        try HeldCopy(of: try file.path, wal: try wal?.path, at: copy)
      }
    }
  }

  func captureClosedMeanwhile(
    _ database: OpenDatabase, _ subject: EvidenceSubject, _ failures: [CaptureError]
  ) {
    let held = database.uses.lazy.compactMap {
      job.recorder.held.find($0.schema, of: $0.connection.number, for: job.scope.serial)
    }
    if let first = held.first { return captureHeld(first, as: subject) }
    if let path = database.path, OpenDatabase.Storage(path: path) == database.storage {
      return DatabaseEvidence(job: job).capture(job.open.source(at: path), subject)
    }
    for failure in failures { job.record.fail(subject, failure) }
  }

  func captureEnded(_ connection: AppConnection?, _ subject: EvidenceSubject) -> CaptureCoverage {
    guard let connection,
      let held = job.recorder.held.find("main", of: connection.number, for: job.scope.serial)
    else {
      job.record.fail(subject, .closed, "\(subject.name): the connection was closed before the test failed.")
      return CaptureCoverage()
    }
    var subject = subject
    (subject.source, subject.storage) = (held.path, held.storage)
    captureHeld(held, as: subject)
    return CaptureCoverage(held)
  }
}
