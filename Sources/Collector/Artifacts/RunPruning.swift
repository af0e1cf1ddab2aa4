package import ExhibitSystem
import Foundation

/// Removes old runs, so that the artifacts folder does not grow for ever.
package struct RunPruning: Sendable {
  /// The number of runs to keep, including the current one.
  package var keptRuns = 5
  /// The most bytes of all runs together.
  package var keptBytes = 2 << 30

  /// Seconds without a new record after which a log's process counts as ended, where it cannot be seen.
  static let restingTime = 3600.0

  package init() {}

  /// Removes the oldest runs beyond the limits; only folders with our `run.json`, and never a live run.
  ///
  /// - Returns: The names of the removed runs, and the errors of the others.
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

  /// The runs whose `run.json` has a format that we know, or an older one; newest first.
  private func runs(in artifacts: ArtifactsFolder) -> [Candidate] {
    // A folder that cannot be read has nothing that we may remove.
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

  /// True when the run may go on.
  ///
  /// Its processes may be invisible here, and so may their locks when another machine runs them.
  private func isLive(_ run: Candidate) -> Bool {
    if run.manifest.owner?.isRunning == true { return true }
    let folder = run.folder.logsFolder
    // Nobody writes to a run without logs; one with unreadable logs may be in use.
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
  /// Reads the `run.json` that marks a folder as a run of ours; `nil` for any other folder.
  package init?(readingMarkOf folder: RunFolder) {
    guard let status = FileSystem.status(folder.path), status.st_mode & S_IFMT == S_IFDIR,
      let data = FileManager.default.contents(atPath: folder.manifestPath),
      // Without our mark it is somebody else's folder.
      let manifest = try? JSONDecoder().decode(RunManifest.self, from: data),
      let format = FormatVersion(manifest.format), let ours = FormatVersion(ArtifactsFormat.current),
      format.major <= ours.major
    else { return nil }
    self = manifest
  }
}
