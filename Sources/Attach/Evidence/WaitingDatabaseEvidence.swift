import Collector

/// Captures in-memory databases of connections without a mutex, which only the app's own thread may touch.
struct WaitingDatabaseEvidence: Sendable {
  let job: CaptureJob

  /// Postpones the capture to the connection's next use or close; false when it can be made now.
  func capture(_ database: OpenDatabase) -> Bool {
    guard database.isUnasked, database.path == nil, let use = database.uses.first,
      let unguarded = use.connection.unguarded
    else { return false }
    let failure = ContinuousClock.now
    let connection = use.connection
    let subject = EvidenceSubject(kind: .database, name: database.name)
    unguarded.wait { isUsable in
      guard isUsable else { return reportUnused(subject) }
      captureNow(connection, subject, after: failure.duration(to: .now))
    }
    return true
  }

  private func captureNow(_ connection: AppConnection, _ subject: EvidenceSubject, after delay: Duration) {
    var names: [String] = []
    _ = connection.useAlone { db in
      names = schemaNames(of: db).filter { filePath(of: $0, on: db) == nil && !isEmptyTemporary($0, on: db) }
    }
    for schema in names {
      let live = LiveConnection(schema: schema, belongsToFailedTest: true) { _, body in
        connection.useAlone(body)
      }
      var subject = subject
      if schema != "main" { subject.name = schema }
      DatabaseEvidence(job: job).capture(
        .inMemory(live), subject,
        amending: { capture in
          capture.note =
            "Taken \(delay.milliseconds) ms after the failure, when the connection was next used or closed; nothing"
            + " had used it since."
        })
    }
  }

  private func reportUnused(_ subject: EvidenceSubject) {
    job.record.fail(
      subject, .busy,
      "The connection to an in-memory database was opened without a mutex and was neither used nor closed after the"
        + " failure, so no thread could read it. SQLITE_OPEN_FULLMUTEX lets any thread do so.")
  }
}

extension Duration {
  fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
