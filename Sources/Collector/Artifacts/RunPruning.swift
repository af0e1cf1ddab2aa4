package import ExhibitSystem
import Foundation

package struct RunPruning: Sendable {
  package var keptRuns = 5
  package var keptBytes = 2 << 30

  /// Seconds without a record after which an invisible process counts as ended.
  static let restingTime = 3600.0

  package init() {}

  package func prune(_ artifacts: ArtifactsFolder, current: RunFolder) -> (
    removed: [String], failed: [SystemError]
  ) {
    var removed: [String] = []
    var failed: [SystemError] = []
    for run in surplus(among: runs(in: artifacts), current: current) {
      do throws(SystemError) {
        try FileSystem.remove(run.path)
        removed.append(run.name)
      } catch {
        failed.append(error)
      }
    }
    return (removed, failed)
  }

  private struct Candidate {
    var folder: RunFolder
    var manifest: RunManifest
  }

  /// The runs in a format that we know or an older one, newest first.
  private func runs(in artifacts: ArtifactsFolder) -> [Candidate] {
    let names = (try? FileSystem.entries(of: artifacts.runsFolder)) ?? []
    let runs = names.compactMap { name -> Candidate? in
      let folder = RunFolder(path: artifacts.runsFolder + "/" + name)
      guard let manifest = RunManifest(readingMarkOf: folder) else { return nil }
      return Candidate(folder: folder, manifest: manifest)
    }
    return runs.sorted { ($0.manifest.start, $0.folder.name) > ($1.manifest.start, $1.folder.name) }
  }

  private func surplus(among runs: [Candidate], current: RunFolder) -> [RunFolder] {
    var count = 1
    var bytes = FileSystem.size(of: current.path)
    var surplus: [RunFolder] = []
    for run in runs where run.folder != current {
      let size = FileSystem.size(of: run.folder.path)
      let isOver = count + 1 > keptRuns || bytes + size > keptBytes
      if isOver && !isLive(run) {
        surplus.append(run.folder)
      } else {
        count += 1
        bytes += size
      }
    }
    return surplus
  }

  /// Its processes may be on another machine, and even their locks invisible.
  private func isLive(_ run: Candidate) -> Bool {
    if run.manifest.owner?.isRunning == true { return true }
    let folder = run.folder.logsFolder
    guard let logs = try? FileSystem.entries(of: folder) else { return FileSystem.status(folder) != nil }
    return logs.contains { name in
      LogFile.process(ofFile: name)?.isRunning == true || isRecent(folder + "/" + name)
        || LogFile.isLocked(folder + "/" + name)
    }
  }

  private func isRecent(_ path: String) -> Bool {
    guard let status = FileSystem.status(path) else { return false }
    return currentTime() - Double(status.st_mtim.tv_sec) < Self.restingTime
  }
}

extension RunManifest {
  package init?(readingMarkOf folder: RunFolder) {
    guard let status = FileSystem.status(folder.path), status.st_mode & S_IFMT == S_IFDIR,
      let data = FileManager.default.contents(atPath: folder.manifestPath),
      let manifest = try? JSONDecoder().decode(RunManifest.self, from: data),
      let format = FormatVersion(manifest.format), let ours = FormatVersion(ArtifactsFormat.current),
      format.major <= ours.major
    else { return nil }
    self = manifest
  }
}
