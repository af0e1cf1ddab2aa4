package import ExhibitSystem

package struct RunFolder: Sendable, Equatable {
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
  /// Rings of processes that have not ended well.
  package var traceFolder: String { path + "/trace" }
  /// Steps of passed tests, a file for each process.
  package var passesFolder: String { path + "/passes" }
  /// A failed test's run with the change that it passes with.
  package func explained(_ test: TestCaseID) -> RunFolder {
    RunFolder(path: "\(path)/explained/\(test.folderName)")
  }
  package var passesTallyPath: String { path + "/.passes-bytes" }
  package var tallyPath: String { path + "/.evidence-bytes" }
  /// What `reporter` recorded after crashes, a file for each log.
  package var postMortemFolder: String { path + "/postmortem" }

  package func tracePath(of process: ProcessIdentity) -> String {
    "\(traceFolder)/\(process.pid)-\(process.startTicks).ring"
  }

  package struct Opened: Sendable {
    package var folder: RunFolder
    package var isNew: Bool

    fileprivate static func existing(_ folder: RunFolder) throws(SystemError) -> Opened {
      try FileSystem.checkIsOwnFolder(folder.path)
      return Opened(folder: folder, isNew: false)
    }
  }

  /// Finds or makes the folder of a run, whose processes may start at once.
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
