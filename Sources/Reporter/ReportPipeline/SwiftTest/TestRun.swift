package import Collector
import ExhibitSystem
import Foundation
package import ReportModel
import ReportReading

package typealias EmptyRun = (run: RunFolder, message: String)

/// One `swift test` that we start, with its run folder.
package struct TestRun {
  private static let keptOutput = 8 << 20

  let arguments: SwiftTestArguments
  package let artifacts: ArtifactsFolder
  package let run: RunFolder
  private let inputs: String
  private let earlierLogs: Set<String>
  private let label: String?
  package let environment: [String: String]
  let say: @Sendable (String) -> Void

  /// Makes the run's folder, which test processes find by its name.
  ///
  /// - Parameter round: The round of failed tests that run again; 0 for the run itself.
  package init(
    _ arguments: SwiftTestArguments, environment: [String: String], round: Int = 0, label: String? = nil,
    say: @escaping @Sendable (String) -> Void
  ) throws {
    (self.arguments, self.environment, self.label, self.say) = (arguments, environment, label, say)
    let package = arguments.packageFolder
    artifacts = ArtifactsFolder(variable: environment["EXHIBIT_ARTIFACTS"], packageFolder: package)
    let opened = try RunFolder.open(Self.identity(environment), in: artifacts)
    run = opened.folder
    if opened.isNew {
      try Self.manifest(of: run, package: package, environment, label).write(to: run)
      for error in RunPruning().prune(artifacts, current: run).failed { say("\(error)") }
    }
    earlierLogs = Set(try Self.logs(of: run))
    inputs = try FileSystem.createNewFolder("inputs", in: run.path)
    if round > 0 || !earlierLogs.isEmpty {
      try InvocationRound(round: round, earlierLogs: earlierLogs.sorted()).write(to: inputs)
    }
    try FileSystem.createFolder(inputs + "/attachments")
    if arguments.hasTargetRunners { try FileSystem.createFolder(inputs + "/streams") }
  }

  /// With sentences on files that could not be kept.
  package typealias Outcome = (end: ChildProcess.End, losses: [String])

  /// Runs `swift test` to its end and keeps its files.
  func perform() throws(ChildProcess.StartingError) -> Outcome {
    let requested = arguments.requestedFiles.map { ($0, $0.candidates.map(Self.state)) }
    let earlier = attachmentStates
    SignalForwarding.prepare()
    let (end, output, _) = try ChildProcess.run(
      "swift", ["test"] + arguments.completed(inputs: inputs), environment: completedEnvironment,
      keeping: Self.keptOutput, isSilent: false)
    if case .signalled = end { endTestProcesses() }
    var outcome: Outcome = (end, [])
    func keep(_ name: String, _ body: () throws -> Void) {
      do {
        try body()
      } catch {
        outcome.losses.append("\(name) of swift test could not be kept: \(error.sentence)")
      }
    }
    keep("The run's folder") { if FileSystem.status(inputs) == nil { try beginAgain() } }
    keep("The output") { try FileSystem.writeNewFile(inputs + "/output.txt", output.bytes) }
    keep("The end") { try invocation(end).write(to: inputs) }
    for (file, states) in requested { keep(file.name) { try self.keep(file, unlessUnchanged: states) } }
    keep("The attachments") { try keepAttachments(unlessIn: earlier) }
    // Tests are lost only where a process dies, and the list takes about a second.
    if case .exited(let status) = end, status != 0 {
      keep("The list of tests") { try keepListing() }
    }
    return outcome
  }

  package func emptyRun(_ end: String) -> EmptyRun {
    let output = SourceRoot(path: artifacts.path).relative(inputs) + "/output.txt"
    return (
      run,
      "This run has no tests: \(end) and left none, as after a build that fails or with a filter that "
        + "matches nothing. What it printed is in \(output)."
    )
  }

  /// The report's remarks on own processes that ended while a test ran.
  package func deaths(in report: Report) -> [Remark] {
    guard report.tests.contains(where: \.outcome.isFailure) else {
      return []
    }
    return (report.faults + report.notices).filter { remark in
      let log = remark.input.flatMap { $0.split(separator: "/").last }.map(String.init)
      return remark.kind == Remark.Kind.logEndedEarly.rawValue && !(log.map(earlierLogs.contains) ?? true)
    }
  }

  /// Runs this invocation and further ones, until one is interrupted.
  ///
  /// - Returns: Of several that failed, the end of the first.
  package func perform(_ further: some Sequence<SwiftTestArguments>) throws -> Outcome {
    var outcome = try perform()
    let variables = environment.merging(["EXHIBIT_RUN": run.name, "EXHIBIT_ARTIFACTS": artifacts.path]) { $1 }
    for arguments in further {
      if case .signalled = outcome.end { break }
      if SignalForwarding.isAskedToEnd { break }
      let next = try TestRun(arguments, environment: variables, say: say).perform()
      outcome.losses += next.losses
      if outcome.end == .exited(0) { outcome.end = next.end }
    }
    return outcome
  }

  /// Makes a round of this run in which passing tests record what they do.
  func again(
    _ functions: [FailedTests.Function], by arguments: SwiftTestArguments, artifacts: String, round: Int
  ) throws -> TestRun {
    let variables = environment.merging([
      "EXHIBIT_RUN": run.name, "EXHIBIT_ARTIFACTS": artifacts, "EXHIBIT_RECORD_PASSES": "on",
      // A build with coverage would write its profile beside the sources.
      "LLVM_PROFILE_FILE": "/dev/null",
    ]) { $1 }
    return try TestRun(
      arguments.again(functions.map(\.id.filter), of: functions.framework), environment: variables,
      round: round, say: say)
  }

  // MARK: - Before

  /// Named by `$EXHIBIT_RUN`, which joins several invocations, or new.
  private static func identity(_ environment: [String: String]) -> RunIdentity {
    let owner = ProcessIdentity.current
    let new = RunIdentity(key: "\(getpid())", start: currentTime(), owner: owner)
    let name = environment["EXHIBIT_RUN"].flatMap { $0.isEmpty ? nil : $0 } ?? new.folderName
    return RunIdentity(key: SafeName(name).description, start: new.start, owner: owner, isNamed: true)
  }

  /// - Throws: Where they cannot be listed: a death could not be attributed then.
  private static func logs(of run: RunFolder) throws(SystemError) -> [String] {
    FileSystem.status(run.logsFolder) == nil ? [] : try FileSystem.entries(of: run.logsFolder)
  }

  private static func manifest(
    of run: RunFolder, package: String, _ environment: [String: String], _ label: String?
  ) -> RunManifest {
    var manifest = RunManifest(
      run: identity(environment), folder: run, packageFolder: package, variable: { environment[$0] })
    manifest.label = label
    if manifest.commit != nil {
      manifest.dirty = Git(folder: package, environment: environment).isDirty
    }
    return manifest
  }

  private var completedEnvironment: [String: String] {
    var environment = environment
    environment["EXHIBIT_RUN"] = run.name
    environment["EXHIBIT_ARTIFACTS"] = artifacts.path
    environment["EXHIBIT_REPORTER"] = "1"
    if arguments.hasTargetRunners { environment["EXHIBIT_EVENT_STREAMS"] = inputs + "/streams" }
    let defaults = [
      "SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1",
      "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no",
    ]
    return environment.merging(defaults) { given, _ in given }
  }

  // MARK: - After

  /// Makes a removed folder again, with a log that says so.
  private func beginAgain() throws {
    let loss =
      "\(run.path) was removed while swift test ran: what the tests recorded until then, and their event stream, are"
      + " lost."
    say(loss)
    try artifacts.create()
    try FileSystem.createFolder(inputs + "/attachments")
    try Self.manifest(of: run, package: arguments.packageFolder, environment, label).write(to: run)
    guard let process = ProcessIdentity.current else { return }
    let log = try LogFile(
      for: ProcessHeader(pid: process.pid, startTicks: process.startTicks, executable: "reporter"), in: run)
    let failure = CaptureFailure(
      kind: .directory, name: "the run's folder", source: run.path, reason: .io, message: loss)
    try log.append(failure, test: nil)
    try log.append(ProcessEnd(tests: 0, failed: 0), test: nil)
  }

  /// A signal that ends `swift test` leaves them running.
  private func endTestProcesses() {
    let deadline = ContinuousClock.now + .seconds(2)
    do throws(SystemError) {
      for signal in [SIGTERM, SIGKILL] {
        for process in try runningProcesses() { kill(process.pid, signal) }
        while try !runningProcesses().isEmpty && ContinuousClock.now < deadline { usleep(20_000) }
      }
    } catch {
      say("Test processes may still run: their logs cannot be listed. \(error)")
    }
  }

  private func runningProcesses() throws(SystemError) -> [ProcessIdentity] {
    try Self.logs(of: run).compactMap(LogFile.process(ofFile:))
      .filter { $0.isRunning && !$0.isChildOfSwiftTest }
  }

  /// A list that cannot be made is no loss.
  private func keepListing() throws {
    guard let listing = arguments.listing else { return }
    let child = try ChildProcess("swift", ["test"] + listing, environment: environment)
    var relay = OutputRelay(keeping: 64 << 20, isSilent: true)
    let output = relay.relay(child, until: .now + .seconds(60))
    guard child.reap() == .exited(0) else { return }
    try FileSystem.writeNewFile(inputs + "/" + TestListing.fileName, output.bytes)
  }

  private func invocation(_ end: ChildProcess.End) -> SwiftTestInvocation {
    var invocation = SwiftTestInvocation(
      arguments: arguments.given, attachments: arguments.attachments(in: inputs))
    switch end {
    case .exited(let status): invocation.status = status
    case .signalled(let signal): invocation.signal = signal
    }
    return invocation
  }

  private static func state(of path: String) -> FileStatus? {
    try? FileStatus(path: path, followingLinks: false)
  }

  private var requestedAttachments: String? {
    let folder = arguments.attachments(in: inputs)
    return folder == inputs + "/attachments" ? nil : folder
  }

  private var attachmentStates: [String: FileStatus] {
    guard let folder = requestedAttachments, FileSystem.status(folder) != nil else { return [:] }
    let names = (try? FileSystem.entries(of: folder)) ?? []
    let states = names.map { ($0, Self.state(of: folder + "/" + $0)) }
    return Dictionary(states, uniquingKeysWith: { first, _ in first }).compactMapValues { $0 }
  }

  /// A report reads nothing outside of the run.
  private func keepAttachments(unlessIn earlier: [String: FileStatus]) throws {
    guard let folder = requestedAttachments, FileSystem.status(folder) != nil else { return }
    for name in try FileSystem.entries(of: folder) {
      guard let state = Self.state(of: folder + "/" + name), state != earlier[name],
        case .success(let file) = ContainedFile.open(ContainedPath(folder: folder, path: name))
      else { continue }
      try FileTransfer.bring(file, to: "\(inputs)/attachments/\(name)")
    }
  }

  /// Copies a requested file into the run, unless it is unchanged.
  private func keep(
    _ file: SwiftTestArguments.RequestedFile, unlessUnchanged states: [FileStatus?]
  ) throws {
    for (path, old) in zip(file.candidates, states) {
      guard let new = Self.state(of: path), new != old else { continue }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      return try FileSystem.writeNewFile(inputs + "/" + file.name, bytes)
    }
  }
}
