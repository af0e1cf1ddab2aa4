import Collector
import ExhibitCSystem
import ExhibitSystem
import Foundation

/// The run's folder and this process's log, made at the first test.
///
/// Errors are printed once, since recording must not change outcomes.
final class RecorderOutput: Sendable {
  private let settings: RecorderSettings
  private let functions: RunningFunctions
  private let state = Locked(State())

  private struct State: Sendable {
    var run: RunFolder?
    var log: LogFile?
    var hasFailed = false
    var hasComplained = false
    var hasToldRemoval = false
    var afterNewFolder: (@Sendable () -> Void)?
  }

  init(settings: RecorderSettings, functions: RunningFunctions) {
    self.settings = settings
    self.functions = functions
  }

  func afterNewFolder(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.afterNewFolder = action }
  }

  /// `nil` before the first test, on errors, and in a fork's child.
  var run: RunFolder? { isForked ? nil : state.withLock { $0.run } }

  /// In a fork's child all is the parent's, maybe with its lock held.
  private var isForked: Bool { exhibit_is_forked() }

  /// A removed folder is replaced.
  var runInPlace: RunFolder? {
    beginAgainIfRemoved()
    return run
  }

  /// - Parameter begin: Writes what a new log begins with.
  func log(_ payload: some LogPayload, test: TestCaseID?, beginningWith begin: () -> Void = {}) {
    if isForked { return }
    if openIfNeeded() { begin() } else { beginAgainIfRemoved() }
    logIfOpen(payload, test: test)
  }

  func finish(_ end: ProcessEnd) {
    beginAgainIfRemoved()
    logIfOpen(end, test: nil)
  }

  func logIfOpen(_ payload: some LogPayload, test: TestCaseID?) {
    guard !isForked, let log = state.withLock({ $0.log }) else { return }
    do {
      try log.append(payload, test: test)
    } catch {
      complain("\(error) What the tests recorded is incomplete.")
    }
  }

  // MARK: - The run's folder

  private func openIfNeeded() -> Bool {
    let outcome: Result<Bool, any Error> = state.withLock { state in
      guard state.log == nil, !state.hasFailed else { return .success(false) }
      do {
        let opened = try openRun()
        state.run = opened
        state.log = try LogFile(for: processHeader(), in: opened)
        return .success(true)
      } catch {
        state.hasFailed = true
        return .failure(error)
      }
    }
    switch outcome {
    case .success(let isNew):
      if isNew { complainAboutSettings() }
      return isNew
    case .failure(let error):
      complain("\(error) Nothing is recorded of these tests.")
      return false
    }
  }

  private func beginAgainIfRemoved() {
    if isForked { return }
    let removed: (path: String, failure: (any Error)?)? = state.withLock { state in
      guard let log = state.log, !log.isInPlace else { return nil }
      let path = state.run?.path ?? ""
      (state.log, state.run) = (nil, nil)
      do {
        let opened = try openRun()
        state.log = try LogFile(for: processHeader(), in: opened)
        state.run = opened
        return (path, nil)
      } catch {
        state.hasFailed = true
        return (path, error)
      }
    }
    guard let removed else { return }
    let loss = "\(removed.path) was removed while the tests of its run ran: what was recorded there is lost."
    if let failure = removed.failure { return tellRemoval("\(loss) \(failure) Nothing more is recorded.") }
    tellRemoval("\(loss) A new folder was begun.")
    logIfOpen(
      CaptureFailure(
        kind: .directory, name: "the run's folder", source: removed.path, reason: .io, message: loss),
      test: nil)
    state.withLock { $0.afterNewFolder }?()
  }

  private func openRun() throws -> RunFolder {
    let identity = RunIdentity.current(name: settings.runName)
    let opened = try RunFolder.open(identity, in: settings.artifacts)
    guard opened.isNew else { return opened.folder }
    let manifest = RunManifest(
      run: identity, folder: opened.folder, packageFolder: settings.packageFolder,
      variable: RecorderSettings.environmentVariable)
    try manifest.write(to: opened.folder)
    _ = RunPruning().prune(settings.artifacts, current: opened.folder)
    return opened.folder
  }

  private func processHeader() -> ProcessHeader {
    let process = ProcessIdentity.current ?? ProcessIdentity(pid: getpid(), startTicks: 0)
    let executable = CommandLine.arguments.first?.utf8.split(separator: UInt8(ascii: "/")).last
    return ProcessHeader(
      pid: process.pid, startTicks: process.startTicks,
      executable: executable.map { String(Substring($0)) } ?? "",
      boot: currentBoot, frameworks: functions.isHeard ? [.xctest, .swiftTesting] : [.xctest])
  }

  // MARK: - Evidence

  func drop(_ paths: [String], of scope: TestScope) {
    guard !paths.isEmpty, !isForked else { return }
    for error in Budget.remove(paths, from: run) { complain(error.description) }
    guard let folder = scope.state.withLock({ $0.evidenceFolder }) else { return }
    rmdir(folder.path)
  }

  // MARK: - Standard error

  /// Prints once in a run where its evidence is.
  func announce() {
    guard let run else { return }
    do throws(SystemError) {
      try FileSystem.writeNewFile(run.path + "/.announced", [])
    } catch {
      return
    }
    #if compiler(>=6.1)
      let report = "swift run reporter report"
    #else
      // It builds with Swift 6.1 and later.
      let report = "reporter report"
    #endif
    let advice = settings.isReported ? "" : " Report: \(report)"
    write("Tests failed; what they left is in \(relative(run.path)).\(advice)")
  }

  private func complainAboutSettings() {
    var sentences = settings.unknownWords
    if !settings.unreadable.isEmpty {
      let names = settings.unreadable.joined(separator: ", $")
      sentences.insert("$\(names) is no number of bytes; the default is used.", at: 0)
    }
    if !sentences.isEmpty { complain(sentences.joined(separator: " ")) }
  }

  func complainAboutThread() {
    complain(
      "A test failed on a thread with little stack, and the process may start no other; it is not recorded.")
  }

  /// Printed even after another complaint.
  private func tellRemoval(_ sentence: String) {
    let isFirst = state.withLock { state in
      defer { (state.hasComplained, state.hasToldRemoval) = (true, true) }
      return !state.hasToldRemoval
    }
    if isFirst { write(sentence) }
  }

  private func complain(_ sentence: String) {
    let isFirst = state.withLock { state in
      defer { state.hasComplained = true }
      return !state.hasComplained
    }
    if isFirst { write(sentence) }
  }

  private func write(_ line: String) {
    try? FileSystem.write(Array("Exhibit: \(line)\n".utf8), to: STDERR_FILENO, path: "standard error")
  }

  private func relative(_ path: String) -> String {
    let prefix = settings.packageFolder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
