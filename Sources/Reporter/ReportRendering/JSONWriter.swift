import Collector
import ReportModel

/// Writes JSON member by member, because `JSONEncoder` holds a whole document several times over.
///
/// What is absent is `null`.
struct JSONWriter: ~Copyable {
  private var text = JSONText(.document)

  /// Bytes that `take` would return.
  var count: Int { text.count }

  /// What was written so far, which is forgotten.
  mutating func take() -> [UInt8] {
    defer { text.removeAll() }
    return text.withBytes { Array($0) }
  }

  /// The same for a terminal, which would obey DEL and the controls U+0080 to U+009F: they stand as their code points.
  mutating func takeForTerminal() -> [UInt8] {
    let (delete, latin): (UInt8, UInt8) = (0x7F, 0xC2)
    return text.withBytes { bytes in
      guard bytes.contains(delete) || bytes.contains(latin) else { return Array(bytes) }
      var (escaped, index): ([UInt8], Int) = ([], 0)
      escaped.reserveCapacity(bytes.count)
      while index < bytes.count {
        let isLatin = bytes[index] == latin && index + 1 < bytes.count && bytes[index + 1] < 0xA0
        if isLatin { index += 1 }
        if isLatin || bytes[index] == delete {
          escaped += Array("\\u00\(padded(String(bytes[index], radix: 16), to: 2, with: "0"))".utf8)
        } else {
          escaped.append(bytes[index])
        }
        index += 1
      }
      return escaped
    }
  }

  mutating func object(_ key: StaticString? = nil, _ members: (inout JSONWriter) -> Void) {
    open(key, UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func array<Element>(
    _ key: StaticString, _ elements: [Element], _ element: (inout JSONWriter, Element) -> Void
  ) {
    open(key, UInt8(ascii: "["))
    for each in elements { element(&self, each) }
    close(UInt8(ascii: "]"))
  }

  mutating func open(_ key: StaticString?, _ bracket: UInt8) { text.open(key, bracket) }

  mutating func close(_ bracket: UInt8) { text.close(bracket) }

  mutating func endLine() { text.endLine() }

  /// Separates what follows by a comma and a line break.
  mutating func startLine() { text.startLine() }

  mutating func member(_ key: StaticString, _ value: String?) {
    text.name(key)
    if let value { text.string(value) } else { text.append("null") }
  }

  mutating func member(_ key: StaticString, _ value: Int?) {
    text.name(key)
    text.append(value.map { String($0) } ?? "null")
  }

  mutating func member(_ key: StaticString, _ value: Bool?) {
    text.name(key)
    text.append(value.map { $0 ? "true" : "false" } ?? "null")
  }

  /// A number that JSON has no form for is `null`.
  mutating func member(_ key: StaticString, _ value: Double?) {
    text.name(key)
    if let value, value.isFinite { text.append(value.description) } else { text.append("null") }
  }

  mutating func element(_ value: String) { text.element(value) }

  mutating func element(_ value: String?) {
    guard let value else {
      text.separate()
      return text.append("null")
    }
    text.element(value)
  }

  /// A member, or an element where there is no key: an integer with all its digits.
  mutating func number(_ key: StaticString?, _ value: Int64) {
    begin(key)
    text.append(String(value))
  }

  /// A member, or an element where there is no key; JSON has no form for what is not finite.
  mutating func number(_ key: StaticString?, finite value: Double) {
    begin(key)
    text.append(value.description)
  }

  /// A member, or an element where there is no key.
  mutating func string(_ key: StaticString?, _ value: String?) {
    begin(key)
    if let value { text.string(value) } else { text.append("null") }
  }

  private mutating func begin(_ key: StaticString?) {
    if let key { text.name(key) } else { text.separate() }
  }
}
