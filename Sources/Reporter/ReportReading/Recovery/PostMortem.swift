package import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Captures the databases of tests whose process died.
///
/// They go into the run's evidence folder, recorded once in its folder `postmortem`. Each report tries
/// failures again that may pass.
package struct PostMortem {
  let run: RunFolder
  let budget: Budget
  let openFolders: OpenFolders
  private let spare: String

  /// - Parameters:
  ///   - current: The absolute working folder of `reporter`.
  ///   - spare: An absolute path prefix on the report's disk, for temporary files.
  package init(of run: RunFolder, current: String, spare: String) {
    let package = (try? RunManifest(of: run))?.package
    let mayBeRead = package.map { SourceRoot(ofRun: $0, current: current).mayBeRead } ?? false
    let environment = ProcessInfo.processInfo.environment
    (self.run, self.spare) = (run, spare)
    // The test process reported unreadable variables.
    budget = Budget.read { environment[$0] }.budget
    openFolders = OpenFolders(packageFolder: (mayBeRead ? package : nil) ?? run.path) { environment[$0] }
  }

  /// Captures what processes left whose logs have no end.
  package func recover() -> RecoveredRun {
    var recovered = RecoveredRun()
    do throws(ContainedFile.OpeningError) {
      let logs = try ContainedFile.entries(of: ContainedPath(folder: run.path, path: "logs"))
      for file in logs.sorted() where file.hasSuffix(".jsonl") { recover(file, into: &recovered) }
    } catch {
      if error != .missing { recovered.problem = error.sentence(on: "logs") }
    }
    return recovered
  }

  private func recover(_ file: String, into recovered: inout RecoveredRun) {
    do {
      let path = ContainedPath(folder: run.path, path: "logs/\(file)")
      let bytes = try ContainedFile.open(path).get().contents()
      guard !LogReader.isWhole(bytes) else { return }
      recovered.logs[file] = recover(LogReader.read(bytes, ConnectionTrail.meanings.kinds), file: file)
    } catch let error as ContainedFile.OpeningError {
      recovered.problems[file] = error.sentence(on: file)
    } catch {
      recovered.problems[file] = "Could not read \(file): \(error.localizedDescription)"
    }
  }

  private func recover(_ log: LogContents, file: String) -> RecoveredLog? {
    guard !log.isEnded, let header = log.header, let boot = header.boot else { return nil }
    let trail = ConnectionTrail(of: log)
    var recovered = files(trail, file: file, header, boot: boot)
    // A running process still has its memory.
    if boot != currentBoot || !header.identity.isRunning {
      let memory = CaptureError(
        .missing,
        "Databases in memory, which tests of this process used, went with its process; only files can be read"
          + " after a crash.")
      var records = trail.testsWithMemory.map {
        memory.record(of: .database, named: CaptureFailure.memoryName, in: $0)
      }
      if let lacking = trail.testsWithoutSteps {
        let steps = CaptureError(
          .missing,
          "What the test did to databases was kept in memory and went with its process: \(lacking.reason)")
        records += lacking.tests.map { steps.record(of: .story, named: "story.jsonl", in: $0) }
      }
      recovered.parts.append(RecoveredLog.Part(records: records, folder: run.path))
    }
    return recovered
  }

  private func files(
    _ trail: ConnectionTrail, file: String, _ header: ProcessHeader, boot: String
  ) -> RecoveredLog {
    var remains = ProcessRemains(databases: trail.databases)
    if boot != currentBoot || !header.identity.isRunning {
      remains.stories = trail.stories
      remains.ring = LeftRing(ofLog: file, of: header.identity, in: run)
    }
    let obstacle = obstacle(header, boot: boot)
    let record = RecoveryRecord(run: run, file: file)
    let earlier: RecoveryRecord.Contents?
    do {
      earlier = try record.read()
    } catch {
      // The captures serve this report only.
      return RecoveredLog(parts: obstacle == nil ? captureElsewhere(remains) : [])
    }
    if let earlier {
      remains = obstacle == nil ? remains.remaining(after: earlier.records) : ProcessRemains()
      if remains.isEmpty {
        return RecoveredLog(parts: [RecoveredLog.Part(records: earlier.records, folder: run.path)])
      }
    }
    guard let obstacle else {
      return remains.isEmpty
        ? RecoveredLog() : capture(remains, header, into: record, after: earlier)
    }
    let failures = remains.databases.flatMap { $0.failure(obstacle) }
    // Steps can be captured even if databases cannot.
    remains.databases = []
    let stories = remains.hasRing ? captureElsewhere(remains) : []
    return RecoveredLog(parts: [RecoveredLog.Part(records: failures, folder: run.path)] + stories)
  }

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

  private func capture(
    _ remains: ProcessRemains, _ header: ProcessHeader, into record: RecoveryRecord,
    after earlier: RecoveryRecord.Contents?
  ) -> RecoveredLog {
    var capture = PostMortemCapture(into: run, of: self)
    var known = earlier?.records ?? []
    var rest = remains
    do {
      try checkFolders()
      try remains.capture(into: &capture)
      let news = capture.records + capture.refusals
      if try record.write(known.updated(with: news), of: header, after: earlier) {
        rest = capture.refused
        // A ring that stays is removed with its run.
        if capture.hasReadRing { try? remains.ring?.remove() }
      } else {
        // Another report was faster.
        try capture.remove()
        capture = PostMortemCapture(into: run, of: self)
        known = try record.read()?.records ?? []
        rest = remains.remaining(after: known)
      }
    } catch {
      // Files that stay are removed with the run.
      try? capture.remove()
      capture = PostMortemCapture(into: run, of: self)
    }
    let elsewhere = captureElsewhere(rest)
    let news = capture.records + elsewhere.flatMap(\.records)
    let inRun = Array(known.updated(with: news).dropLast(news.count)) + capture.records
    return RecoveredLog(parts: [RecoveredLog.Part(records: inRun, folder: run.path)] + elsewhere)
  }

  /// Checks that the folders of an untrusted run are no links.
  private func checkFolders() throws(SystemError) {
    for folder in [run.evidenceFolder, run.postMortemFolder, run.traceFolder] {
      if let status = FileSystem.status(folder), status.st_mode & S_IFMT == S_IFLNK {
        throw SystemError("write into", folder, code: ELOOP)
      }
    }
  }

  private func captureElsewhere(_ remains: ProcessRemains) -> [RecoveredLog.Part] {
    guard !remains.isEmpty else { return [] }
    do {
      let temporary = try TemporaryRun(at: spare)
      var capture = PostMortemCapture(into: RunFolder(path: temporary.path), of: self)
      try remains.capture(into: &capture)
      return [
        RecoveredLog.Part(
          records: capture.records + capture.refusals, folder: temporary.path, temporary: temporary)
      ]
    } catch {
      let failure = CaptureError(.io, "What the process left cannot be kept: \(error)")
      return [RecoveredLog.Part(records: remains.failure(failure), folder: run.path)]
    }
  }
}

extension CaptureFailure {
  fileprivate static let memoryName = "in-memory"

  /// True of databases in memory that went with their process.
  var isOfLostMemory: Bool {
    kind == .database && reason == .missing && source == nil && name == Self.memoryName
  }
}

extension CaptureError {
  func record(of kind: EvidenceKind, named name: String, in test: TestCaseID) -> LogRecord {
    LogRecord(time: currentTime(), test: test, failure(of: kind, named: name, source: nil))
  }
}

extension ProcessHeader {
  fileprivate var identity: ProcessIdentity { ProcessIdentity(pid: pid, startTicks: startTicks) }
}

extension LeftDatabase {
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Records for its tests that it was not captured.
  ///
  /// - Parameter files: Its files' status, for another attempt.
  func failure(_ error: CaptureError, files: [LeftFile]? = nil) -> [LogRecord] {
    var failure = error.failure(of: .database, named: name, source: path)
    if error.reason.mayPass { failure.files = files }
    return tests.map { LogRecord(time: currentTime(), test: $0, failure) }
  }
}
