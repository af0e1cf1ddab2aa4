import Collector
import ExhibitSystem
import Foundation

/// Captures what a test process that died left of the databases of the tests that ran, once.
///
/// What was captured lies in the run's evidence folder, and is recorded in its folder `postmortem`.
struct PostMortem {
  let run: RunFolder
  let budget: Budget
  let openFolders: OpenFolders

  init(of run: RunFolder, packageFolder: String, variable: (String) -> String? = PostMortem.variable) {
    self.run = run
    // The test process has complained about variables that cannot be read.
    budget = Budget.read(variable).budget
    openFolders = OpenFolders(packageFolder: packageFolder, variable: variable)
  }

  /// - Parameter current: The absolute path of the folder in which `reporter` was started.
  init(of run: RunFolder, current: String) {
    // What is wrong with the manifest is told when the run is read.
    let package = (try? RunManifest(of: run))?.package
    let mayBeRead = package.map { SourceRoot(ofRun: $0, current: current).mayBeRead } ?? false
    self.init(of: run, packageFolder: (mayBeRead ? package : nil) ?? run.path)
  }

  static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  /// Captures what the processes left whose logs stop before their end.
  ///
  /// A log that cannot be read is passed over here: that is told when the run is read.
  func recover() -> RecoveredRun {
    var recovered = RecoveredRun()
    let logs = (try? ContainedFile.entries(of: ContainedPath(folder: run.path, path: "logs"))) ?? []
    for file in logs.sorted() where file.hasSuffix(".jsonl") {
      let path = ContainedPath(folder: run.path, path: "logs/\(file)")
      guard let bytes = try? ContainedFile.open(path).get().contents(), !LogReader.isWhole(bytes) else {
        continue
      }
      recovered.logs[file] = recover(LogReader.read(bytes, ConnectionTrail.meanings.kinds), file: file)
    }
    return recovered
  }

  /// - Parameters:
  ///   - log: A log that may stop before its end.
  ///   - file: The name of its file.
  /// - Returns: `nil` where nothing can be known.
  private func recover(_ log: LogContents, file: String) -> RecoveredLog? {
    guard !log.isEnded, let header = log.header, let boot = header.boot else { return nil }
    let trail = ConnectionTrail(of: log)
    var recovered = files(trail, file: file, header, boot: boot)
    // What is in the memory of a process that still runs is not lost yet.
    if boot != currentBoot || !header.identity.isRunning {
      recovered.records += trail.testsWithMemory.map(memoryRecord)
      if let lacking = trail.testsWithoutSteps {
        recovered.records += lacking.tests.map { stepsRecord(of: $0, lacking.reason) }
      }
    }
    return recovered
  }

  private func memoryRecord(of test: TestCaseID) -> LogRecord {
    let error = CaptureError(
      .missing,
      "Databases in memory, which tests of this process used, went with its process; only files can be read"
        + " after a crash.")
    return LogRecord(
      time: currentTime(), test: test,
      error.failure(of: .database, named: "in-memory", source: nil))
  }

  private func stepsRecord(of test: TestCaseID, _ reason: String) -> LogRecord {
    let error = CaptureError(
      .missing, "What the test did to databases was kept in memory and went with its process: \(reason)")
    return LogRecord(
      time: currentTime(), test: test, error.failure(of: .story, named: "story.jsonl", source: nil))
  }

  private func files(_ trail: ConnectionTrail, file: String, _ header: ProcessHeader, boot: String)
    -> RecoveredLog
  {
    if let known = recorded(file) { return known }
    let databases = trail.databases
    var left = Left(databases: databases)
    if boot != currentBoot || !header.identity.isRunning {
      left.stories = trail.stories
      left.ring = LeftRing(ofLog: file, of: header.identity, in: run)
    }
    guard let obstacle = obstacle(header, boot: boot) else {
      return databases.isEmpty && !left.hasRing
        ? RecoveredLog(folder: run.path) : capture(left, header, file: file)
    }
    let failures = databases.flatMap { $0.failure(obstacle) }
    guard left.hasRing else { return RecoveredLog(records: failures, folder: run.path) }
    // Where the databases are not to be had, the steps are.
    left.databases = []
    var recovered = captureElsewhere(left, because: obstacle)
    recovered.records = failures + recovered.records
    return recovered
  }

  /// What a process left that can be captured.
  private struct Left {
    var databases: [LeftDatabase]
    var stories: [LeftStory] = []
    var ring: LeftRing?

    var hasRing: Bool { !stories.isEmpty && ring?.exists == true }

