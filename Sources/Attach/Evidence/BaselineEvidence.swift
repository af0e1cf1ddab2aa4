import Collector
import ExhibitSystem

struct BaselineEvidence: Sendable {
  let job: CaptureJob

  /// Returns the baseline's path in the run, or why there is none.
  func capture(of subject: EvidenceSubject, in place: EvidencePlace) -> (path: String?, note: String?) {
    if let fixture = subject.source.flatMap({ source in job.scope.state.withLock { $0.fixtures[source] } }) {
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
    case .disk(let file): return try HeldCopy(of: try file.path, wal: nil, at: folder)
    case .lost(let reason): throw CaptureError(.overBudget, reason)
    case .large: throw CaptureError(.overBudget, "It was not copied.")
    }
  }

  private func captureBaseline(_ path: String, in place: EvidencePlace) -> (path: String?, note: String?) {
    var capturer = job.capturer
    capturer.keepsHistory = false
    let result = capturer.capture(
      .file(DatabaseFile(path: path)), named: place.name + ".baseline", into: place.folder)
    if let file = result.files.first(where: \.isDatabase) {
      return (place.relativeFolder + "/" + file.file, nil)
    }
    for file in result.files { try? FileSystem.remove(place.folder + "/" + file.file) }
    let reason = result.failures.first?.message ?? ""
    return (nil, "The state the test started from could not be written: \(reason)")
  }

  /// In memory a baseline is valid while its connection exists.
  private func baseline(of storage: OpenDatabase.Storage) -> BaselineState? {
    let baseline = job.scope.state.withLock { $0.baselines.last { $0.storage == storage } }
    guard let baseline else { return nil }
    if case .file = storage { return baseline }
    return job.recorder.connections.all.contains { $0.number == baseline.connection } ? baseline : nil
  }
}
