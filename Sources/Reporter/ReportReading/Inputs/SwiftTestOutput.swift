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
  private(set) var backtrace: CrashBacktrace
  /// The places where tests ended the process themselves, `Module/File.swift:12: Fatal error: …`.
  private(set) var fatalErrors: [FatalErrorPlace] = []
  /// The output of processes that stopped before their end.
  private(set) var stopped: [ProcessOutput]

  /// Reads the lines of SwiftPM 6.3 and XCTest 6.3.
  ///
  /// They are `error: Process '…' exited with unexpected signal code 4` and `Executed 3 tests, with 1 failure …`.
  init(_ file: LoadedFile) {
    name = file.name
    backtrace = CrashBacktrace(file.bytes)
    stopped = ProcessOutput.stopped(in: file.bytes)
    var isAfterAll = false
    for line in file.bytes.split(separator: UInt8(ascii: "\n")) where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      // SwiftPM's line can begin in the middle of another, because both streams are joined here.
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
      isAfterAll = ProcessOutput.endsAllXCTests(text)
      if let count = Self.number(after: " Test run with ", in: text) {
        add(count, of: .swiftTesting)
      }
      if text.contains(": error while loading shared libraries: "), !unstarted.contains(text) {
        unstarted.append(text)
      }
    }
  }

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
