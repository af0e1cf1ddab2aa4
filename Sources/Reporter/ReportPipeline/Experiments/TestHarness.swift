import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportModel
import ReportReading

/// Runs tests from a run's products, with something changed.
///
/// Each run is a process with its own folder for temporary files and artifacts, which is then removed.
struct TestHarness: Sendable {
  var executable: String
  var packageFolder: String
  var environment: [String: String]
  var scratch: String

  enum Recording: Sendable {
    case nothing
    case databases
    /// What passing tests do.
    case passes(RunFolder)
  }

  struct Ended: Sendable {
    /// With the first failure's message, in which marks stand for own paths.
    var tests: [TestCaseID: (outcome: Outcome, message: String?)] = [:]
    var counts: Intervention.Counts?
    var end = ChildProcess.End.exited(0)
    var isLate = false
    var duration = Duration.zero
    /// Those outside of its own folder.
    var databases: Set<String> = []
  }

  enum Problem: Error, CustomStringConvertible {
    case folder(String)
    case start(ChildProcess.StartingError)
    case unknownProcesses(SystemError)
    /// XCTests are named in one argument, which has a limit.
    case tooMany

    var description: String {
      switch self {
      case .folder(let reason): "An experiment has no folder. \(reason)"
      case .start(let error): "\(error)"
      case .unknownProcesses(let error): "What an experiment leaves running cannot be ended. \(error)"
      case .tooMany: "So many tests cannot be named on one command line."
      }
    }
  }

  /// Runs tests to their end, or until a limit of time.
  ///
  /// - Parameter tests: All of one framework; a case runs with all of its function.
  func run(
    _ tests: [TestCaseID], of framework: TestFramework, _ intervention: Intervention?, limit: Duration,
    recording: Recording = .nothing
  ) throws(Problem) -> Ended {
    let folder: String
    var variables = environment
    do {
      folder = try ScratchFolder.create(scratch + "/", in: scratch)
    } catch {
      throw .folder("\(error)")
    }
    defer { Self.remove(folder) }
    do {
      for part in ["/tmp", "/artifacts"] { try FileSystem.createFolder(folder + part) }
      if let bytes = intervention?.file {
        try FileSystem.writeNewFile(folder + "/intervention", bytes)
        variables[Self.variable] = folder + "/intervention"
      }
    } catch {
      throw .folder(error.sentence)
    }
    variables.merge(Self.settings(folder, recording)) { $1 }
    if case .environment(let name, let value)? = intervention { variables[name] = value }
    var ended = try perform(try Self.arguments(tests, framework, folder), variables, in: folder, limit)
    if intervention?.file != nil { ended.counts = Self.counts(folder + "/intervention") }
    ended.tests = Self.outcomes(in: folder)
    let run = RunFolder(path: "\(folder)/artifacts/runs/\(Self.runName)")
    switch recording {
    case .nothing: break
    case .databases:
      let opened = OpenedDatabases(of: run).paths.values.reduce(into: Set<String>()) { $0.formUnion($1) }
      ended.databases = opened.filter { !$0.hasPrefix(folder + "/") }
    case .passes(let kept):
      do {
        try Self.keepPasses(of: run, in: kept)
      } catch {
        throw .folder(error.sentence)
      }
    }
    return ended
  }

  private func perform(
    _ arguments: [String], _ variables: [String: String], in folder: String, _ limit: Duration
  ) throws(Problem) -> Ended {
    let began = ContinuousClock.now
    let child: ChildProcess
    do throws(ChildProcess.StartingError) {
      // A test that kills its parent kills the shell.
      child = try ChildProcess(
        "/bin/sh",
        ["-c", "cd \"$1\" && shift && \"$@\"; exit $?", "sh", packageFolder, executable] + arguments,
        environment: variables)
    } catch {
      throw .start(error)
    }
    let forwarding = SignalForwarding(to: child)
    var relay = OutputRelay(keeping: 1 << 16, isSilent: true)
    _ = relay.relay(child, until: began + limit)
    let problem = Self.endWhatIsLeft(of: child, startedIn: folder)
    var ended = Ended()
    ended.end = withExtendedLifetime(forwarding) { child.reap() }
    if let problem { throw problem }
    ended.duration = ContinuousClock.now - began
    ended.isLate = ended.duration > limit
    return ended
  }

