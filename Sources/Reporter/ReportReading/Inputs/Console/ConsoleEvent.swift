import Collector
import Foundation
import ReportModel

/// What a line that `swift test` prints says.
///
/// Recorded with Swift 6.3 on Linux; Apple platforms print `-[Module.Class method]`.
enum ConsoleEvent: Equatable {
  case began(TestFramework)
  /// Their totals follow.
  case endedXCTests
  case counts(ConsoleCounts)
  case ran(TestCaseID, of: Int)
  case started(ConsoleTest)
  case ended(ConsoleTest, TestEnd.Outcome, seconds: Double?, reason: String?)
  case issue(ConsoleTest?, TestIssue)
  case skipReason(ConsoleTest, String)
  case detail(String)

  init?(_ line: ConsoleLine) {
    guard line.count < 1 << 16 else { return nil }
    if line.begins(with: "↳ ") {
      self = .detail(String(line.text.dropFirst(2)))
    } else if line.contains("Test ") || line.contains("Suite ") || line.contains("Testing ") {
      guard let event = Self.xctest(line.text) ?? Self.swiftTesting(line.text) else { return nil }
      self = event
    } else if line.begins(with: "\t Executed ") || line.contains(": error: ") {
      guard let event = Self.xctest(line.text) else { return nil }
      self = event
    } else {
      return nil
    }
  }
}

/// A test's printed name, without module, and in Swift Testing without suites.
struct ConsoleTest: Hashable {
  var framework: TestFramework
  var id: TestCaseID
  var displayName: String?
}

extension TestCaseID {
  var withoutModule: TestCaseID {
    var plain = self
    plain.module = ""
    return plain
  }
}

struct ConsoleCounts: Equatable {
  var framework: TestFramework
  var tests: Int
  var issues: Int
}

// MARK: - XCTest

extension ConsoleEvent {
  private static func xctest(_ text: String) -> ConsoleEvent? {
    if text.hasPrefix("\t Executed ") { return executed(text) }
    if let suite = text.range(of: "Test Suite '", options: .backwards) {
      return topSuite(text[suite.upperBound...])
    }
    // A test's output can precede it.
    if let begin = text.range(of: "Test Case '", options: .backwards) {
      return testCase(text[begin.upperBound...])
    }
    if text.hasPrefix("["), let event = testing(text) { return event }
    if let error = text.range(of: ": error: ") {
      guard let (test, message) = named(text[error.upperBound...]) else { return nil }
      let location = place(text[..<error.lowerBound])
      return .issue(test, TestIssue(message: message, location: location, severity: .error, isKnown: false))
    }
    guard let skip = text.range(of: " : Test skipped"),
      let colon = text[..<skip.lowerBound].range(of: ": ", options: .backwards),
      let (test, message) = named(text[colon.upperBound...])
    else { return nil }
    // ` - reason`, or `: threw error …`
    return .skipReason(test, String(message.dropFirst("Test skipped".count).drop { ": -".contains($0) }))
  }

  private static func topSuite(_ text: Substring) -> ConsoleEvent? {
    guard text.hasPrefix("All tests'") || text.hasPrefix("Selected tests'") else { return nil }
    if text.contains("' started at ") { return .began(.xctest) }
    return text.contains("' passed at ") || text.contains("' failed at ") ? .endedXCTests : nil
  }

  private static func executed(_ text: String) -> ConsoleEvent? {
    let words = text.split(separator: " ").map { $0.drop { $0 == "\t" } }.filter { !$0.isEmpty }
    guard words.count > 4, let tests = Int(words[1]), tests >= 0,
      let place = words.firstIndex(where: { $0 == "failure" || $0 == "failures" }), place > 0,
      let failures = Int(words[place - 1]), failures >= 0
    else { return nil }
    return .counts(ConsoleCounts(framework: .xctest, tests: tests, issues: failures))
  }

