import Collector
import ReportModel
import ReportReading

/// What failures that are alike have in common: how they ended, where, and what failed there.
///
/// Two failures can be alike and have two causes, so in doubt they are apart. Values are left out only where something
/// else tells that it is the same that failed: the words of an error or of the test's author, or one place in one test.
struct FailureSignature: Hashable, Sendable {
  private var outcome: Outcome
  /// What failed, in words.
  private var subject: String?
  /// Where the issue was recorded: in the test, or in what it called.
  private var place: SourceReference?
  /// The test that got there: the same assertion of a shared function compares other values for each of its callers.
  private var test: TestCaseID?

  init(of test: TestResult) {
    outcome = test.outcome
    if outcome == .crashed {
      place = test.crash?.fatalErrorPlace
      if place == nil { self.test = test.id.function }
    }
    guard let issue = test.leadingIssue, !issue.isPlaceholder else { return }
    let text = issue.message
    if let error = Self.thrownError(in: text) {
      // The place of a thrown error is where its test is declared.
      subject = foldingValues(in: error, foldsQuoted: test.id.argument != nil)
      if test.id.argument != nil { self.test = test.id.function }
      return
    }
    place = place ?? issue.location
    if Self.isAssertion(text) || test.id.argument != nil && issue.location != nil {
      self.test = test.id.function
    }
    let isOnePlace = self.test != nil && issue.location != nil
    subject = foldingValues(in: isOnePlace ? Self.expression(in: text) : text)
  }

  /// Whether no input tells what failed.
  var isUnexplained: Bool { subject == nil && place == nil && test == nil }

  /// What a test threw, in the wordings of XCTest and Swift Testing; `nil` for any other message.
  private static func thrownError(in text: String) -> String? {
    for opening in ["threw error \"", "Caught error: "] where text.utf8.starts(with: opening.utf8) {
      return String(text.dropFirst(opening.count))
    }
    return nil
  }

  /// Whether a message is a framework's own wording of a comparison, whose values are all that it tells.
  private static func isAssertion(_ text: String) -> Bool {
    let line = firstLine(text)
    return line.hasPrefix("XCT")
      || ["expect", "assert"].contains { !line.lowercased().places(of: $0).isEmpty }
  }

  /// The assertion and the expression that it is about: what precedes values and comments on the first line.
  private static func expression(in text: String) -> String {
    let line = firstLine(text)
    let ends = [" → ", " (error)", " (\"", " - "].compactMap { line.places(of: $0).first?.lowerBound }
    return String(line[..<(ends.min() ?? line.endIndex)])
  }
}

extension CrashOutput {
  /// Where the process ended itself, as the last such line says.
  fileprivate var fatalErrorPlace: SourceReference? {
    lastLines.lazy.compactMap { FatalErrorPlace($0) }.last.map {
      SourceReference(file: "\($0.module)/\($0.file)", line: $0.line)
    }
  }
}

/// The text with quoted texts, UUIDs, addresses and numbers each replaced by one sign.
///
/// Only the beginning of a long text is looked at.
///
/// - Parameter foldsQuoted: Whether quoted texts are among them; what is inside of those that are kept is folded.
func foldingValues(in text: String, foldsQuoted: Bool = true) -> String {
  let bytes = Array(text.utf8.prefix(longestFolded))
  var folded: [UInt8] = []
  folded.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    if let value = foldedValue(in: bytes, from: index, after: folded.last, foldsQuoted) {
      folded.append(contentsOf: value.sign)
      index = value.end
    } else {
      folded.append(bytes[index])
      index += 1
    }
  }
  return String(decoding: folded, as: UTF8.self)
}

/// Bytes.
private let longestFolded = 8 * 1024

private let quotedSign = Array("\"…\"".utf8)
private let numberSign = Array("#".utf8)

/// The value that begins here, if one does: where it ends and what stands for it.
private func foldedValue(
  in bytes: [UInt8], from start: Int, after previous: UInt8?, _ foldsQuoted: Bool
) -> (end: Int, sign: [UInt8])? {
  let byte = bytes[start]
  let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "'")
  if isQuote, foldsQuoted {
    // An apostrophe inside a word quotes nothing.
    if byte == UInt8(ascii: "'"), let previous, isWordByte(previous) { return nil }
    return quotedEnd(in: bytes, from: start).map { ($0, quotedSign) }
  }
  guard isWordByte(byte), previous.map(isWordByte) != true else {
    // A number inside a word, such as the 12 of `orders_12`.
    return isDigit(byte) ? (digitsEnd(in: bytes, from: start), numberSign) : nil
  }
  let end = bytes[start...].firstIndex { !isWordByte($0) && $0 != UInt8(ascii: "-") } ?? bytes.count
  if isUUID(bytes[start..<end]) || isAddress(bytes[start..<end]) { return (end, numberSign) }
  return isDigit(byte) ? (digitsEnd(in: bytes, from: start), numberSign) : nil
}

/// Behind the closing quote on the same line.
private func quotedEnd(in bytes: [UInt8], from start: Int) -> Int? {
  var index = start + 1
  while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
    if bytes[index] == bytes[start] { return index + 1 }
    index += 1
  }
  return nil
}

/// Behind digits, and a fraction if there is one.
private func digitsEnd(in bytes: [UInt8], from start: Int) -> Int {
  var index = start
  while index < bytes.count {
    let isPoint = bytes[index] == UInt8(ascii: ".") && index + 1 < bytes.count && isDigit(bytes[index + 1])
    guard isDigit(bytes[index]) || isPoint else { break }
    index += 1
  }
  return index
}

/// `8-4-4-4-12` hexadecimal digits.
private func isUUID(_ word: ArraySlice<UInt8>) -> Bool {
  guard word.count == 36 else { return false }
  let groups = word.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(isHexadecimal) }
}

/// `0x` and hexadecimal digits.
private func isAddress(_ word: ArraySlice<UInt8>) -> Bool {
  word.count > 2 && word.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")])
    && word.dropFirst(2).allSatisfy(isHexadecimal)
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isHexadecimal(_ byte: UInt8) -> Bool {
  isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}

private func isWordByte(_ byte: UInt8) -> Bool {
  isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
