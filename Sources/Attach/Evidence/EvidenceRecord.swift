import Collector
import ExhibitStart
import ExhibitSystem
import Glibc

struct EvidencePlace {
  var folder: String
  var relativeFolder: String
  var name: String
  var run: RunFolder
  var room = 0
}

extension EvidencePlace {
  func evidence(_ subject: EvidenceSubject, in file: String? = nil, bytes: Int) -> CapturedEvidence {
    CapturedEvidence(
      kind: subject.kind, name: subject.name, path: relativeFolder + "/" + (file ?? name), bytes: bytes,
      source: subject.source, keep: subject.keep)
  }
}

struct EvidenceSubject {
  var kind: EvidenceKind
  var name: String
  var source: String?
  var keep = EvidenceKeep.onFailure
  var storage: OpenDatabase.Storage?
}

struct EvidenceRecord: Sendable {
  let recorder: Recorder
  let scope: TestScope

  func add(_ subject: EvidenceSubject, bytes: Int, _ body: (EvidencePlace) throws -> [CapturedEvidence]) {
    let start = ContinuousClock.now
    guard exhibit_has_descriptors() != 0 else {
      return fail(
        subject, .io,
        "The test process has almost no file descriptors left, and a capture could take the app's last ones.",
        bytes: bytes)
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
        recorder.output.log(evidence, test: scope.id)
        let paths = paths(of: evidence, in: place.run)
        files += paths
        if evidence.keep == .onFailure { scope.state.withLock { $0.provisional += paths } }
      }
    } catch {
      fail(subject, error)
    }
    removeFolderIfEmpty()
  }

  private func reserve(_ bytes: Int, in run: RunFolder) throws -> EvidenceReservation {
    try recorder.underWay.withLock { underWay in
      let reservation = try recorder.settings.budget.reserve(bytes, in: run, beside: underWay)
      underWay += bytes
      return reservation
    }
  }

  func fail(_ subject: EvidenceSubject, _ reason: CaptureFailure.Reason, _ message: String, bytes: Int? = nil)
  {
    fail(subject, CaptureError(reason, message, bytes: bytes))
  }

  func fail(_ subject: EvidenceSubject, _ error: any Error) {
    let error = error as? CaptureError ?? CaptureError(.io, "\(error)")
    recorder.output.log(
      error.failure(of: subject.kind, named: subject.name, source: subject.source), test: scope.id)
  }

  func refuse(_ subject: EvidenceSubject, outside path: String) {
    fail(
      subject, .notAllowed,
      "\(path) lies outside the package and the temporary folders, so it is captured only when the test"
        + " registers it: attachOnFailure(.database(at: url)).")
  }

  private func claimPlace(for subject: EvidenceSubject) throws -> EvidencePlace {
    guard let run = recorder.output.runInPlace else {
      throw CaptureError(.io, "The run has no folder to capture into.")
    }
    return try scope.state.withLock { state in
      // Somebody removed it with the run's folder.
      let earlier = state.evidenceFolder.flatMap { FileSystem.status($0.path) == nil ? nil : $0 }
      var folder = try earlier ?? TestEvidenceFolder(for: scope.id, in: run)
      let name = folder.claim(subject.name, isStem: subject.kind == .database)
      state.evidenceFolder = folder
      return EvidencePlace(folder: folder.path, relativeFolder: folder.relativePath, name: name, run: run)
    }
  }

  private func paths(of evidence: CapturedEvidence, in run: RunFolder) -> [String] {
    [evidence.path, evidence.database?.history, evidence.database?.baseline].compactMap { $0 }
      .map { run.path + "/" + $0 }
  }

  private func removeFolderIfEmpty() {
    scope.state.withLock { state in
      if let folder = state.evidenceFolder, rmdir(folder.path) == 0 { state.evidenceFolder = nil }
    }
  }
}
