package import ExhibitSQLite
import ReportModel

extension MessageValue {
  private static let most = 8

  /// The values that a message prints: both operands of a comparison and their difference, else quoted texts and
  /// numbers.
  package static func all(in message: String) -> [MessageValue] {
    var values: [MessageValue] = []
    switch FailureMessage(message) {
    case .comparison(let comparison): values = operands([comparison.left, comparison.right])
    case .difference(let difference):
      values = difference.lines.filter { $0.kind != .same }.flatMap { literals(in: $0.text) }
    case .verbatim: values = operands(sides(of: message))
    }
    var seen: Set<String> = []
    return Array(values.filter { seen.insert($0.text).inserted }.prefix(most))
  }

  /// The operands, as far as they can be read whole.
  package static func operands(in message: String) -> [DatabaseValue] {
    all(in: message).compactMap { value in
      guard case .operand = value.role else { return nil }
      return value.value
    }
  }

  /// `28939 is 52 less than 28991`.
  package static func differenceText(in message: String) -> String? {
    let numbers = operands(in: message).compactMap(\.integer)
    guard numbers.count == 2, numbers[0] != numbers[1] else { return nil }
    let (difference, isOver) = numbers[0].subtractingReportingOverflow(numbers[1])
    guard !isOver, difference != .min else { return nil }
    let word = difference < 0 ? "less" : "more"
    return "\(numbers[0]) is \(grouped(abs(Int(difference)))) \(word) than \(numbers[1])"
  }

  /// The members of two compared lists; `nil` where a member is composed.
  package static func lists(in message: String) -> (left: [DatabaseValue], right: [DatabaseValue])? {
    let sides: [FailureMessage.Side]
    switch FailureMessage(message) {
    case .comparison(let comparison): sides = [comparison.left, comparison.right]
    case .verbatim: sides = Self.sides(of: message)
    case .difference: return nil
    }
    guard sides.count == 2, let left = members(of: sides[0].value), let right = members(of: sides[1].value)
    else { return nil }
    return (left, right)
  }

  private static let mostMembers = 1000

  private static func members(of printed: String) -> [DatabaseValue]? {
    var text = printed.trimmed[...]
    while text.hasPrefix("Optional("), text.hasSuffix(")") { text = text.dropFirst(9).dropLast() }
    guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count < 64 * 1024 else { return nil }
    var (rest, members): (Substring, [DatabaseValue]) = (text.dropFirst().dropLast(), [])
    while !rest.isEmpty, members.count < mostMembers {
      var (end, isQuoted, isEscaped) = (rest.startIndex, false, false)
      while end < rest.endIndex, isQuoted || rest[end] != "," {
        if rest[end] == "\"", !isEscaped { isQuoted.toggle() }
        isEscaped = rest[end] == "\\" && !isEscaped
        end = rest.index(after: end)
      }
      guard let member = plain(String(rest[..<end])) else { return nil }
      members.append(member.value)
      rest = rest[end...].dropFirst()
    }
    return rest.isEmpty ? members : nil
  }

  private static func operands(_ sides: [FailureMessage.Side]) -> [MessageValue] {
    let whole = sides.map { (side: $0, value: plain($0.value)) }
    var values: [MessageValue] = []
    for (side, read) in whole {
      if let read {
        values.append(MessageValue(role: .operand(side.label), text: read.text, read.value))
      } else {
        values += literals(in: side.value)
      }
    }
    if whole.count == 2, let left = whole[0].value?.value, let right = whole[1].value?.value,
      let difference = difference(left, right)
    {
      values.append(difference)
    }
    return values
  }

  private init(role: Role, text: String, _ value: DatabaseValue) {
    self.init(role: role, text: text, value: value, isCommon: Self.isCommon(value, text))
  }

  private static func isCommon(_ value: DatabaseValue, _ text: String) -> Bool {
    if let number = value.number { return number.magnitude < 100 }
    return text.count < 3 || text == "true" || text == "false"
  }

