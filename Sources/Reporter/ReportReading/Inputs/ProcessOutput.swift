import Foundation
import ReportModel

/// The output of one test process, as far as the output of `swift test` separates it.
///
/// Source: recorded with Swift 6.3: XCTest begins with `Test Suite 'All tests' started at`, or `'Selected tests'`,
/// Swift Testing with `Test run started.`; with `--parallel` SwiftPM prints one process's output after another.
struct ProcessOutput: Sendable, Equatable {
  /// The XCTest that had begun and not ended, `OrderTests.testFail`; `nil` in Swift Testing.
  private(set) var runningXCTest: String?
  private(set) var isSwiftTesting: Bool
  private(set) var lines: [String] = []
  private var hasEnded = false

  /// The outputs of processes that stopped before their end.
  static func stopped(in output: Data) -> [ProcessOutput] {
    var found: [ProcessOutput] = []
    for line in output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let text = String(decoding: line.prefix(longestLine), as: UTF8.self)
      let isSwiftTesting = text.hasSuffix("Test run started.")
      if isSwiftTesting || topSuites.contains(where: { text.hasPrefix($0 + " started at ") }) {
        if found.last?.hasEnded == true { found.removeLast() }
        found.append(ProcessOutput(isSwiftTesting: isSwiftTesting))
      }
      if !found.isEmpty { found[found.count - 1].add(text) }
    }
    return found.filter { !$0.hasEnded }
  }

  /// True for the end of all XCTests of a process, which has two names.
  static func endsAllXCTests(_ line: String) -> Bool {
    topSuites.contains { line.hasPrefix($0 + " passed at ") || line.hasPrefix($0 + " failed at ") }
  }

  private static let topSuites = ["Test Suite 'All tests'", "Test Suite 'Selected tests'"]
  /// Bytes; longer lines are cut.
  private static let longestLine = 4096
  /// The lines that are kept of a process: the first of a backtrace, and as many before it.
  private static let mostLines = 2000

  private mutating func add(_ line: String) {
    lines.append(line)
    // Waiting for twice the number before lines are removed keeps the cost of a line constant.
    if lines.count > 2 * Self.mostLines { lines.removeFirst(Self.mostLines) }
    if line.contains("Test run with ") && line.contains(" after ") { hasEnded = true }
    if Self.endsAllXCTests(line) { hasEnded = true }
    guard line.hasPrefix("Test Case '"), let end = line.firstRange(of: "' ") else { return }
    let name = String(line[line.index(line.startIndex, offsetBy: 11)..<end.lowerBound])
    let word = line[end.upperBound...]
    if word.hasPrefix("started at ") { runningXCTest = name }
    if word.hasPrefix("passed (") || word.hasPrefix("failed (") || word.hasPrefix("skipped (") {
      runningXCTest = nil
    }
  }
}

extension CrashOutput {
  private static let mostLastLines = 60
  private static let mostFrames = 400

  /// - Returns: `nil` when nothing was printed.
  init?(_ output: ProcessOutput) {
    let lines = output.lines
    let start = lines.firstIndex { $0.hasPrefix("*** Signal ") || $0.hasPrefix("*** Program crashed:") }
    let last = lines[..<(start ?? lines.endIndex)].reversed().drop { $0.isEmpty }
    let lastLines = Array(last.prefix(Self.mostLastLines).reversed())
    let trace = lines[(start ?? lines.endIndex)...].prefix {
      !$0.hasPrefix("Registers:") && !$0.hasPrefix("Images ")
    }
    let backtrace = Array(trace.prefix(Self.mostFrames).reversed().drop { $0.isEmpty }.reversed())
    if lastLines.isEmpty && backtrace.isEmpty { return nil }
    self.init(lastLines: lastLines, backtrace: backtrace)
  }
}
