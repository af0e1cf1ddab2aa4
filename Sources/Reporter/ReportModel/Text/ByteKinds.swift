extension UInt8 {
  @inlinable package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// White space of JSON and XML.
  @inlinable package var isSpace: Bool { self == 0x20 || self == 0x9 || self == 0xA || self == 0xD }

  @inlinable package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  @inlinable package var isHexadecimal: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
  }

  /// Part of a word of code or prose; bytes beyond ASCII count as letters.
  @inlinable package var isWord: Bool { isDigit || isLetter || self == UInt8(ascii: "_") || self >= 0x80 }
}

extension [UInt8] {
  /// `nil` when the digits are not all there.
  package func number(at start: Int, digits: Int) -> Int? {
    guard start >= 0, start + digits <= count else { return nil }
    var number = 0
    for byte in self[start..<start + digits] {
      guard byte.isDigit else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  /// The end of a UUID as in RFC 9562.
  package func endOfUUID(at start: Int) -> Int? {
    guard start + 8 < count, self[start + 8] == UInt8(ascii: "-") else { return nil }
    var place = start
    for (index, digits) in [8, 4, 4, 4, 12].enumerated() {
      if index > 0 {
        guard place < count, self[place] == UInt8(ascii: "-") else { return nil }
        place += 1
      }
      guard place + digits <= count, self[place..<place + digits].allSatisfy(\.isHexadecimal) else {
        return nil
      }
      place += digits
    }
    return place
  }
}
