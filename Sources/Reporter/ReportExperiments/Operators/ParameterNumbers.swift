/// Parameter numbers as SQLite assigns them.
///
/// Source: https://www.sqlite.org/lang_expr.html#varparam
struct ParameterNumbers: Sendable {
  /// By token; 0 for others.
  private(set) var numbers: [Int]
  private(set) var places: [Int] = []
  private(set) var largest = 0
  private(set) var named: [String: Int] = [:]
  private(set) var hasAnonymous = false
  private(set) var hasNumbered = false

  init(_ tokens: [StatementToken]) {
    numbers = Array(repeating: 0, count: tokens.count)
    for (index, token) in tokens.enumerated() where token.kind == .parameter {
      let number = number(of: token.text)
      numbers[index] = number
      places.append(index)
      largest = max(largest, number)
    }
  }

  init(_ texts: [Substring]) {
    numbers = []
    for text in texts { largest = max(largest, number(of: text)) }
  }

  private mutating func number(of text: Substring) -> Int {
    if text == "?" {
      hasAnonymous = true
      return largest + 1
    }
    if text.utf8.first == UInt8(ascii: "?") {
      hasNumbered = true
      return Int(text.dropFirst()).map { min($0, 32_766) } ?? 0
    }
    let number = named[String(text)] ?? largest + 1
    named[String(text)] = number
    return number
  }
}