    func capture(into capture: inout PostMortemCapture) throws {
      for database in databases { try capture.add(database) }
      if let ring { try capture.add(stories, from: ring) }
    }

    func failure(_ error: CaptureError) -> [LogRecord] { databases.flatMap { $0.failure(error) } }
  }

  /// Why nothing can be captured now, although it may be another time or elsewhere.
  private func obstacle(_ header: ProcessHeader, boot: String) -> CaptureError? {
    if boot != currentBoot {
      return CaptureError(
        .missing,
        "The test process died while it was open. Only a report made on the machine that ran the tests, before that"
          + " is restarted, can recover it.")
    }
    if header.identity.isRunning {
      return CaptureError(
        .busy, "The test process (\(header.pid)) still runs; a report made after its end has the database.")
    }
    return nil
  }

  // MARK: - Capturing

  private func capture(_ left: Left, _ header: ProcessHeader, file: String) -> RecoveredLog {
    do {
      // A run can come from anywhere: what is written into it or removed from it must not be elsewhere.
      for folder in [run.evidenceFolder, run.postMortemFolder, run.traceFolder] {
        if let status = FileSystem.status(folder), status.st_mode & S_IFMT == S_IFLNK {
          throw SystemError("write into", folder, code: ELOOP)
        }
      }
      var capture = PostMortemCapture(into: run, of: self)
      try left.capture(into: &capture)
      let recovered = try record(capture, header, file: file)
      // A ring that stays goes with its run; what could not be read, a later version may read.
      if capture.hasReadRing { try? left.ring?.remove() }
      return recovered
    } catch {
      return captureElsewhere(left, because: error)
    }
  }

  /// Where the run's folder cannot be written, captures for this report alone.
  private func captureElsewhere(_ left: Left, because reason: any Error) -> RecoveredLog {
    do {
      let temporary = try TemporaryRun()
      var capture = PostMortemCapture(into: RunFolder(path: temporary.path), of: self)
      try left.capture(into: &capture)
      return RecoveredLog(records: capture.records, folder: temporary.path, temporary: temporary)
    } catch {
      let failure = CaptureError(.io, "What the process left cannot be kept: \(reason)")
      return RecoveredLog(records: left.failure(failure), folder: run.path)
    }
  }

  // MARK: - The record

  private func path(_ file: String) -> String { run.postMortemFolder + "/" + file }

  /// What an earlier report captured.
  private func recorded(_ file: String) -> RecoveredLog? {
    let record = ContainedPath(folder: run.path, path: "postmortem/\(file)")
    // One that cannot be read stays as it is: what it would tell is captured again, for this report alone.
    guard let bytes = try? ContainedFile.open(record).get().contents() else { return nil }
    return RecoveredLog(records: LogReader.read(bytes, PostMortemCapture.kinds).records, folder: run.path)
  }

  /// Writes the record whole and in one step; of two reports made at the same time the first one's stands.
  private func record(_ capture: PostMortemCapture, _ header: ProcessHeader, file: String) throws
    -> RecoveredLog
  {
    try FileSystem.createFolder(run.postMortemFolder)
    let draft = "\(run.postMortemFolder)/.\(getpid())-\(file)"
    let lines = [LogRecord(time: currentTime(), header)] + capture.records
    try FileSystem.remove(draft)
    try FileSystem.writeNewFile(draft, lines.flatMap(LogLine.encode))
    let isFirst = link(draft, path(file)) == 0
    let code = errno
    try FileSystem.remove(draft)
    if isFirst { return RecoveredLog(records: capture.records, folder: run.path) }
    try capture.remove()
    guard code == EEXIST, let other = recorded(file) else {
      throw SystemError("create", path(file), code: code)
    }
    return other
  }
}

extension ProcessHeader {
  fileprivate var identity: ProcessIdentity { ProcessIdentity(pid: pid, startTicks: startTicks) }
}

/// A folder that stands for a run's while one report is made.
final class TemporaryRun: Sendable {
  let path: String

  init() throws(SystemError) {
    let name = "exhibit-\(getpid())-\(UUID().uuidString)"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try FileSystem.createFolder(path)
  }

  deinit {
    // It lies in the temporary folder and is named after us; there is nobody left to tell.
    try? FileSystem.remove(path)
  }
}

extension LeftDatabase {
  /// What readers call it.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Records for its tests that it was not captured.
  func failure(_ error: CaptureError) -> [LogRecord] {
    tests.map { test in
      LogRecord(
        time: currentTime(), test: test,
        error.failure(of: .database, named: name, source: path))
    }
  }
}
