import Foundation
import ReportModel

/// The output of one test process, as far as the output of `swift test` separates it.
///
/// Source: recorded with Swift 6.3: XCTest begins with `Test Suite 'All tests' started at`, or `'Selected tests'`,
/// Swift Testing with `Test run started.`; with `--parallel` SwiftPM prints one process's output after another.
struct ProcessOutput: Sendable, Equatable {
  /// The XCTest that had begun and not ended, `OrderTests.testFail`; `nil` in Swift Testing.
  private(set) var runningXCTest: String?
  let isSwiftTesting: Bool
  let lines: [String]
}

/// Finds the outputs of processes that stopped before their end, of those with the same test the last one.
struct ProcessOutputs {
  private struct Key: Hashable {
    var runningXCTest: String?
    var isSwiftTesting: Bool
  }

  private var current: Key?
  /// The places of its last lines.
  private var places: [Range<Int>] = []
  private var stopped: [(key: Key, places: [Range<Int>])] = []
  private var indices: [Key: Int] = [:]

  /// Bytes; longer lines are cut.
  private static let longestLine = 4096
  /// The lines that are kept of a process: the first of a backtrace, and as many before it.
  private static let mostLines = 2000

  /// Takes the next line.
  mutating func add(_ line: ConsoleLine, at place: Range<Int>) {
    let isSwiftTesting = line.ends(with: "Test run started.")
    if isSwiftTesting || line.isOfAllXCTests(" started at ") {
      close()
      current = Key(isSwiftTesting: isSwiftTesting)
    }
    guard current != nil else { return }
    places.append(place.lowerBound..<min(place.upperBound, place.lowerBound + Self.longestLine))
    // Waiting for twice the number before lines are removed keeps the cost of a line constant.
    if places.count > 2 * Self.mostLines { places.removeFirst(Self.mostLines) }
    if line.endsAllXCTests || line.contains("Test run with ") && line.contains(" after ") { drop() }
    if line.begins(with: "Test Case '") { note(line.text) }
  }

  private mutating func note(_ line: String) {
    guard let end = line.firstRange(of: "' ") else { return }
    let word = line[end.upperBound...]
    if word.hasPrefix("started at ") {
      current?.runningXCTest = String(line[..<end.lowerBound].dropFirst("Test Case '".count))
    } else if ["passed (", "failed (", "skipped ("].contains(where: word.hasPrefix) {
      current?.runningXCTest = nil
    }
  }

  private mutating func drop() { (current, places) = (nil, []) }

  private mutating func close() {
    if let current {
      if let index = indices[current] {
        stopped[index].places = places
      } else {
        indices[current] = stopped.count
        stopped.append((current, places))
      }
    }
    drop()
  }

  /// - Parameter bytes: Those that the lines were read of.
  mutating func finish(_ bytes: Data) -> [ProcessOutput] {
    close()
    return stopped.map { key, places in
      let lines = places.map { place in
        String(
          decoding: bytes[(bytes.startIndex + place.lowerBound)..<(bytes.startIndex + place.upperBound)],
          as: UTF8.self)
      }
      return ProcessOutput(
        runningXCTest: key.runningXCTest, isSwiftTesting: key.isSwiftTesting, lines: lines)
    }
  }
}

extension ConsoleLine {
  /// True for the end of all XCTests of a process, which has two names.
  var endsAllXCTests: Bool { isOfAllXCTests(" passed at ") || isOfAllXCTests(" failed at ") }

  fileprivate func isOfAllXCTests(_ words: StaticString) -> Bool {
    (begins(with: "Test Suite 'All tests'") || begins(with: "Test Suite 'Selected tests'")) && contains(words)
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
