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
  func captureBaseline(of storage: OpenDatabase.Storage?, in place: Place) -> (path: String?, note: String?) {
    guard let storage, let baseline = baseline(of: storage) else { return (nil, nil) }
    guard let content = baseline.content else {
      return (nil, "The state the test started from was not kept: it had \(baseline.size) bytes.")
    }
    do {
      let copy = try HeldCopy(of: content.bytes, at: place.folder)
      var capturer = capturer
      capturer.keepsHistory = false
      let result = capturer.capture(
        .file(DatabaseFile(path: copy.database)), named: place.name + ".baseline", into: place.folder)
      guard let file = result.files.first else {
        return (
          nil,
          "The state the test started from could not be written: \(result.failures.first?.message ?? "")."
        )
      }
      return (place.relativeFolder + "/" + file.file, nil)
    } catch {
      return (nil, "The state the test started from could not be written: \(error)")
    }
  }

  /// A baseline in memory counts only while the connection it was read from keeps that memory.
  private func baseline(of storage: OpenDatabase.Storage) -> BaselineState? {
    let baseline = scope.state.withLock { $0.baselines.last { $0.storage == storage } }
    guard let baseline, case .memory = storage else { return baseline }
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
