/// JSON in the making, for the lines of a log.
///
/// A passing test may cost microseconds, and a test process lives for milliseconds: `JSONEncoder` takes three
/// times as long a record and its first use more than a record should. An array as the buffer would double the time.
struct JSONText: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity = 512
  private var count = 0
  private var needsComma = false

  init() {
    start = .allocate(capacity: capacity)
  }

  deinit {
    start.deallocate()
  }

  /// Lends the text so far.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(start: start, count: count))
  }

  mutating func object(_ key: StaticString? = nil, _ members: (inout JSONText) -> Void) {
    open(key, UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func array<Element>(
    _ key: StaticString, _ elements: [Element], _ element: (inout JSONText, Element) -> Void
  ) {
    open(key, UInt8(ascii: "["))
    for each in elements {
      element(&self, each)
      needsComma = true
    }
    close(UInt8(ascii: "]"))
  }

  mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    name(key)
    string(value)
  }

  mutating func member(_ key: StaticString, _ value: (some BinaryInteger)?) {
    guard let value else { return }
    name(key)
    if let small = UInt(exactly: value) { decimal(small) } else { raw(String(value)) }
  }

  /// Numbers that JSON has no form for are left out.
  mutating func member(_ key: StaticString, _ value: Double) {
    guard value.isFinite else { return }
    name(key)
    let millionths = (value * 1e6).rounded()
    // Converting exactly is generic code, which takes longer than all the rest of a record.
    if 0..<1e18 ~= millionths, millionths / 1e6 == value {
      fixed(UInt(millionths))
    } else {
      raw(value.description)
    }
  }

  mutating func member(_ key: StaticString, _ value: Bool) {
    name(key)
    raw(value ? "true" : "false")
  }

  /// An element of an array.
  mutating func element(_ text: String) {
    separate()
    string(text)
  }

  /// A string with what RFC 8259 wants escaped, and no line break.
  private mutating func string(_ text: String) {
    var text = text
    append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      // Without a branch, so that the processor compares many bytes at a time.
      var special: UInt8 = 0
      for byte in utf8 { special |= Self.isPlain(byte) ? 0 : 1 }
      if special == 0 { return append(utf8) }
      for byte in utf8 {
        if Self.isPlain(byte) { append(byte) } else { escape(byte) }
      }
    }
    append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    guard byte < 0x20 else { return append(byte) }
    raw("u00")
    append(Self.digits[Int(byte >> 4)])
    append(Self.digits[Int(byte & 15)])
  }

  mutating func endLine() {
    append(UInt8(ascii: "\n"))
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private mutating func open(_ key: StaticString?, _ bracket: UInt8) {
    if let key { name(key) } else { separate() }
    append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  private mutating func name(_ key: StaticString) {
    separate()
    append(UInt8(ascii: "\""))
    key.withUTF8Buffer { append($0) }
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
    needsComma = true
  }

  @inline(__always) private mutating func separate() {
    if needsComma { append(UInt8(ascii: ",")) }
  }

  private mutating func decimal(_ value: UInt) {
    var (digits, rest) = (1, value / 10)
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    reserve(digits)
    rest = value
    for index in stride(from: count + digits - 1, through: count, by: -1) {
      start[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  /// Millionths as a decimal fraction without needless zeros.
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

  private mutating func raw(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
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
