import Collector
import Foundation
import ReportModel

/// One test process's output within that of `swift test`.
///
/// In Swift 6.3, XCTest begins with `Test Suite 'All tests' started at` or `'Selected tests'`, Swift Testing
/// with `Test run started.`; `--parallel` prints one process after another.
struct ProcessOutput: Sendable, Equatable {
  /// Without module.
  private(set) var runningXCTest: TestCaseID?
  let isSwiftTesting: Bool
  let lines: [String]
}

/// Collects outputs of processes that did not end: the last of each running XCTest, and those of Swift Testing.
struct ProcessOutputs {
  private struct Key: Hashable {
    var runningXCTest: TestCaseID?
    var isSwiftTesting: Bool
  }

  private var current: Key?
  private var places: [Range<Int>] = []
  private var stopped: [(key: Key, places: [Range<Int>])] = []
  private var indices: [Key: Int] = [:]
  private static let mostOutputs = 1000

  private static let longestLine = 4096
  /// Enough for the lines before a backtrace and its first frames.
  private static let mostLines = 2000

  mutating func add(_ line: ConsoleLine, _ event: ConsoleEvent?, at place: Range<Int>) {
    if case .began(let framework) = event {
      close()
      current = Key(isSwiftTesting: framework == .swiftTesting)
    }
    guard current != nil else { return }
    places.append(place.lowerBound..<min(place.upperBound, place.lowerBound + Self.longestLine))
    if places.count > 2 * Self.mostLines { places.removeFirst(Self.mostLines) }
    switch event {
    // Tests can print such lines too.
    case .endedXCTests: if current?.isSwiftTesting == false, current?.runningXCTest == nil { drop() }
    case .counts(let counts) where counts.framework == .swiftTesting:
      if current?.isSwiftTesting == true { drop() }
    case .started(let test) where test.framework == .xctest:
      current?.runningXCTest = test.id.withoutModule
      // What earlier tests printed, maybe of a helper that died, is not its own.
      places.removeFirst(places.count - 1)
    case .ended(let test, _, _, _) where test.id.withoutModule == current?.runningXCTest:
      current?.runningXCTest = nil
    default: break
    }
  }

  private mutating func drop() { (current, places) = (nil, []) }

  private mutating func close() {
    if let current {
      if let index = indices[current], !current.isSwiftTesting || stopped.count >= Self.mostOutputs {
        stopped[index].places = places
      } else {
        indices[current] = stopped.count
        stopped.append((current, places))
      }
    }
    drop()
  }

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
