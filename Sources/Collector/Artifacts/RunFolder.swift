package import ExhibitSystem

/// The folder of one run.
package struct RunFolder: Sendable, Equatable {
  /// An absolute path.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package var name: String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }
  package var manifestPath: String { path + "/run.json" }
  package var logsFolder: String { path + "/logs" }
  package var evidenceFolder: String { path + "/evidence" }
  /// The folder of the rings of processes that have not ended well.
  package var traceFolder: String { path + "/trace" }
  /// The folder of what tests did that passed, a file for each process.
  package var passesFolder: String { path + "/passes" }
  /// What a failed test did with the change that it passes with, as a run has it.
  package func explained(_ test: TestCaseID) -> RunFolder {
    RunFolder(path: "\(path)/explained/\(test.folderName)")
  }
  /// The file with the bytes of the passes, in 20 digits.
  package var passesTallyPath: String { path + "/.passes-bytes" }
  /// The file with the bytes of the evidence, in 20 digits.
  package var tallyPath: String { path + "/.evidence-bytes" }
  /// The folder of the records that `reporter` made after processes had died, each with the name of a log.
  package var postMortemFolder: String { path + "/postmortem" }

  /// The path of a process's ring, which has the name of its log.
  package func tracePath(of process: ProcessIdentity) -> String {
    "\(traceFolder)/\(process.pid)-\(process.startTicks).ring"
  }

  /// A run's folder; `isNew` is true when this process made it.
  package struct Opened: Sendable {
    package var folder: RunFolder
    package var isNew: Bool

    /// - Throws: `SystemError` for a link and for another user's folder.
    fileprivate static func existing(_ folder: RunFolder) throws(SystemError) -> Opened {
      try FileSystem.checkIsOwnFolder(folder.path)
      return Opened(folder: folder, isNew: false)
    }
  }

  /// Finds or makes the folder of a run; of several processes that start at once, one makes it.
  package static func open(
    _ run: RunIdentity, in artifacts: ArtifactsFolder
  ) throws(SystemError) -> Opened {
    try artifacts.create()
    if let found = try find(run, in: artifacts) { return try .existing(found) }
    let folder = RunFolder(path: artifacts.runsFolder + "/" + run.folderName)
    guard try FileSystem.createFolder(folder.path) else { return try .existing(folder) }
    // Two processes may have rounded the start to different seconds; the smaller name wins.
    if let found = try find(run, in: artifacts), found != folder {
      try FileSystem.remove(folder.path)
      return try .existing(found)
    }
    return Opened(folder: folder, isNew: true)
  }

  private static func find(_ run: RunIdentity, in artifacts: ArtifactsFolder) throws(SystemError)
    -> RunFolder?
  {
    let names = try FileSystem.entries(of: artifacts.runsFolder).filter(run.matches)
    return names.min().map { RunFolder(path: artifacts.runsFolder + "/" + $0) }
  }
}
