package import ExhibitSystem

/// Writes JSON into a buffer, three times as fast as `JSONEncoder`.
package struct JSONText: ~Copyable {
  package enum Style: Sendable {
    /// Line breaks as `\n`, absent values as `null`.
    case document
    /// Line breaks as `\u000a`, as in logs; absent values left out.
    case line
    /// Likewise, and `<` escaped, which could end a page's script.
    case script
  }

  private let style: Style
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity = 512
  package private(set) var count = 0
  private var needsComma = false

  package init(_ style: Style = .line) {
    self.style = style
    start = .allocate(capacity: capacity)
  }

  deinit {
    start.deallocate()
  }

  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(start: start, count: count))
  }

  /// The next element still gets its comma.
  package mutating func removeAll() { count = 0 }

  /// - Parameter count: A position behind an element or an opening bracket.
  package mutating func remove(behind count: Int) {
    guard count < self.count else { return }
    self.count = count
    let last = count > 0 ? start[count - 1] : UInt8(ascii: "[")
    needsComma = last != UInt8(ascii: "[") && last != UInt8(ascii: "{")
  }

  package mutating func take() -> [UInt8] {
    defer { removeAll() }
    return withBytes { Array($0) }
  }

  // MARK: - Members

  package mutating func object(_ key: StaticString? = nil, _ members: (inout JSONText) -> Void) {
    open(key, UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  @inlinable package mutating func array<Element>(
    _ key: StaticString?, _ elements: [Element], _ element: (inout JSONText, Element) -> Void
  ) {
    open(key, UInt8(ascii: "["))
    for each in elements { element(&self, each) }
    close(UInt8(ascii: "]"))
  }

  package mutating func array(_ key: StaticString? = nil, _ elements: (inout JSONText) -> Void) {
    open(key, UInt8(ascii: "["))
    elements(&self)
    close(UInt8(ascii: "]"))
  }

  package mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return absent(key) }
    name(key)
    string(value)
  }

  package mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return absent(key) }
    name(key)
    integer(value)
  }

  package mutating func member(_ key: StaticString, _ value: (some BinaryInteger)?) {
    guard let value else { return absent(key) }
    name(key)
    if let small = UInt(exactly: value) { decimal(small) } else { append(String(value)) }
  }

  package mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value, value.isFinite else { return absent(key) }
    name(key)
    finite(value)
  }

  private mutating func finite(_ value: Double) {
    if style == .document { return append(value.description) }
    let millionths = (value * 1e6).rounded()
    // An exact conversion is slow, generic code.
    if 0..<1e18 ~= millionths, millionths / 1e6 == value {
      fixed(UInt(millionths))
    } else {
      append(value.description)
    }
  }

  package mutating func member(_ key: StaticString, _ value: Bool?) {
    guard let value else { return absent(key) }
    name(key)
    append(value ? "true" : "false")
  }

  private mutating func absent(_ key: StaticString) {
    guard style == .document else { return }
    name(key)
    append("null")
  }

  // MARK: - Signs and values

  @usableFromInline package mutating func open(_ key: StaticString?, _ bracket: UInt8) {
    if let key { name(key) } else { separate() }
    append(bracket)
    needsComma = false
  }

  package mutating func open(member name: String, _ bracket: UInt8) {
    element(name)
    append(UInt8(ascii: ":"))
    append(bracket)
    needsComma = false
  }

  @usableFromInline package mutating func close(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  package mutating func name(_ key: StaticString) {
    separate()
    append(UInt8(ascii: "\""))
    key.withUTF8Buffer { append($0) }
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
  }

  /// Writes a comma, except before the first element.
  package mutating func separate() {
    if needsComma { append(UInt8(ascii: ",")) }
    needsComma = true
  }

  package mutating func startLine() {
    separate()
    needsComma = false
    endLine()
  }

  package mutating func endLine() {
    append(UInt8(ascii: "\n"))
  }

  package mutating func append(_ json: String) {
    var json = json
    json.withUTF8 { append($0) }
  }

  package mutating func string(_ text: String) {
    var text = text
    let escaped = style == .script ? Self.escapedInScripts : Self.escaped
    append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var (start, next) = (0, utf8.first(in: escaped))
      while let place = next {
        append(UnsafeBufferPointer(rebasing: utf8[start..<place]))
        escape(utf8[place])
        start = place + 1
        next = utf8.first(in: escaped, from: start)
      }
      append(start == 0 ? utf8 : UnsafeBufferPointer(rebasing: utf8[start..<utf8.count]))
    }
    append(UInt8(ascii: "\""))
  }

  package mutating func element(_ text: String) {
    separate()
    string(text)
  }

  package mutating func element(_ value: Int) {
    separate()
    integer(value)
  }

  mutating func element(_ value: Double) {
    separate()
    finite(value)
  }

  /// The name is not escaped.
  package mutating func key(_ name: String) {
    separate()
    append(UInt8(ascii: "\""))
    append(name)
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func endRecord() {
    endLine()
    needsComma = false
  }

  package mutating func plain(_ json: String) {
    separate()
    append(json)
  }

  package static let escaped = ByteSet {
    $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
  }
  private static let escapedInScripts = ByteSet { escaped.contains($0) || $0 == UInt8(ascii: "<") }

  private mutating func escape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case UInt8(ascii: "\n") where style == .document: append(UInt8(ascii: "n"))
    default:
      append("u00" + hexadecimal(CollectionOfOne(byte)))
    }
  }

  private mutating func integer(_ value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    decimal(value.magnitude)
  }

  private mutating func decimal(_ value: UInt) {
    var (digits, rest) = (1, value / 10)
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    reserve(digits)
    rest = value
    // A loop over a stride takes several times as long in a debug build.
    var place = count + digits
    while place > count {
      place -= 1
      start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  private mutating func fixed(_ millionths: UInt) {
    decimal(millionths / 1_000_000)
    append(UInt8(ascii: "."))
    var (rest, divisor) = (millionths % 1_000_000, UInt(100_000))
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    } while rest > 0
  }

  // MARK: - The buffer

  @inline(__always) private mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  private mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
    guard let first = more.baseAddress else { return }
    reserve(more.count)
    (start + count).initialize(from: first, count: more.count)
    count += more.count
  }

  @inline(__always) private mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(to: 2 * (count + more)) }
  }

  private mutating func grow(to newCapacity: Int) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    (start, capacity) = (larger, newCapacity)
  }
}
