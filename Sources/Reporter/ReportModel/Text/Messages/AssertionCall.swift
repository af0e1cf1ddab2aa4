/// An assertion's operands as the source has them.
package struct AssertionCall: Equatable {
  package var left: String
  package var right: String

  /// Reads the `XCTAssertEqual` that begins in the first of some source lines.
  ///
  /// - Returns: `nil` unless exactly one begins there and ends in these lines.
  package init?(in lines: some Sequence<String>) {
    let text = Array(lines.joined(separator: "\n").utf8.prefix(Self.longest))
    let firstLine = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    let calls = Self.openings(in: text).filter { $0 < firstLine }
    guard calls.count == 1, let arguments = Self.arguments(in: text, from: calls[0]) else { return nil }
    let operands = arguments.filter { !Self.isLabelled($0) }.map(Self.withoutEffects)
    guard operands.count >= 2, !operands[0].isEmpty, !operands[1].isEmpty else { return nil }
    (left, right) = (operands[0], operands[1])
  }

  private static let longest = 8000

  private static func openings(in text: [UInt8]) -> [Int] {
    let name = Array("XCTAssertEqual".utf8)
    var found: [Int] = []
    var scanner = SwiftScanner(text)
    while let place = scanner.next() {
      guard text[place] == name[0], place == 0 || !text[place - 1].isWord,
        text[place...].starts(with: name)
      else { continue }
      var end = place + name.count
      while end < text.count, text[end] == UInt8(ascii: " ") { end += 1 }
      if end < text.count, text[end] == UInt8(ascii: "(") { found.append(end) }
    }
    return found
  }

  private static func arguments(in text: [UInt8], from opening: Int) -> [String]? {
    var arguments: [String] = []
    var (argument, brackets): ([UInt8], [UInt8]) = ([], [])
    var (scanner, copied) = (SwiftScanner(text, from: opening), opening + 1)
    while let place = scanner.next() {
      if place > copied { argument += scanner.isComment ? [UInt8(ascii: " ")] : text[copied..<place] }
      copied = place + 1
      let byte = text[place]
      if let closing = closings[byte] {
        brackets.append(closing)
        if brackets.count == 1 { continue }
      } else if closings.values.contains(byte) {
        guard brackets.popLast() == byte else { return nil }
        if brackets.isEmpty { return arguments + [oneLine(argument)] }
      } else if byte == UInt8(ascii: ","), brackets.count == 1 {
        arguments.append(oneLine(argument))
        argument = []
        continue
      }
      argument.append(byte)
    }
    return nil
  }

  private static let closings: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
    UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]

  private static func oneLine(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func isLabelled(_ argument: String) -> Bool {
    let label = argument.utf8.prefix { $0.isWord }
    let rest = argument.utf8.dropFirst(label.count)
    return !label.isEmpty && rest.first == UInt8(ascii: ":")
  }

  private static func withoutEffects(_ argument: String) -> String {
    var text = argument[...]
    while let word = ["try ", "await "].first(where: { text.hasPrefix($0) }) {
      text = text.dropFirst(word.count)
    }
    return String(text)
  }
}

extension AssertionCall {
  /// True for an expression of literals, operators, commas and brackets.
  package static func isLiteral(_ expression: String) -> Bool {
    let text = Array(expression.utf8.prefix(longest))
    guard !text.isEmpty else { return false }
    var scanner = SwiftScanner(text)
    var (word, isText): ([UInt8], Bool) = ([], false)
    func isKnown(_ word: [UInt8]) -> Bool {
      word.isEmpty || word[0].isDigit
        || ["true", "false", "nil"].contains(String(decoding: word, as: UTF8.self))
    }
    var last = -1
    while let place = scanner.next() {
      if place > last + 1 {
        // An interpolation has an unknown value.
        if scanner.isComment || scanner.hasInterpolation { return false }
        isText = true
        guard isKnown(word) else { return false }
        word = []
      }
      last = place
      let byte = text[place]
      if byte.isWord
        || byte == UInt8(ascii: ".") && word.first?.isDigit ?? false
      {
        word.append(byte)
      } else {
        guard isKnown(word), signs.contains(byte) else { return false }
        word = []
      }
    }
    if last < text.count - 1 {
      if scanner.isComment || scanner.hasInterpolation { return false }
      isText = true
    }
    return isKnown(word) && (isText || text.contains { $0.isWord || $0 == UInt8(ascii: "[") })
  }

  private static let signs = Set("+-*/% ,:[]()".utf8)
}

/// Iterates over Swift source, skipping string literals and comments.
struct SwiftScanner {
  private let text: [UInt8]
  private var place: Int
  private(set) var isComment = false
  private(set) var hasInterpolation = false

  init(_ text: [UInt8], from place: Int = 0) { (self.text, self.place) = (text, place) }

  mutating func next() -> Int? {
    while place < text.count {
      if let end = commentEnd() {
        (place, isComment) = (end, true)
      } else if let end = textEnd() {
        (place, isComment) = (end, false)
      } else {
        defer { place += 1 }
        return place
      }
    }
    return nil
  }

  private func starts(_ wanted: StaticString, at place: Int) -> Bool {
    wanted.withUTF8Buffer { text[min(place, text.count)...].starts(with: $0) }
  }

  private func commentEnd() -> Int? {
    if starts("//", at: place) { return text[place...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count }
    guard starts("/*", at: place) else { return nil }
    var (depth, end) = (1, place + 2)
    while end < text.count, depth > 0 {
      let (opens, closes) = (starts("/*", at: end), starts("*/", at: end))
      depth += opens ? 1 : closes ? -1 : 0
      end += opens || closes ? 2 : 1
    }
    return end
  }

  private mutating func textEnd() -> Int? {
    var quote = place
    while quote < text.count, text[quote] == UInt8(ascii: "#") { quote += 1 }
    guard quote < text.count, text[quote] == UInt8(ascii: "\"") else { return nil }
    let signs = quote - place
    let isLong = starts("\"\"\"", at: quote)
    var end = quote + (isLong ? 3 : 1)
    func hasSigns(at place: Int) -> Bool {
      place + signs <= text.count && text[place..<(place + signs)].allSatisfy { $0 == UInt8(ascii: "#") }
    }
    while end < text.count {
      if text[end] == UInt8(ascii: "\\"), hasSigns(at: end + 1) {
        let escaped = end + 1 + signs
        if escaped < text.count, text[escaped] == UInt8(ascii: "(") {
          hasInterpolation = true
          end = interpolationEnd(from: escaped)
        } else {
          end = escaped + 1
        }
      } else if isLong ? starts("\"\"\"", at: end) : text[end] == UInt8(ascii: "\""),
        hasSigns(at: end + (isLong ? 3 : 1))
      {
        return end + (isLong ? 3 : 1) + signs
      } else if !isLong, text[end] == UInt8(ascii: "\n") {
        return end
      } else {
        end += 1
      }
    }
    return text.count
  }

  private func interpolationEnd(from opening: Int) -> Int {
    var inner = SwiftScanner(text, from: opening)
    inner.level = level + 1
    guard inner.level < Self.deepest else { return text.count }
    var depth = 0
    while let place = inner.next() {
      if text[place] == UInt8(ascii: "(") { depth += 1 }
      if text[place] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return place + 1 }
    }
    return text.count
  }

  private static let deepest = 20
  private var level = 0
}
