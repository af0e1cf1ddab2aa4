/// Two lowercase digits for each byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  var text: [UInt8] = []
  for byte in bytes {
    text.append(hexDigits[Int(byte >> 4)])
    text.append(hexDigits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

private let hexDigits = Array("0123456789abcdef".utf8)

package func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

extension [UInt8] {
  /// The bytes of a text of hexadecimal digits; `nil` for any other text.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.map(hexDigit)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[place], let low = digits[place + 1] else { return nil }
      append(high << 4 | low)
    }
  }
}

extension BinaryInteger {
  /// The digits, with zeros before them up to `count`.
  package func padded(to count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}
