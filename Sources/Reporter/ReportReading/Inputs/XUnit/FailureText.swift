import Collector
import Foundation
import ReportModel

/// Reads a `<failure>`'s text, which may have a location or the test's console.
///
/// Sources: xcbeautify, xcpretty, fastlane's trainer, and SwiftPM with
/// `--experimental-xunit-message-failure`.
struct FailureText {
  private(set) var issues: [TestIssue] = []
  private(set) var output = ""

  /// - Parameters:
  ///   - summary: The attribute `message`.
  ///   - own: From its attributes.
  ///   - location: The test's.
  init(_ summary: String, _ text: String, own: SourceReference?, location: SourceReference?) {
    for console in [summary, text] where Self.isConsole(console) {
      readConsole(console)
      if !issues.isEmpty { return }
    }
    output = ""
    let text = text.withoutSpaceAround
    if !summary.isEmpty, let place = Self.place(text.utf8[...]) {
      add(summary, at: own ?? place)
      return
    }
    let isInText = text.isEmpty ? summary.isEmpty : text.contains(summary)
    let head = Self.withoutPlace(isInText ? text : summary)
    let rest = isInText || text.isEmpty ? "" : "\n" + text
    add(head.message + rest, at: own ?? head.place ?? location)
  }

  private mutating func add(_ message: String, at place: SourceReference?) {
    issues.append(
      TestIssue(message: message.withoutSpaceAround, location: place, severity: .error, isKnown: false))
  }

  // MARK: - XCTest's console

  private static func isConsole(_ text: String) -> Bool {
    runnersLines.contains { text.hasPrefix($0) } || !text.places(of: "\nTest Case '").isEmpty
  }

  private static let runnersLines = ["Test Suite '", "Test Case '", "\t Executed "]

  private mutating func readConsole(_ console: String) {
    var isInIssue = false
    for line in textLines(of: console) {
      if let issue = Self.issue(line) {
        issues.append(issue)
        isInIssue = true
      } else if Self.runnersLines.contains(where: { line.hasPrefix($0) })
        || line.firstRange(of: " : Test skipped: ") != nil
      {
        isInIssue = false
      } else if isInIssue {
        issues[issues.count - 1].message += "\n\(line)"
      } else {
        output += "\(line)\n"
      }
    }
    for index in issues.indices {
      // XCTest writes this without a comment.
      let message = issues[index].message
      issues[index].message = String(message.dropLast(message.hasSuffix(" - ") ? 3 : 0))
        .trimmingCharacters(in: .newlines)
    }
    if output.allSatisfy(\.isWhitespace) { output = "" }
  }

  /// Reads `/T.swift:25: error: XT.testFail : failed`, or with `-[Tests.XT testFail]`.
  private static func issue(_ line: Substring) -> TestIssue? {
    guard let error = line.firstRange(of: ": error: "),
      let colon = line[error.upperBound...].firstRange(of: " : "),
      let number = line[..<error.lowerBound].lastIndex(of: ":"),
      let row = Int(line[line.index(after: number)..<error.lowerBound])
    else { return nil }
    let file: String? = String(line[..<number])
    return TestIssue(
      message: String(line[colon.upperBound...]), location: SourceReference(file: file, line: row),
      severity: .error, isKnown: false)
  }

  // MARK: - Places

  private static let kinds: Set = ["swift", "m", "mm", "c", "cc", "cpp", "cxx", "h"]
  private static let longestPlace = 4096
  private static let mostTries = 16

  /// Removes `at T.swift:9: ` or `T.swift:9 - ` before a message, ` (T.swift:9)` or trainer's location after
  /// it.
  private static func withoutPlace(_ message: String) -> (message: String, place: SourceReference?) {
    let all = message.utf8
    if all.last == UInt8(ascii: ")"), let opening = all.suffix(longestPlace).lastIndex(of: UInt8(ascii: "(")),
      let place = place(all[all.index(after: opening)...].dropLast())
    {
      return (String(message[..<opening]), place)
    }
    let line = (message.hasPrefix("at ") ? all.dropFirst(3) : all[...]).prefix(longestPlace)
      .prefix { $0 != UInt8(ascii: "\n") }
    var (search, tries) = (line, 0)
    while let colon = search.firstIndex(of: UInt8(ascii: ":")) {
      search = search[all.index(after: colon)...]
      let numbers = search.prefix { $0.isDigit || $0 == UInt8(ascii: ":") }
      guard numbers.first?.isDigit == true else { continue }
      let end = numbers.last == UInt8(ascii: ":") ? all.index(before: numbers.endIndex) : numbers.endIndex
      let rest = message[end...]
      guard let sign = [": ", " - ", "\n"].first(where: { rest.hasPrefix($0) }) else { continue }
      tries += 1
      if tries > mostTries { break }
      guard let place = place(line[..<end]) else { continue }
      return (String(rest.dropFirst(sign.count)), place)
    }
    return (message, nil)
  }

  /// Reads `Tests/T.swift:9`, `T.swift:9:12`, or
  /// `/T.swift#CharacterRangeLen=0&EndingLineNumber=15&StartingLineNumber=15`.
  private static func place(_ text: Substring.UTF8View) -> SourceReference? {
    guard text.count <= longestPlace, !text.contains(UInt8(ascii: "\n")) else { return nil }
    let whole = Substring(text)
    let path: Substring
    let row: Int?
    if let sign = whole.lastIndex(of: "#"), let key = whole[sign...].firstRange(of: "StartingLineNumber=") {
      path = whole[..<sign]
      row = Int(whole[key.upperBound...].prefix { $0.isASCII && $0.isNumber })
    } else {
      let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
      let numbers = parts.reversed().prefix(2).prefix { Int($0) != nil }.count
      guard numbers > 0, parts.count > numbers else { return nil }
      row = Int(parts[parts.count - numbers])
      path = whole[..<parts[parts.count - numbers - 1].endIndex]
    }
    guard let row, row > 0, let dot = path.lastIndex(of: "."),
      kinds.contains(String(path[path.index(after: dot)...]))
    else { return nil }
    let file = path.hasPrefix("file://") ? path.dropFirst("file://".count) : path
    return SourceReference(file: String(file), line: row)
  }
}

extension String {
  /// Trims white space; Foundation is slow even without any.
  fileprivate var withoutSpaceAround: String {
    guard let first = utf8.first, let last = utf8.last else { return self }
    let isTrimmed = (0x21..<0x80).contains(first) && (0x21..<0x80).contains(last)
    return isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
