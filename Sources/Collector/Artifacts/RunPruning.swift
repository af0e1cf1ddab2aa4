package import ExhibitSystem
import Foundation

/// Removes old runs, so that the artifacts folder does not grow for ever.
package struct RunPruning: Sendable {
  /// How many runs stay, the current one included.
  package var keptRuns = 5
  /// How many bytes all runs together may have.
  package var keptBytes = 2 << 30

  /// Seconds without a new record after which a log's process has ended, where that cannot be seen.
  static let restingTime = 3600.0

  package init() {}

  /// Removes the oldest runs beyond the limits: only folders that carry our mark, never a run that goes on.
  ///
  /// - Returns: The names of the removed runs, and what could not be removed.
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

  /// Runs whose `run.json` is of a format that we know; newest first.
  private func runs(in artifacts: ArtifactsFolder) -> [Candidate] {
    // A folder that cannot be read holds nothing that we may remove.
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

  /// Whether it may go on: its processes need not be visible here, nor their locks where another machine runs them.
  private func isLive(_ run: Candidate) -> Bool {
    if run.manifest.owner?.isRunning == true { return true }
    let folder = run.folder.logsFolder
    // A run without logs is not being written to; one whose logs cannot be read may be.
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
  /// Reads the `run.json` by which a folder is known as a run of ours; `nil` for any other folder.
  package init?(readingMarkOf folder: RunFolder) {
    guard let status = FileSystem.status(folder.path), status.st_mode & S_IFMT == S_IFDIR,
      let data = FileManager.default.contents(atPath: folder.manifestPath),
      // Anything else than our mark is somebody else's folder.
      let manifest = try? JSONDecoder().decode(RunManifest.self, from: data),
      let format = ArtifactsFormat(manifest.format), format.isReadable
    else { return nil }
    self = manifest
  }
}
