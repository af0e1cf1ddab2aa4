import Collector
import Foundation

/// Facts that only the output of `swift test` has: a process died and where, and XCTests ran.
struct SwiftTestOutput: Sendable, Equatable {
  /// The name in messages.
  var name: String
  /// The signals that ended test processes.
  private(set) var signals: [Int] = []
  /// The number of XCTests in the largest summary.
  private(set) var executedXCTests = 0
  /// The number of tests in the summaries of all test processes together.
  private(set) var summarised: [TestFramework: Int] = [:]
  /// The loader's messages on test processes that could not be started, each once; each framework starts one.
  private(set) var unstarted: [String] = []
  /// The functions that crashed, if the backtracer printed them.
  private(set) var backtrace = CrashBacktrace()
  /// The places where tests ended the process themselves, `Module/File.swift:12: Fatal error: …`.
  private(set) var fatalErrors: [FatalErrorPlace] = []
  /// The output of processes that stopped before their end.
  private(set) var stopped: [ProcessOutput] = []

  /// Reads the lines of SwiftPM 6.3, `error: Process '…' exited with unexpected signal code 4`, and of the frameworks.
  ///
  /// - Parameter body: Receives each line and what it says of tests.
  init(_ file: LoadedFile, _ body: (ConsoleEvent?, ConsoleLine) -> Void = { _, _ in }) {
    name = file.name
    var outputs = ProcessOutputs()
    var isAfterAll = false
    ConsoleLine.read(file.bytes) { line, place in
      let event = ConsoleEvent(line)
      outputs.add(line, event, at: place)
      body(event, line)
      guard !line.isEmpty, line.count < 1 << 16 else { return }
      backtrace.add(line)
      note(line)
      if case .counts(let counts) = event { note(counts, isAfterAll: isAfterAll) }
      isAfterAll = event == .endedXCTests
    }
    stopped = outputs.finish(file.bytes)
  }

  private mutating func note(_ line: ConsoleLine) {
    // SwiftPM's line can begin in the middle of another, because both streams are joined here.
    if line.contains("error: Process '"),
      let signal = Self.number(after: "' exited with unexpected signal code ", in: line.text)
    {
      signals.append(signal)
    }
    if line.beginsLikeAPlace, let place = FatalErrorPlace(line.text) {
      fatalErrors.append(place)
      if fatalErrors.count > 2 * Self.mostFatalErrors { fatalErrors.removeFirst(Self.mostFatalErrors) }
    }
    if line.contains(": error while loading shared libraries: "), unstarted.count < Self.mostUnstarted {
      let text = line.text
      if !unstarted.contains(text) { unstarted.append(text) }
    }
  }

  private mutating func note(_ counts: ConsoleCounts, isAfterAll: Bool) {
    guard counts.framework == .xctest else { return add(counts.tests, of: .swiftTesting) }
    executedXCTests = max(executedXCTests, counts.tests)
    if isAfterAll { add(counts.tests, of: .xctest) }
  }

  /// The last ones are kept, since a test can print any number.
  private static let mostFatalErrors = 1000
  /// There are as many processes of a run as it has targets and frameworks.
  private static let mostUnstarted = 100

  /// Adds to a sum without overflow, since a test can print something like a summary with any number.
  private mutating func add(_ count: Int, of framework: TestFramework) {
    let (sum, isTooLarge) = summarised[framework, default: 0].addingReportingOverflow(count)
    summarised[framework] = isTooLarge ? .max : sum
  }

  private static func number(after words: String, in text: String) -> Int? {
    guard let end = text.range(of: words, options: .backwards)?.upperBound else { return nil }
    return Int(text[end...].prefix { $0.isNumber })
  }
}
