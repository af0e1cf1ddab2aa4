/// Reads Swift Testing's `Expectation failed: (name → "Ada") == "Bob"`, and a note after it.
///
/// - Returns: `nil` for other wordings and operators, and an ambiguous operator.
func readExpectation(_ text: String) -> FailureMessage.Comparison? {
  let opening = "Expectation failed: "
  guard text.hasPrefix(opening) else { return nil }
  let body = text.dropFirst(opening.count)
  let readings = body.places(of: " == ").compactMap { place in
    reading(left: body[..<place.lowerBound], rest: body[place.upperBound...])
  }
  return readings.count == 1 ? readings[0] : nil
}

private func reading(left: Substring, rest: Substring) -> FailureMessage.Comparison? {
  guard let leftSide = side(left), let end = operandEnd(rest), let rightSide = side(rest[..<end]),
    leftSide.isValue || rightSide.isValue
  else { return nil }
  let note = rest[end...].drop { $0.isNewline || $0 == " " }
  var (first, second) = (leftSide.side, rightSide.side)
  if isQuotedText(first.value), isQuotedText(second.value), (first.value + second.value).contains("\n") {
    first.value = String(first.value.dropFirst().dropLast())
    second.value = String(second.value.dropFirst().dropLast())
  }
  return FailureMessage.Comparison(
    headline: "Expectation failed: \(first.label) == \(second.label)", left: first, right: second,
    note: note.isEmpty ? nil : String(note))
}

private func side(_ operand: Substring) -> (side: FailureMessage.Side, isValue: Bool)? {
  guard !operand.isEmpty else { return nil }
  guard operand.hasPrefix("("), let arrow = operand.places(of: " → ").first else {
    return operand.contains("\n") ? nil : (.init(label: String(operand), value: String(operand)), false)
  }
  guard operand.hasSuffix(")"), isBalanced(operand) else { return nil }
  let inner = operand.dropFirst().dropLast()
  guard arrow.lowerBound > inner.startIndex, arrow.upperBound <= inner.endIndex else { return nil }
  return (
    .init(label: String(inner[..<arrow.lowerBound]), value: String(inner[arrow.upperBound...])), true
  )
}

private func operandEnd(_ rest: Substring) -> Substring.Index? {
  let lineEnds = rest.indices.filter { rest[$0].isNewline } + [rest.endIndex]
  guard rest.hasPrefix("("), !rest.places(of: " → ").isEmpty else { return lineEnds[0] }
  return lineEnds.first { rest[..<$0].hasSuffix(")") && isBalanced(rest[..<$0]) }
}

/// Counts parentheses within values too, so that a doubtful case is not read.
private func isBalanced(_ text: Substring) -> Bool {
  var depth = 0
  for byte in text.utf8 {
    if byte == UInt8(ascii: "(") { depth += 1 }
    if byte == UInt8(ascii: ")") { depth -= 1 }
    if depth < 0 { return false }
  }
  return depth == 0
}

private func isQuotedText(_ value: String) -> Bool {
  value.utf8.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
}