  private static func difference(_ left: DatabaseValue, _ right: DatabaseValue) -> MessageValue? {
    if case (.integer(let first), .integer(let second)) = (left, right) {
      let (difference, isOver) = second.subtractingReportingOverflow(first)
      guard !isOver, difference.magnitude != first.magnitude, difference.magnitude != second.magnitude else {
        return nil
      }
      let value = MessageValue(role: .difference, text: String(difference), .integer(difference))
      // Small numbers stand everywhere.
      return value.isCommon ? nil : value
    }
    guard let first = left.number, let second = right.number, (second - first).isFinite, first != second
    else {
      return nil
    }
    return MessageValue(role: .difference, text: (second - first).description, .real(second - first))
  }

  /// `nil` for `nil` and for what is composed.
  private static func plain(_ printed: String) -> (text: String, value: DatabaseValue)? {
    var text = printed.trimmed[...]
    while text.hasPrefix("Optional("), text.hasSuffix(")") { text = text.dropFirst(9).dropLast() }
    guard text != "nil" else { return nil }
    if let number = Int64(text) { return (String(text), .integer(number)) }
    if let number = Double(text), number.isFinite { return (String(text), .real(number)) }
    if text == "true" || text == "false" { return (String(text), .integer(text == "true" ? 1 : 0)) }
    if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      let inner = unescaped(text.dropFirst().dropLast())
      return (inner, .text(inner))
    }
    let isComposed = text.hasPrefix("[") || text.contains("(") || text.contains("\"")
    return isComposed ? nil : (String(text), .text(String(text)))
  }

  private static func unescaped(_ text: Substring) -> String {
    String(text).replacing("\\\"", with: "\"").replacing("\\n", with: "\n").replacing("\\\\", with: "\\")
  }

  /// Quoted texts and numbers.
  private static func literals(in text: String) -> [MessageValue] {
    var found: [MessageValue] = []
    var rest = text.prefix(4000)
    while let start = rest.firstIndex(where: { $0 == "\"" || $0.isNumber }), found.count < most {
      let isQuoted = rest[start] == "\""
      // Not digits in a name, a UUID, a date, or a place in a list.
      let before = text[..<start]
      let isInWord = !isQuoted && (before.last.map(isWord) ?? false || endsInJoint(before))
      let inner = isQuoted ? rest[rest.index(after: start)...] : rest[start...]
      let end = isQuoted ? inner.firstIndex(of: "\"") : inner.firstIndex { !isWord($0) && $0 != "." }
      let printed = inner[..<(end ?? inner.endIndex)]
      rest = inner[(end ?? inner.endIndex)...].dropFirst(isQuoted ? 1 : 0)
      let behind = (end ?? inner.endIndex).samePosition(in: text).map { text[$0...].prefix(2) } ?? ""
      let isJoined = behind.first == "-" && behind.last.map(isWord) == true
      let isPlace = before.last == "[" && behind == "]:"
      if isInWord || (!isQuoted && (isJoined || isPlace)) { continue }
      let isNegative = !isQuoted && start > text.startIndex && text[text.index(before: start)] == "-"
      let value =
        isQuoted ? .text(String(printed)) : plain((isNegative ? "-" : "") + printed)?.value
      guard let value, isQuoted || value.number != nil else { continue }
      found.append(MessageValue(role: .printed, text: (isNegative ? "-" : "") + printed, value))
    }
    return found
  }

  private static func endsInJoint(_ text: Substring) -> Bool {
    text.last == "-" && text.dropLast().last.map(isWord) == true
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Of XCTest's `("1") is not greater than ("2")` and Swift Testing's `a → 1`.
  private static func sides(of message: String) -> [FailureMessage.Side] {
    if message.hasPrefix("XCTAssert") {
      return message.pieces(separatedBy: "(\"").dropFirst().prefix(4).compactMap { piece in
        piece.places(of: "\")").first.map { .init(label: "", value: String(piece[..<$0.lowerBound])) }
      }
    }
    guard message.hasPrefix("Expectation failed: ") else { return [] }
    return message.pieces(separatedBy: " → ").dropFirst().prefix(4).map { piece in
      let line = piece.prefix { !$0.isNewline }
      let end = line.places(of: ") ").first?.lowerBound ?? (line.hasSuffix(")") ? line.indices.last : nil)
      return .init(label: "", value: String(line[..<(end ?? line.endIndex)]))
    }
  }
}
