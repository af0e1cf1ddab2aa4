import Collector
import ExhibitSystem

/// The states that tests start from.
extension EvidenceCapture {
  /// Keeps what databases hold now.
  func markBaseline(_ evidence: [Evidence]) {
    let states =
      evidence.isEmpty
      ? open.own.compactMap { state(of: $0) } : evidence.compactMap { state(of: $0) }
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
      let state = deadline.wait {
        use.connection.ask(until: min(deadline.instant, .now + .milliseconds(200))) { db in
          BaselineState(use.schema, on: db, connection: use.connection.number)
        }
      } copied: {
        ($0 ?? nil)?.size ?? 0
      }
      if let state = state ?? nil { return copyIfLarge(state, source(database)) }
    }
    return database.uses.first.map {
      BaselineState(
        lost: database.storage, connection: $0.connection.number,
        reason: "Its connections were in use when the state was to be kept.")
    }
  }

  private func state(lentBy reference: ConnectionReference) -> BaselineState? {
    var state: BaselineState?
    guard let number = reference.connection?.number, let lending = reference.lending else { return nil }
    let patience = deadline.rest
    _ = deadline.wait {
      lending(deadline.instant) { db in
        OwnWork.run { state = BaselineState("main", on: db, connection: number) }
      }
    }
    guard let connection = reference.connection else { return nil }
    guard let state else {
      return reference.storage.map {
        BaselineState(lost: $0, connection: number, reason: "Its connection was not lent within \(patience).")
      }
    }
    return copyIfLarge(state, lent(connection, by: lending))
  }

  private func copyIfLarge(_ state: BaselineState, _ source: DatabaseSource) -> BaselineState {
    guard case .large = state.content else { return state }
    var state = state
    state.content = copyOnDisk(source, bytes: state.size)
    return state
  }

  /// Captures a database into the run's folder and takes the file's name away at once.
  private func copyOnDisk(_ source: DatabaseSource, bytes: Int) -> BaselineState.Content {
    let budget = recorder.settings.budget
    guard let run = recorder.output.run else { return .lost(reason: "The run has no folder.") }
    guard bytes <= budget.database else {
      return .lost(reason: "It exceeds the limit of \(budget.database) bytes ($EXHIBIT_MAX_DATABASE).")
    }
    if let objection = budget.objection(to: bytes, in: run) { return .lost(reason: objection) }
    do {
      return try withExtendedLifetime(ScratchFolder(in: run.path)) { copyOnDisk(source, in: $0.path) }
    } catch {
      return .lost(reason: "\(error)")
    }
  }

  private func copyOnDisk(_ source: DatabaseSource, in folder: String) -> BaselineState.Content {
    var capturer = capturer
    capturer.keepsHistory = false
    let result = capturer.capture(source, named: "baseline", into: folder)
    // Inside the test's own transaction the last file is what that sees.
    guard let file = result.files.last(where: \.isDatabase) else {
      return .lost(reason: result.failures.first?.message ?? "It could not be read.")
    }
    // It lies there, so only descriptors can be missing.
    guard let copy = try? HeldFile(path: folder + "/" + file.file) else {
      return .lost(reason: "The test process has almost no file descriptors left.")
    }
    return .disk(copy)
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
    do {
      return try withExtendedLifetime(copy(of: baseline, at: place.folder)) { copy in
        captureBaseline(copy.database, in: place)
      }
    } catch {
      let size = baseline.size > 0 ? " (\(baseline.size) bytes)" : ""
      return (nil, "The state the test started from was not kept\(size): \(error)")
    }
  }

  private func copy(of baseline: BaselineState, at folder: String) throws -> HeldCopy {
    switch baseline.content {
    case .empty: return try HeldCopy(of: [], at: folder)
    case .memory(let content): return try HeldCopy(of: try content.bytes(), at: folder)
    case .disk(let file): return try HeldCopy(of: file.path, wal: nil, at: folder)
    case .lost(let reason): throw CaptureError(.overBudget, reason)
    case .large: throw CaptureError(.overBudget, "It was not copied.")
    }
  }

  /// Captures a file that nobody changes.
  private func captureBaseline(_ path: String, in place: Place) -> (path: String?, note: String?) {
    var capturer = capturer
    capturer.keepsHistory = false
    let result = capturer.capture(
      .file(DatabaseFile(path: path)), named: place.name + ".baseline", into: place.folder)
    if let file = result.files.first(where: \.isDatabase) {
      return (place.relativeFolder + "/" + file.file, nil)
    }
    // A file that nothing can be compared with; what cannot be removed is what the note speaks of.
    for file in result.files { try? FileSystem.remove(place.folder + "/" + file.file) }
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
    let deadline = CaptureDeadline()
    withEnoughStack(for: scope, until: deadline) { [self] mayTouch in
      if mayTouch {
        EvidenceCapture(recorder: self, scope: scope, deadline: deadline).markBaseline(evidence)
      }
    }
  }
}
