import Collector
import ExhibitSystem
import Foundation

/// What only the output of `swift test` tells: that a process died and where, and that XCTests ran.
struct SwiftTestOutput: Sendable, Equatable {
  /// What messages call it.
  var name: String
  /// The signals that ended test processes.
  private(set) var signals: [Int] = []
  /// How many XCTests the largest summary speaks of.
  private(set) var executedXCTests = 0
  /// How many tests the summaries of all test processes speak of, together.
  private(set) var summarised: [TestFramework: Int] = [:]
  /// What the loader said of test processes that could not be started, each once: one runs for each framework.
  private(set) var unstarted: [String] = []
  /// Who crashed, where the backtracer told.
  private(set) var backtrace: CrashBacktrace
  /// Where tests ended the process themselves, `Module/File.swift:12: Fatal error: …`.
  private(set) var fatalErrors: [FatalErrorPlace] = []
  /// What processes printed that stopped before their end.
  private(set) var stopped: [ProcessOutput]

  /// Reads the lines that SwiftPM 6.3 and XCTest 6.3 write: `error: Process '…' exited with unexpected signal
  /// code 4` and `Executed 3 tests, with 1 failure …`.
  init(_ file: LoadedFile) {
    name = file.name
    backtrace = CrashBacktrace(file.bytes)
    stopped = ProcessOutput.stopped(in: file.bytes)
    var isAfterAll = false
    for line in file.bytes.split(separator: UInt8(ascii: "\n")) where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      // SwiftPM's line can begin in the middle of another: both streams are one here.
      if text.contains("error: Process '"),
        let signal = Self.number(after: "' exited with unexpected signal code ", in: text)
      {
        signals.append(signal)
      }
      if let place = FatalErrorPlace(text) { fatalErrors.append(place) }
      if text.hasPrefix("\t Executed "), let count = Self.number(after: "\t Executed ", in: text) {
        executedXCTests = max(executedXCTests, count)
        if isAfterAll { add(count, of: .xctest) }
      }
      isAfterAll = Self.endsAllXCTests(text)
      if let count = Self.number(after: " Test run with ", in: text) {
        add(count, of: .swiftTesting)
      }
      if text.contains(": error while loading shared libraries: "), !unstarted.contains(text) {
        unstarted.append(text)
      }
    }
  }

  /// A test can print what looks like a summary, with any number.
  private mutating func add(_ count: Int, of framework: TestFramework) {
    let (sum, isTooLarge) = summarised[framework, default: 0].addingReportingOverflow(count)
    summarised[framework] = isTooLarge ? .max : sum
  }

  /// Whether it is the end of what a process had to run, for which XCTest has two names.
  private static func endsAllXCTests(_ line: String) -> Bool {
    let names = ["All tests", "Selected tests"]
    return names.contains { name in
      line.hasPrefix("Test Suite '\(name)' passed at ") || line.hasPrefix("Test Suite '\(name)' failed at ")
    }
  }

  private static func number(after words: String, in text: String) -> Int? {
    guard let end = text.range(of: words, options: .backwards)?.upperBound else { return nil }
    return Int(text[end...].prefix { $0.isNumber })
  }
}