  private static func testCase(_ text: Substring) -> ConsoleEvent? {
    guard let end = text.range(of: "' ", options: .backwards), let test = xctestName(text[..<end.lowerBound])
    else {
      return nil
    }
    let words = text[end.upperBound...]
    if words.hasPrefix("started") { return .started(test) }
    let ends: [(String, TestEnd.Outcome)] = [
      ("passed (", .passed), ("failed (", .failed), ("skipped (", .skipped),
    ]
    guard let (word, outcome) = ends.first(where: { words.hasPrefix($0.0) }) else { return nil }
    return .ended(test, outcome, seconds: seconds(words.dropFirst(word.count)), reason: nil)
  }

  /// Reads `[6/10] Testing Module.Class/method`.
  private static func testing(_ text: String) -> ConsoleEvent? {
    guard let words = text.range(of: "] Testing "), let slash = text[..<words.lowerBound].firstIndex(of: "/"),
      let count = Int(text[..<words.lowerBound][slash...].dropFirst()),
      var id = TestCaseID(eventStreamID: String(text[words.upperBound...])), !id.name.hasSuffix(")")
    else { return nil }
    id.suite = id.suite.flatMap { $0.split(separator: ".").map(String.init) }
    return .ran(id, of: count)
  }

  /// Reads `Class.method : message`.
  private static func named(_ text: Substring) -> (ConsoleTest, message: String)? {
    guard let colon = text.range(of: " : "), let test = xctestName(text[..<colon.lowerBound]) else {
      return nil
    }
    return (test, String(text[colon.upperBound...]))
  }

  private static func xctestName(_ text: Substring) -> ConsoleTest? {
    var parts: [Substring]
    var module = ""
    if text.hasPrefix("-["), text.hasSuffix("]") {
      parts = text.dropFirst(2).dropLast().split(separator: " ").flatMap { $0.split(separator: ".") }
      if parts.count > 2 { module = String(parts.removeFirst()) }
    } else {
      parts = text.split(separator: ".", omittingEmptySubsequences: false)
    }
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }), let name = parts.popLast()
    else {
      return nil
    }
    return ConsoleTest(
      framework: .xctest, id: TestCaseID(module: module, suite: parts.map(String.init), name: String(name)))
  }

  private static func place(_ text: Substring, hasColumn: Bool = false) -> SourceReference? {
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if hasColumn { parts.removeLast() }
    guard parts.count > 1, let line = parts.popLast().flatMap({ Int($0) }) else { return nil }
    let file: String? = parts.joined(separator: ":")
    return SourceReference(file: file, line: line)
  }

  private static func seconds(_ text: Substring) -> Double? {
    Double(text.prefix { $0 != " " }).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }
}

// MARK: - Swift Testing

extension ConsoleEvent {
  private static let symbols = ["✘ ", "✔ ", "◇ ", "━ ", "➜ "]

  private static func swiftTesting(_ text: String) -> ConsoleEvent? {
    guard let words = words(text) else { return nil }
    if words.hasPrefix("Test run ") { return run(words.dropFirst("Test run ".count)) }
    if words.hasPrefix("Test case passing ") { return nil }
    let isSuite = words.hasPrefix("Suite ")
    guard isSuite || words.hasPrefix("Test ") else { return nil }
    let rest = words.dropFirst(isSuite ? 6 : 5)
    if let event = recorded(rest, isSuite: isSuite) { return event }
    return isSuite ? nil : state(rest)
  }

  /// The text behind the status symbol, which differs by platform.
  private static func words(_ text: String) -> Substring? {
    if let space = text.firstIndex(of: " "), !text[..<space].isEmpty,
      text[..<space].unicodeScalars.allSatisfy({ !$0.isASCII && !$0.properties.isAlphabetic })
    {
      let rest = text[space...].drop { $0 == " " }
      if rest.hasPrefix("Test ") || rest.hasPrefix("Suite ") { return rest }
    }
    let found = symbols.compactMap { text.range(of: $0 + "Test ") }.map(\.lowerBound).min()
    return found.map { text[$0...].dropFirst(2) }
  }

