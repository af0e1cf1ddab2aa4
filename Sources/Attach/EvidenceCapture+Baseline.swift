import Collector

/// The states that tests start from.
extension EvidenceCapture {
  /// Keeps what databases hold now, in memory.
  func markBaseline(_ evidence: [Evidence]) {
    let states =
      evidence.isEmpty
      ? ownDatabases.compactMap { state(of: $0) } : evidence.compactMap { state(of: $0) }
    scope.state.withLock { state in
      let marked = Set(states.map(\.storage))
      state.baselines.removeAll { marked.contains($0.storage) }
      state.baselines += states
    }
  }

  private func state(of evidence: Evidence) -> BaselineState? {
    switch evidence.content {
    case .database(let path):
      let storage = OpenDatabase.Storage(path: path)
      return storage.flatMap { openDatabase($0) }.flatMap { state(of: $0) }
    case .connection(let reference):
      if reference.lending != nil, reference.connection?.unguarded != nil { return state(lentBy: reference) }
      if let open = reference.storage.flatMap({ openDatabase($0) }) { return state(of: open) }
      return state(lentBy: reference)
    case .directory, .file, .data:
      return nil
    }
  }

  private func state(of database: OpenDatabase) -> BaselineState? {
    for use in database.uses {
      let state = use.connection.ask(until: .now + .milliseconds(200)) { db in
        BaselineState(use.schema, on: db, connection: use.connection.number)
      }
      if let state { return state }
    }
    return nil
  }

  private func state(lentBy reference: ConnectionReference) -> BaselineState? {
    var state: BaselineState?
    guard let number = reference.connection?.number, let lending = reference.lending else { return nil }
    _ = lending(.now + patience) { state = BaselineState("main", on: $0, connection: number) }
    return state
  }

  // MARK: - Beside a captured database

  /// Writes the state that the test started from beside a captured database.
  ///
  /// - Returns: Its path, relative to the run's folder, or why there is none.
  func captureBaseline(of subject: Subject, in place: Place) -> (path: String?, note: String?) {
    if let fixture = subject.source.flatMap({ source in scope.state.withLock { $0.fixtures[source] } }) {
      return captureBaseline(fixture, in: place)
    }
    guard let baseline = subject.storage.flatMap({ baseline(of: $0) }) else { return (nil, nil) }
    guard baseline.content != nil || baseline.size == 0 else {
      return (nil, "The state the test started from was not kept: it had \(baseline.size) bytes.")
    }
    do {
      let copy = try HeldCopy(of: baseline.content?.bytes ?? [], at: place.folder)
      return captureBaseline(copy.database, in: place)
    } catch {
      return (nil, "The state the test started from could not be written: \(error)")
    }
  }

  /// Captures a file that nobody changes.
  private func captureBaseline(_ path: String, in place: Place) -> (path: String?, note: String?) {
    var capturer = capturer
    capturer.keepsHistory = false
    let result = capturer.capture(
      .file(DatabaseFile(path: path)), named: place.name + ".baseline", into: place.folder)
    if let file = result.files.first { return (place.relativeFolder + "/" + file.file, nil) }
    let reason = result.failures.first?.message ?? ""
    return (nil, "The state the test started from could not be written: \(reason)")
  }

  /// A baseline in memory counts only while the connection it was read from keeps that memory.
  private func baseline(of storage: OpenDatabase.Storage) -> BaselineState? {
    let baseline = scope.state.withLock { $0.baselines.last { $0.storage == storage } }
    guard let baseline else { return nil }
    if case .file = storage { return baseline }
    return recorder.connections.all.contains { $0.number == baseline.connection } ? baseline : nil
  }
}

extension Recorder {
  func markBaseline(_ evidence: [Evidence], for scope: TestScope?) {
    guard let scope else {
      return output.log(
        .captureFailed(
          CaptureFailure(
            kind: .database, name: "baseline", reason: .outsideTest,
            message:
              "markBaseline was called outside any test that is recorded. In Swift Testing the test needs the"
              + " trait .attachOnFailure.")),
        test: nil)
    }
    guard settings.capture != .off else { return }
    EvidenceCapture(recorder: self, scope: scope).markBaseline(evidence)
  }
}
