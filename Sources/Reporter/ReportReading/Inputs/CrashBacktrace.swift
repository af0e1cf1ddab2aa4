import Collector
import Foundation
import ReportModel

/// The functions on crashed threads' stacks, as Swift's backtracer prints them.
///
/// Swift 6.3 with `SWIFT_BACKTRACE=enable=yes,interactive=no,color=no` prints `Thread 4 "name" crashed:`,
/// then `  3 [ra] 0x000055… Orders.add() + 556 in Tests.xctest at /…/File.swift:3:1`.
struct CrashBacktrace: Sendable, Equatable {
  private var functions: [String] = []
  private var isCrashed = false

  var isEmpty: Bool { functions.isEmpty }

  mutating func add(_ line: ConsoleLine) {
    if line.begins(with: "Thread ") { isCrashed = line.ends(with: " crashed:") }
    if line.begins(with: "Registers:") || line.begins(with: "Images ") { isCrashed = false }
    if isCrashed, let function = Self.function(ofFrame: line.text) { functions.append(function) }
  }

  /// True where a frame is the test, or a closure or thunk of it.
  func names(_ test: TestCaseID) -> Bool { functions.contains(where: test.isFunction) }

  static func function(ofFrame text: String) -> String? {
    guard let address = text.firstRange(of: " 0x") else { return nil }
    let rest = text[address.upperBound...].drop { $0.isHexDigit }.drop { $0 == " " }
    guard let end = rest.ranges(of: " in ").last(where: { rest[$0.upperBound...].isModule }) else {
      return nil
    }
    let symbol = rest[..<end.lowerBound]
    guard let plus = symbol.ranges(of: " + ").last else { return String(symbol) }
    return String(symbol[..<plus.lowerBound])
  }
}

extension Substring {
  fileprivate var isModule: Bool {
    let name = prefix { $0 != " " }
    return name.hasSuffix(".xctest") || name.contains(".so")
  }
}

package struct FatalErrorPlace: Sendable, Equatable {
  package var module: Substring
  package var file: Substring
  package var line: Int
  /// `Fatal error: …`, or what else ended it.
  package var message: String

  /// Reads `Module/File.swift:12: Fatal error: …`, also of preconditions.
  package init?(_ text: String) {
    // A regular expression is 60 times slower.
    let text = Substring(text)
    let module = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let file = text[module.endIndex...].dropFirst().prefix { $0 != "/" && $0 != ":" }
    let digits = text[file.endIndex...].dropFirst().prefix { $0.isASCII && $0.isNumber }
    let rest = text[digits.endIndex...]
    guard !module.isEmpty, text[module.endIndex...].hasPrefix("/"), !file.isEmpty,
      text[file.endIndex...].hasPrefix(":"), let line = Int(digits),
      Self.ends.contains(where: rest.hasPrefix)
    else { return nil }
    (self.module, self.file, self.line) = (module, file, line)
    message = String(rest.dropFirst(2))
  }

  private static let ends = [": Fatal error", ": Precondition failed", ": Assertion failed"]

  fileprivate func follows(_ observation: Observation) -> Bool {
    guard let place = observation.location, let start = place.line else { return false }
    return observation.id.module == module && place.file.split(separator: "/").last == file && start <= line
  }
}

extension Observation {
  /// True without a recorded end; ends come with durations.
  fileprivate var isOpen: Bool { outcome == .unfinished || outcome == .failed && duration == nil }
}

extension InputTests {
  /// Marks the last test that begins above a fatal error as crashed, unless a backtrace named one.
  mutating func applyFatalErrors(_ places: [FatalErrorPlace]) {
    guard !endedProperly else { return }
    for place in places {
      let start = observations.filter(place.follows).compactMap(\.location?.line).max()
      let named = observations.indices.filter {
        place.follows(observations[$0]) && observations[$0].location?.line == start
      }
      let hasCrashed = observations.contains { $0.outcome == .crashed && $0.id.module == place.module }
      guard named.count == 1, observations[named[0]].isOpen, !hasCrashed else { continue }
      observations[named[0]].outcome = OutcomeTable.ofNamedInBacktrace(observations[named[0]].outcome)
    }
  }

  /// - Parameter signals: Those by which processes ended.
  mutating func applyOutputs(_ stopped: [ProcessOutput], signals: Set<Int> = []) {
    let open = observations.indices.filter {
      observations[$0].outcome == .crashed || observations[$0].outcome == .unfinished
    }
    let running = open.filter { observations[$0].framework == .swiftTesting }
    let crashed = running.filter { observations[$0].outcome == .crashed }
    let ofXCTest = Dictionary(grouping: open.filter { observations[$0].framework == .xctest }) {
      observations[$0].id.withoutModule
    }
    let isOnlyOne = stopped.count(where: \.isSwiftTesting) == 1
    for output in stopped {
      guard let crash = CrashOutput(output, signals: signals) else { continue }
      // The tests that its stack names, the crashed ones, or else all running ones.
      var named = output.runningXCTest.map { ofXCTest[$0] ?? [] } ?? []
      if output.isSwiftTesting {
        named = crashed.filter { index in
          crash.frames.contains { observations[index].id.isFunction(named: $0.function) }
        }
        if named.isEmpty, isOnlyOne { named = crashed.isEmpty ? running : crashed }
      }
      for index in named { observations[index].crash = crash }
    }
  }

  /// Marks the one running test in the backtrace as crashed; cases of a function look alike there.
  mutating func applyBacktrace(_ backtrace: CrashBacktrace) {
    guard !endedProperly, !backtrace.isEmpty else { return }
    let named = observations.indices.filter {
      observations[$0].isOpen && backtrace.names(observations[$0].id)
    }
    guard named.count == 1 else { return }
    observations[named[0]].outcome = OutcomeTable.ofNamedInBacktrace(observations[named[0]].outcome)
  }
}
