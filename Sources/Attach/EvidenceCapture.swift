import Collector
import ExhibitStart
import ExhibitSystem
import Glibc

/// Captures evidence for one test and records what came of it.
struct EvidenceCapture: Sendable {
  let recorder: Recorder
  let scope: TestScope
  let deadline: CaptureDeadline
  let open: OpenDatabases

  init(recorder: Recorder, scope: TestScope, deadline: CaptureDeadline = CaptureDeadline()) {
    self.recorder = recorder
    self.scope = scope
    self.deadline = deadline
    open = OpenDatabases(
      recorder.connections, of: DatabaseSelection(test: scope.owner, isAlone: recorder.isAlone(scope)),
      until: deadline)
  }

  /// Captures what is registered and every database of the test.
  ///
  /// - Parameter afterBody: Whether the body's own variables are gone already.
  func captureFailure(afterBody: Bool) {
    let registered = scope.state.withLock { $0.registered }
    var captured = CapturedDatabases()
    for evidence in registered { captured.formUnion(capture(evidence, keep: .onFailure)) }
    guard recorder.settings.capture == .all else { return }
    captureDatabases(except: captured, afterBody: afterBody)
  }

  /// Captures one piece of evidence.
  ///
  /// - Returns: Which database it was, if it was one, so that it is not captured twice.
  @discardableResult
  func capture(_ evidence: Evidence, keep: EvidenceKeep) -> CapturedDatabases {
    switch evidence.content {
    case .database(let path):
      return captureDatabase(at: path, name: evidence.name, keep: keep)
    case .connection(let reference):
      return captureDatabase(of: reference, name: evidence.name, keep: keep)
    case .directory(let path, let compression):
      captureDirectory(at: path, compression, name: evidence.name, keep: keep)
    case .file(let path):
      return captureFile(at: path, name: evidence.name, keep: keep)
    case .data(let bytes, let kind):
      captureData(bytes, kind: kind, name: evidence.name, keep: keep)
    }
    return CapturedDatabases()
  }
}

// MARK: - Steps that all kinds share

extension EvidenceCapture {
  /// Where a capture writes: the test's folder, and a name that is free in it.
  struct Place {
    var folder: String
    var relativeFolder: String
    var name: String
    var run: RunFolder
    /// Bytes that may be written: what the run's budget has left.
    var room = 0
  }

  /// What is being captured, for the record.
  struct Subject {
    var kind: EvidenceKind
    var name: String
    var source: String?
    var keep: EvidenceKeep
    /// Which database it is, for the state its test started from.
    var storage: OpenDatabase.Storage?
  }

  /// Runs a capture of `bytes` bytes and records its result, or why there is none.
  ///
  /// - Parameter body: Writes below the place and returns what it wrote.
  func record(_ subject: Subject, bytes: Int, _ body: (Place) throws -> [CapturedEvidence]) {
    let start = ContinuousClock.now
    guard exhibit_has_descriptors() != 0 else {
      return fail(
        subject, .io,
        "\(subject.name) was not captured: the test process has almost no file descriptors left, and a capture"
          + " could take the app's last ones.", bytes: bytes)
    }
    do {
      var place = try claimPlace(for: subject)
      let reservation = try reserve(bytes, in: place.run)
      place.room = reservation.room
      var files: [String] = []
      defer {
        recorder.underWay.withLock { $0 -= bytes }
        reservation.settle(files)
      }
      for var evidence in try OwnWork.run({ try body(place) }) {
        evidence.duration = start.duration(to: .now) / .seconds(1)
        recorder.output.log(.evidence(evidence), test: scope.id)
        let paths = paths(of: evidence, in: place.run)
        files += paths
        if evidence.keep == .onFailure { scope.state.withLock { $0.provisional += paths } }
      }
    } catch {
      fail(subject, error)
    }
    removeFolderIfEmpty()
  }

  /// Counts a capture among those under way.
  ///
  /// - Throws: `CaptureError` when it may not begin.
  private func reserve(_ bytes: Int, in run: RunFolder) throws -> EvidenceReservation {
    try recorder.underWay.withLock { underWay in
      let reservation = try recorder.settings.budget.reserve(bytes, in: run, beside: underWay)
      underWay += bytes
      return reservation
    }
  }

  func fail(_ subject: Subject, _ reason: CaptureFailure.Reason, _ message: String, bytes: Int? = nil) {
    recorder.output.log(
      .captureFailed(
        CaptureFailure(
          kind: subject.kind, name: subject.name, source: subject.source, reason: reason,
          message: message, bytes: bytes)), test: scope.id)
  }

  func fail(_ subject: Subject, _ error: any Error) {
    switch error {
    case let error as CaptureError: fail(subject, error.reason, error.message, bytes: error.bytes)
    case let error as SystemError: fail(subject, .io, error.description)
    default: fail(subject, .io, "\(error)")
    }
  }

  private func claimPlace(for subject: Subject) throws -> Place {
    guard let run = recorder.output.runInPlace else {
      throw CaptureError(.io, "The run has no folder to capture into.")
    }
    return try scope.state.withLock { state in
      // One that is gone was removed together with the run's folder.
      let earlier = state.evidenceFolder.flatMap { FileSystem.status($0.path) == nil ? nil : $0 }
      var folder = try earlier ?? TestEvidenceFolder(for: scope.id, in: run)
      let name = folder.claim(subject.name, isStem: subject.kind == .database)
      state.evidenceFolder = folder
      return Place(folder: folder.path, relativeFolder: folder.relativePath, name: name, run: run)
    }
  }

  /// The absolute paths of all that belongs to a piece of evidence.
  private func paths(of evidence: CapturedEvidence, in run: RunFolder) -> [String] {
    [evidence.path, evidence.database?.history, evidence.database?.baseline].compactMap { $0 }
      .map { run.path + "/" + $0 }
  }

  /// A capture that failed leaves no empty folder behind.
  private func removeFolderIfEmpty() {
    scope.state.withLock { state in
      if let folder = state.evidenceFolder, rmdir(folder.path) == 0 { state.evidenceFolder = nil }
    }
  }
}
