import Collector
import Foundation

/// Facts that only the output of `swift test` has.
struct SwiftTestOutput: Sendable, Equatable {
  var name: String
  private(set) var signals: [Int] = []
  /// Of the largest summary.
  private(set) var executedXCTests = 0
  private(set) var summarised: [TestFramework: Int] = [:]
  /// The loader's messages on processes that did not start.
  private(set) var unstarted: [String] = []
  /// One of each process that printed one, in their order.
  private(set) var backtraces: [CrashBacktrace] = []
  private(set) var fatalErrors: [FatalErrorPlace] = []
  private(set) var stopped: [ProcessOutput] = []

  /// Reads the lines of SwiftPM 6.3, such as `error: Process '…' exited with unexpected signal code 4`.
  init(_ file: LoadedFile, _ body: (ConsoleEvent?, ConsoleLine) -> Void = { _, _ in }) {
    name = file.name
    var outputs = ProcessOutputs()
    var isAfterAll = false
    ConsoleLine.read(file.bytes) { line, place in
      let event = ConsoleEvent(line)
      outputs.add(line, event, at: place)
      body(event, line)
      guard !line.isEmpty, line.count < 1 << 16 else { return }
      if line.begins(with: "*** Signal ") || backtraces.isEmpty, backtraces.count < Self.mostBacktraces {
        backtraces.append(CrashBacktrace())
      }
      backtraces[backtraces.count - 1].add(line)
      note(line)
      if case .counts(let counts) = event { note(counts, isAfterAll: isAfterAll) }
      isAfterAll = event == .endedXCTests
    }
    backtraces.removeAll(where: \.isEmpty)
    stopped = outputs.finish(file.bytes)
  }

  private mutating func note(_ line: ConsoleLine) {
    // Both streams are joined, so SwiftPM's line can begin within another.
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

  private static let mostFatalErrors = 1000
  private static let mostBacktraces = 1000
  private static let mostUnstarted = 100

  /// A test can print a huge summary.
  private mutating func add(_ count: Int, of framework: TestFramework) {
    let (sum, isTooLarge) = summarised[framework, default: 0].addingReportingOverflow(count)
    summarised[framework] = isTooLarge ? .max : sum
  }

  private static func number(after words: String, in text: String) -> Int? {
    guard let end = text.range(of: words, options: .backwards)?.upperBound else { return nil }
    return Int(text[end...].prefix { $0.isNumber })
  }
}