  /// Ends what a test left running, even in other process groups.
  private static func endWhatIsLeft(of child: ChildProcess, startedIn folder: String) -> Problem? {
    child.send(SIGKILL)
    do throws(SystemError) {
      // They may start more meanwhile.
      for _ in 0..<5 {
        let left = try processes(startedWith: "EXHIBIT_ARTIFACTS", folder + "/artifacts")
        if left.isEmpty { break }
        for process in left { kill(process, SIGKILL) }
      }
      return nil
    } catch {
      return .unknownProcesses(error)
    }
  }

  // MARK: - Before

  private static let variable = "EXHIBIT_INTERVENTION"
  private static let runName = "experiment"
  private static let events = "/events.jsonl"

  private static func settings(_ folder: String, _ recording: Recording) -> [String: String] {
    let (capture, trace, passes) =
      switch recording {
      case .nothing: ("off", "off", "off")
      case .databases: ("all", "off", "off")
      case .passes: ("all", "all", "on")
      }
    return [
      "TMPDIR": folder + "/tmp", "EXHIBIT_ARTIFACTS": folder + "/artifacts", "EXHIBIT_RUN": runName,
      "EXHIBIT_CAPTURE": capture, "EXHIBIT_TRACE": trace, "EXHIBIT_RECORD_PASSES": passes,
      // Keeps failed tests from being captured.
      "EXHIBIT_MAX_RUN": "1", "EXHIBIT_REPORTER": "1", "SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1",
      "LLVM_PROFILE_FILE": "/dev/null", "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  private static func arguments(
    _ tests: [TestCaseID], _ framework: TestFramework, _ folder: String
  ) throws(Problem) -> [String] {
    let functions = Set(tests.map(\.function)).sorted()
    let arguments: [String] =
      switch framework {
      case .xctest:
        [
          functions.map { "\($0.module).\($0.suite.joined(separator: "."))/\($0.name)" }
            .joined(separator: ",")
        ]
      case .swiftTesting:
        [
          "--testing-library", "swift-testing", "--no-parallel", "--event-stream-output-path",
          folder + events, "--event-stream-version", "6.3",
        ] + functions.flatMap { ["--filter", $0.filter] }
      }
    let longest = ShardFilters.longestArgument
    guard arguments.allSatisfy({ $0.utf8.count <= longest }),
      arguments.reduce(0, { $0 + $1.utf8.count + 1 }) <= FailedTests.longestFilters + longest
    else { throw .tooMany }
    return arguments
  }

  // MARK: - After

  private static func counts(_ path: String) -> Intervention.Counts? {
    // A test that removed the file has no result.
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return Intervention.Counts([UInt8](data))
  }

  private static func outcomes(
    in folder: String
  ) -> [TestCaseID: (outcome: Outcome, message: String?)] {
    let read: [RunInputs]
    let events = FileSystem.status(folder + Self.events) == nil ? [] : [folder + Self.events]
    do throws(InputError) {
      read = try readRuns([folder + "/artifacts"] + events, choice: .newest)
    } catch {
      return [:]
    }
    let tests = RunJoin(read).tests.map { test in
      let message = test.issues.first(where: \.isFailure)?.message.replacing(folder, with: "…")
      return (test.id, (test.outcome, message))
    }
    return Dictionary(tests, uniquingKeysWith: { first, _ in first })
  }

  private static func keepPasses(of run: RunFolder, in kept: RunFolder) throws {
    guard FileSystem.status(run.passesFolder) != nil else { return }
    try FileSystem.createFolder(kept.passesFolder)
    try FileSystem.checkIsOwnFolder(kept.passesFolder)
    for name in try FileSystem.entries(of: run.passesFolder) where name.hasSuffix(".passes") {
      try FileManager.default.copyItem(
        atPath: "\(run.passesFolder)/\(name)", toPath: "\(kept.passesFolder)/\(name)")
    }
  }

  private static func remove(_ folder: String) {
    do {
      try FileSystem.remove(folder)
    } catch {
      // The folder around it is removed at the end, which tells it.
    }
  }
}