  private static func run(_ words: Substring) -> ConsoleEvent? {
    if words.hasPrefix("started") { return .began(.swiftTesting) }
    guard words.hasPrefix("with "), let after = words.range(of: " after "),
      let tests = Int(words.dropFirst(5).prefix { $0.isASCII && $0.isNumber })
    else { return nil }
    let end = words[after.upperBound...]
    let issues = end.range(of: " with ").map { end[$0.upperBound...] }
    // `with 20 issues (including 1 warning and 3 known issues)`, `with 1 warning and 1 known issue`
    let numbers = (issues?.prefix { $0 != "(" } ?? "").split(separator: " ").compactMap { Int($0) }
    let sum = numbers.reduce(0) { min($0 + min(max(0, $1), 1 << 40), 1 << 40) }
    return .counts(ConsoleCounts(framework: .swiftTesting, tests: tests, issues: sum))
  }

  private static func recorded(_ text: Substring, isSuite: Bool) -> ConsoleEvent? {
    let kinds = [("an issue", false, false), ("a known issue", true, false), ("a warning", false, true)]
    for (words, isKnown, isWarning) in kinds {
      guard let found = text.range(of: " recorded \(words)") else { continue }
      let rest = text[found.upperBound...]
      var (message, location) = (rest.drop { ": ".contains($0) }, SourceReference?.none)
      if let at = rest.range(of: " at "), let colon = rest[at.upperBound...].range(of: ": "),
        let found = place(rest[at.upperBound..<colon.lowerBound], hasColumn: true)
      {
        (message, location) = (rest[colon.upperBound...], found)
      }
      let issue = TestIssue(
        message: String(message), location: location, severity: isWarning ? .warning : .error,
        isKnown: isKnown)
      let name = text[..<found.lowerBound]
      return .issue(isSuite || name == "«unknown»" ? nil : test(name), issue)
    }
    return nil
  }

  private static func state(_ text: Substring) -> ConsoleEvent? {
    if text.hasSuffix(" started.") { return .started(test(text.dropLast(" started.".count))) }
    let ends: [(String, TestEnd.Outcome)] = [
      (" passed after ", .passed), (" failed after ", .failed), (" was cancelled after ", .skipped),
    ]
    let found = ends.compactMap { words, outcome in
      text.range(of: words, options: .backwards).map { (found: $0, outcome: outcome) }
    }
    if let (found, outcome) = found.max(by: { $0.found.lowerBound < $1.found.lowerBound }) {
      let rest = text[found.upperBound...]
      let reason = outcome == .skipped ? rest.range(of: ": ").map { unquoted(rest[$0.upperBound...]) } : nil
      return .ended(test(text[..<found.lowerBound]), outcome, seconds: seconds(rest), reason: reason)
    }
    if text.hasSuffix(" skipped.") {
      return .ended(test(text.dropLast(" skipped.".count)), .skipped, seconds: nil, reason: nil)
    }
    guard let found = text.range(of: " skipped: ") else { return nil }
    return .ended(
      test(text[..<found.lowerBound]), .skipped, seconds: nil, reason: unquoted(text[found.upperBound...]))
  }

  private static func test(_ text: Substring) -> ConsoleTest {
    var name = text
    if text.hasSuffix(" test cases") || text.hasSuffix(" test case"),
      let with = text.range(of: " with ", options: .backwards)
    {
      name = text[..<with.lowerBound]
    }
    let plain = unquoted(name)
    return ConsoleTest(
      framework: .swiftTesting, id: TestCaseID(module: "", suite: [], name: plain),
      displayName: plain.utf8.count == name.utf8.count ? nil : plain)
  }

  private static func unquoted(_ text: Substring) -> String {
    let isQuoted = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return String(isQuoted ? text.dropFirst().dropLast() : text)
  }
}
