/// The kind of a text, recognised by its bytes.
enum TextForm {
  case empty
  /// A number in SQLite's syntax: `-12.5e3`.
  case number
  /// A number only for people: `12,50`, `1 000`, `12 €`.
  case writtenNumber
  /// An identifier made of digits: `+49 30 123`, `0049301`, `01067`, `12 34 56`.
  case code
  /// - Parameter exists: True for a valid date and time.
  case date(DateForm, exists: Bool)
  /// `10:30`, `10:30:00`, possibly a duration.
  case time(ClockTime)
  case other

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.first else {
      self = .empty
      return
    }
    guard bytes.count <= 40, first < 0x3A || first == 0xC2 || first == 0xE2 else {
      self = .other
      return
    }
    if let form = DateForm(bytes) {
      self = .date(form, exists: form.exists(in: bytes))
    } else if let clock = ClockTime(bytes, from: 0), clock.end == bytes.count {
      self = .time(clock)
    } else {
      self = Self.number(bytes)
    }
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> TextForm {
    if isCode(bytes) { return .code }
    var (digits, others, points, commas) = (0, 0, 0, 0)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        // Elsewhere it separates phone numbers and ranges.
        guard index == 0 else { return .other }
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: ","): commas += 1
      // White space, apostrophe, percent, dollar.
      case 0x09, 0x0A, 0x0D, 0x20, 0x24, 0x25, 0x27: others += 1
      // No-break space, pound, euro and the like, in UTF-8.
      case 0xC2, 0xA0, 0xA3, 0xE2, 0x80, 0x82, 0xAC, 0xAF, 0x89: others += 1
      default: return .other
      }
    }
    guard digits > 0, points < 2 || commas == 1 else { return .other }
    return others == 0 && commas == 0 && points < 2 ? .number : .writtenNumber
  }

  /// True for phone numbers, postal codes and the like.
  ///
  /// Quantities have no leading zeros, no groups of other than three digits, and no plus sign before groups.
  private static func isCode(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let hasSign = bytes.first == UInt8(ascii: "+")
    var (digits, groups, first, current) = (0, 0, 0, 0)
    var (isJoined, isUneven) = (false, false)
    func endGroup() {
      guard current > 0 else { return }
      groups += 1
      if groups == 1 { first = current } else if current != 3 { isUneven = true }
      current = 0
    }
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): (digits, current) = (digits + 1, current + 1)
      case UInt8(ascii: "+") where index == 0: break
      case 0x20, 0xC2, 0xA0: endGroup()
      case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: ")"):
        guard index > 0 else { return false }
        isJoined = true
        endGroup()
      default: return false
      }
    }
    endGroup()
    let hasZero = first > 1 && bytes[hasSign ? 1 : 0] == UInt8(ascii: "0")
    if isJoined { return (hasSign || hasZero) && digits >= 7 }
    if hasSign { return groups > 1 || digits >= 7 }
    return hasZero || groups > 1 && (first > 3 || isUneven || first == 3 && digits >= 9)
  }
}
