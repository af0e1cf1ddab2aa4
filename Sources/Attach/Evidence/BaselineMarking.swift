import Collector
import ExhibitSystem

struct BaselineMarking: Sendable {
  let job: CaptureJob

  func mark(_ evidence: [Evidence]) {
    let states =
      evidence.isEmpty
      ? job.open.own.compactMap { state(of: $0) } : evidence.compactMap { state(of: $0) }
    job.scope.state.withLock { state in
      let marked = Set(states.map(\.storage))
      state.baselines.removeAll { marked.contains($0.storage) }
      state.baselines += states
    }
  }

  private func state(of evidence: Evidence) -> BaselineState? {
    switch evidence.content {
    case .database(let path):
      let storage = OpenDatabase.Storage(path: path)
      return storage.flatMap { job.open.database($0) }.flatMap { state(of: $0) }
    case .connection(let reference):
      if reference.lending != nil, reference.connection?.unguarded != nil { return state(lentBy: reference) }
      if let open = reference.storage.flatMap({ job.open.database($0) }) { return state(of: open) }
      return state(lentBy: reference)
    case .directory, .file, .data:
      return nil
    }
  }

  private func state(of database: OpenDatabase) -> BaselineState? {
    for use in database.uses {
      let state = job.deadline.wait {
        use.connection.ask(until: min(job.deadline.instant, .now + .milliseconds(200))) { db in
          BaselineState(use.schema, on: db, connection: use.connection.number)
        }
      } copied: {
        ($0 ?? nil)?.size ?? 0
      }
      if let state = state ?? nil { return copyIfLarge(state, database.source) }
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
    let patience = job.deadline.rest
    _ = job.deadline.wait {
      lending(job.deadline.instant) { db in
        OwnWork.run { state = BaselineState("main", on: db, connection: number) }
      }
    }
    guard let connection = reference.connection else { return nil }
    guard let state else {
      return reference.storage.map {
        BaselineState(lost: $0, connection: number, reason: "Its connection was not lent within \(patience).")
      }
    }
    return copyIfLarge(state, OpenDatabaseEvidence(job: job).lent(connection, by: lending))
  }

  private func copyIfLarge(_ state: BaselineState, _ source: DatabaseSource) -> BaselineState {
    guard case .large = state.content else { return state }
    var state = state
    state.content = copyOnDisk(source, bytes: state.size)
    return state
  }

  /// Captures into the run's folder and unlinks the file at once.
  private func copyOnDisk(_ source: DatabaseSource, bytes: Int) -> BaselineState.Content {
    let budget = job.recorder.settings.budget
    guard let run = job.recorder.output.run else { return .lost(reason: "The run has no folder.") }
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
    var capturer = job.capturer
    capturer.keepsHistory = false
    let result = capturer.capture(source, named: "baseline", into: folder)
    // Inside a transaction of the test there are two files; the last has its rows.
    guard let file = result.files.last(where: \.isDatabase) else {
      return .lost(reason: result.failures.first?.message ?? "It could not be read.")
    }
    guard let copy = try? HeldFile(path: folder + "/" + file.file) else {
      return .lost(reason: "The test process has almost no file descriptors left.")
    }
    return .disk(copy)
  }
}
