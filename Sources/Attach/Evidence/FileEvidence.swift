import Collector
import ExhibitSystem
import Glibc

struct FileEvidence: Sendable {
  let job: CaptureJob

  func captureData(_ bytes: [UInt8], kind: EvidenceKind, name: String, keep: EvidenceKeep) {
    let subject = EvidenceSubject(kind: kind, name: name, keep: keep)
    job.record.add(subject, bytes: bytes.count) { place in
      try FileSystem.writeNewFile(place.folder + "/" + place.name, bytes)
      return [place.evidence(subject, bytes: bytes.count)]
    }
  }

  /// Captures a file, or a database as one: reading its bytes could drop the app's locks.
  func captureFile(at path: String, name: String, keep: EvidenceKeep) -> CaptureCoverage {
    let subject = EvidenceSubject(kind: .file, name: name, source: path, keep: keep)
    do {
      if try job.open.file(at: path) != nil || FileCopy.isDatabase(path) {
        return OpenDatabaseEvidence(job: job).captureDatabase(at: path, name: name, keep: keep)
      }
      if !exclusions.tables.isEmpty, let rows = try UnreadRows(inFileAt: path), rows != .packed {
        throw CaptureError(.unsupported, "\(path) was left out: \(rows.reason).")
      }
    } catch {
      job.record.fail(subject, error)
      return CaptureCoverage()
    }
    job.record.add(subject, bytes: FileSystem.targetStatus(path).map { Int($0.st_size) } ?? 0) { place in
      let copy = try FileCopy(from: path, to: place.folder + "/" + place.name)
      return [place.evidence(subject, bytes: copy.bytes)]
    }
    return CaptureCoverage()
  }

  func captureDirectory(
    at path: String, _ compression: DirectoryCompression, name: String, keep: EvidenceKeep
  ) {
    let subject = EvidenceSubject(kind: .directory, name: name, source: path, keep: keep)
    job.record.add(subject, bytes: 0) { place in
      var archiver = archiver
      archiver.limit = place.room
      archiver.format = compression.format
      let captured = try archiver.archive(path, named: place.name, into: place.folder)
      var evidence = place.evidence(subject, in: captured.file, bytes: captured.bytes)
      evidence.archive = captured.archive
      return [evidence]
    }
  }

  private var exclusions: Exclusions { job.scope.state.withLock { $0.exclusions } }

  private var archiver: DirectoryArchiver {
    let exclusions = exclusions
    var archiver = DirectoryArchiver(
      excluded: [job.recorder.settings.artifacts.path],
      excludedNames: exclusions.files,
      captureDatabase: { [job] path, folder in DatabaseEvidence(job: job).captureInside(path, into: folder) })
    archiver.keepsUnreadRows = exclusions.tables.isEmpty
    return archiver
  }
}
