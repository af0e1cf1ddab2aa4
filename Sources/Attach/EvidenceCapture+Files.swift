import Collector
import Glibc
import Synchronization

extension EvidenceCapture {
  func captureData(_ bytes: [UInt8], kind: EvidenceKind, name: String, keep: EvidenceKeep) {
    let subject = Subject(kind: kind, name: name, keep: keep)
    record(subject, bytes: bytes.count) { place in
      try FileSystem.writeNewFile(place.folder + "/" + place.name, bytes)
      return [
        CapturedEvidence(
          kind: kind, name: name, path: place.relativeFolder + "/" + place.name, bytes: bytes.count,
          keep: keep)
      ]
    }
  }

  /// A file that is a database is captured as one: reading it raw could drop the app's locks on it.
  func captureFile(at path: String, name: String, keep: EvidenceKeep) {
    if let status = FileSystem.targetStatus(path), isOpenDatabase(status) {
      return captureDatabase(at: path, name: name, keep: keep)
    }
    let subject = Subject(kind: .file, name: name, source: path, keep: keep)
    record(subject, bytes: FileSystem.targetStatus(path).map { Int($0.st_size) } ?? 0) { place in
      let copy = try FileCopy(from: path, to: place.folder + "/" + place.name)
      return [
        CapturedEvidence(
          kind: .file, name: name, path: place.relativeFolder + "/" + place.name, bytes: copy.bytes,
          source: path, keep: keep)
      ]
    }
  }

  func captureDirectory(at path: String, name: String, keep: EvidenceKeep) {
    let subject = Subject(kind: .directory, name: name, source: path, keep: keep)
    let excluded = scope.state.withLock { $0.exclusions.files }
    record(subject, bytes: FileSystem.size(of: path)) { place in
      let archive = try archiveDirectory(at: path, excluding: excluded, to: place)
      let file = place.folder + "/" + place.name + ".zip"
      return [
        CapturedEvidence(
          kind: .directory, name: name, path: place.relativeFolder + "/" + place.name + ".zip",
          bytes: FileSystem.status(file).map { Int($0.st_size) } ?? 0, source: path, keep: keep,
          archive: archive)
      ]
    }
  }
}
