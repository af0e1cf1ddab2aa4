/// Writes JSON member by member: `JSONEncoder` holds a whole document several times over.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// What was written so far, which is forgotten.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
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

  mutating func open(_ key: StaticString?, _ bracket: UInt8) {
    if let key { name(key) } else { separate() }
    bytes.append(bracket)
    needsComma = false
  }

  mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Separates what follows by a comma and a line break.
  mutating func startLine() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    endLine()
  }

  mutating func member(_ key: StaticString, _ value: String?) {
    name(key)
    if let value { string(value) } else { null() }
  }

  mutating func member(_ key: StaticString, _ value: Int?) {
    name(key)
    if let value { raw(String(value)) } else { null() }
  }

  mutating func member(_ key: StaticString, _ value: Bool?) {
    name(key)
    if let value { fixed(value ? "true" : "false") } else { null() }
  }

  /// A number that JSON has no form for is `null`.
  mutating func member(_ key: StaticString, _ value: Double?) {
    name(key)
    if let value, value.isFinite { raw(value.description) } else { null() }
  }

  mutating func element(_ text: String) {
    separate()
    string(text)
  }

  private mutating func name(_ key: StaticString) {
    let hasComma = needsComma
    needsComma = true
    // In one step: a large report has millions of names.
    bytes.append(addingCapacity: key.utf8CodeUnitCount + 4) { span in
      if hasComma { span.append(UInt8(ascii: ",")) }
      span.append(UInt8(ascii: "\""))
      for byte in UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount) {
        span.append(byte)
      }
      span.append(UInt8(ascii: "\""))
      span.append(UInt8(ascii: ":"))
    }
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func null() { fixed("null") }

  private mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func fixed(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Escapes what RFC 8259 wants escaped.
  private mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.hasOnly({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      raw(text)
    } else {
      escape(text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): raw("\\n")
      case 0..<0x20:
        raw("\\u00")
        bytes.append(Self.digits[Int(byte >> 4)])
        bytes.append(Self.digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
