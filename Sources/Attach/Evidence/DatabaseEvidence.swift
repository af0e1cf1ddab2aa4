import Collector
import ExhibitSystem

struct DatabaseEvidence: Sendable {
  let job: CaptureJob

  /// - Parameter unlessClosed: Called when nothing was captured; `true` suppresses the errors.
  func capture(
    _ source: DatabaseSource, _ subject: EvidenceSubject,
    unlessClosed: ([CaptureError]) -> Bool = { _ in false },
    amending amend: (inout DatabaseCapture) -> Void = { _ in }
  ) {
    let bytes = job.deadline.wait { source.bytes(until: job.deadline.instant, image: .ownConnections) }
    job.record.add(subject, bytes: bytes) { place in
      let capturer = capturer(of: source, bytes, room: place.room)
      let result = job.deadline.wait {
        capturer.capture(source, named: place.name, into: place.folder)
      } copied: {
        $0.bytes
      }
      if result.files.isEmpty, unlessClosed(result.failures) { return [] }
      for failure in result.failures { job.record.fail(subject, failure) }
      share(result, subject, in: place)
      return withBaseline(evidence(of: result, subject, in: place, amend), subject, in: place)
    }
  }

  /// Leaves room in the budget for raw files and a second view.
  private func capturer(of source: DatabaseSource, _ bytes: Int, room: Int) -> DatabaseCapturer {
    var capturer = job.capturer
    let second = if case .file = source { max(0, room - 2 * bytes) } else { room }
    capturer.limits.databaseBytes = min(capturer.limits.databaseBytes, room)
    capturer.limits.serializedBytes = min(capturer.limits.serializedBytes, second)
    return capturer
  }

  func withBaseline(
    _ evidence: [CapturedEvidence], _ subject: EvidenceSubject, in place: EvidencePlace
  ) -> [CapturedEvidence] {
    let databases = evidence.indices.filter { evidence[$0].kind == .database }
    guard !databases.isEmpty else { return evidence }
    let (path, note) = BaselineEvidence(job: job).capture(of: subject, in: place)
    var evidence = evidence
    for index in databases {
      evidence[index].database?.baseline = path
      guard let note else { continue }
      let earlier = evidence[index].database?.note
      evidence[index].database?.note = earlier.map { $0 + " " + note } ?? note
    }
    return evidence
  }

  func evidence(
    of result: DatabaseCaptureResult, _ subject: EvidenceSubject, in place: EvidencePlace,
    _ amend: (inout DatabaseCapture) -> Void = { _ in }
  ) -> [CapturedEvidence] {
    result.files.map { file in
      var capture = file.capture
      capture.history = capture.history.map { place.relativeFolder + "/" + $0 }
      amend(&capture)
      var evidence = place.evidence(subject, in: file.file, bytes: file.bytes)
      (evidence.kind, evidence.database) = (file.isDatabase ? .database : .file, capture)
      return evidence
    }
  }

  /// Replaces files equal to another test's by links.
  private func share(_ result: DatabaseCaptureResult, _ subject: EvidenceSubject, in place: EvidencePlace) {
    guard let source = subject.source else { return }
    let paths = result.files.flatMap { file -> [String] in
      let history = file.capture.history.map { place.folder + "/" + $0 }
      let names = history.flatMap { try? FileSystem.entries(of: $0) } ?? []
      return [place.folder + "/" + file.file] + names.map { (history ?? "") + "/" + $0 }
    }
    job.recorder.shared.withLock { shared in
      var files = shared.take() ?? [:]
      for path in paths { files[source, default: SharedFiles()].share(path) }
      shared = files
    }
  }

  func captureInside(_ path: String, into folder: String) -> DatabaseCaptureResult {
    let source = job.open.source(at: path)
    var capturer = job.capturer
    capturer.keepsHistory = false
    return job.deadline.wait {
      capturer.capture(source, named: "database", into: folder)
    } copied: {
      $0.bytes
    }
  }

  func captureCopy(_ subject: EvidenceSubject, bytes: Int, _ make: (String) throws -> HeldCopy) {
    job.record.add(subject, bytes: bytes) { place in
      let result = try withExtendedLifetime(make(place.folder)) { copy in
        job.capturer.capture(
          .file(DatabaseFile(path: copy.database)), named: place.name, into: place.folder)
      }
      for failure in result.failures { job.record.fail(subject, failure) }
      let evidence = evidence(of: result, subject, in: place) { $0.method = .held }
      return withBaseline(evidence, subject, in: place)
    }
  }
}
