/// What the bytes of a text look like: enough to tell dates from numbers and from all else.
enum TextForm {
  case empty
  /// A number as SQLite writes it: `-12.5e3`.
  case number
  /// What a reader takes for a number and SQLite does not: `12,50`, `1 000`, `12 €`.
  case writtenNumber
  case date(DateForm)
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
      self = .date(form)
    } else {
      self = Self.number(bytes)
    }
  }

  /// Digits with at most signs, separators, spaces and a sign of a currency between them.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> TextForm {
    var (digits, others, points, commas) = (0, 0, 0, 0)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        // Elsewhere it joins what is no number: a telephone's, a range.
        guard index == 0 else { return .other }
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: ","): commas += 1
      // White space, an apostrophe, a percent or dollar sign.
      case 0x09, 0x0A, 0x0D, 0x20, 0x24, 0x25, 0x27: others += 1
      // A no-break space, a pound sign, a euro sign and the like.
      case 0xC2, 0xA0, 0xA3, 0xE2, 0x80, 0x82, 0xAC, 0xAF, 0x89: others += 1
      default: return .other
      }
    }
    guard digits > 0, points < 2 || commas == 1 else { return .other }
    return others == 0 && commas == 0 && points < 2 ? .number : .writtenNumber
  }
}

/// The way in which a text writes a date; fractions of seconds make no other one.
enum DateForm: Hashable, Comparable {
  enum Zone: Hashable, Comparable {
    case none, utc
    /// Minutes.
    case offset(Int)
  }

  /// `2026-05-01`
  case day
  /// `2026-05-01 09:30` and longer.
  case space(Zone)
  /// `2026-05-01T09:30` and longer.
  case letter(Zone)
  /// `01.05.2026`
  case points
  /// `05/01/2026`, or `01/05/2026`.
  case slashes
  /// `2026/05/01`
  case yearSlashes

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8, bytes.count <= 35 else { return nil }
    if DateForm.matches(bytes, "dddd-dd-dd") {
      guard bytes.count > 10 else {
        self = .day
        return
      }
      guard let zone = DateForm.zone(bytes) else { return nil }
      switch bytes[10] {
      case UInt8(ascii: " "): self = .space(zone)
      case UInt8(ascii: "T"), UInt8(ascii: "t"): self = .letter(zone)
      default: return nil
      }
    } else if bytes.count >= 10, DateForm.matches(bytes, "dd.dd.dddd") {
      self = .points
    } else if bytes.count >= 10, DateForm.matches(bytes, "dd/dd/dddd") {
      self = .slashes
    } else if bytes.count >= 10, DateForm.matches(bytes, "dddd/dd/dd") {
      self = .yearSlashes
    } else {
      return nil
    }
  }

  /// The same without its offset.
  var withoutOffset: DateForm {
    switch self {
    case .space(.offset): .space(.offset(0))
    case .letter(.offset): .letter(.offset(0))
    default: self
    }
  }

  /// As a sentence calls it, whatever its offset.
  var wordsOfAnyOffset: String {
    switch self {
    case .space(.offset): DateForm.space(.none).words + " with an offset"
    case .letter(.offset): DateForm.letter(.none).words + " with an offset"
    default: words
    }
  }

  /// As a sentence calls it.
  var words: String {
    switch self {
    case .day: "YYYY-MM-DD"
    case .space(let zone): "YYYY-MM-DD HH:MM" + zone.words
    case .letter(let zone): "YYYY-MM-DDTHH:MM" + zone.words
    case .points: "DD.MM.YYYY"
    case .slashes: "NN/NN/YYYY"
    case .yearSlashes: "YYYY/MM/DD"
    }
  }

  /// Whether the bytes begin as a pattern says, in which `d` is a digit.
  private static func matches(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, _ pattern: StaticString
  ) -> Bool {
    guard bytes.count >= start + pattern.utf8CodeUnitCount else { return false }
    for index in 0..<pattern.utf8CodeUnitCount {
      let (byte, wanted) = (bytes[start + index], pattern.utf8Start[index])
      let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      guard wanted == UInt8(ascii: "d") ? isDigit : byte == wanted else { return false }
    }
    return true
  }

  /// What follows the time; `nil` where none stands behind the day.
  private static func zone(_ bytes: UnsafeBufferPointer<UInt8>) -> Zone? {
    guard matches(bytes, from: 11, "dd:dd") else { return nil }
    var place = matches(bytes, from: 16, ":dd") ? 19 : 16
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: ",") {
      place += 1
      while place < bytes.count, bytes[place] >= UInt8(ascii: "0"), bytes[place] <= UInt8(ascii: "9") {
        place += 1
      }
    }
    if place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    guard place < bytes.count else { return Zone.none }
    let sign = bytes[place]
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return place + 1 == bytes.count ? .utc : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = bytes[(place + 1)...].filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 2 || digits.count == 4,
      digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
    else { return nil }
    let values = digits.map { Int($0) - 48 } + [0, 0]
    let minutes = (values[0] * 10 + values[1]) * 60 + values[2] * 10 + values[3]
    return .offset(sign == UInt8(ascii: "-") ? -minutes : minutes)
  }
}

extension DateForm.Zone {
  fileprivate var words: String {
    switch self {
    case .none: ""
    case .utc: "Z"
    case .offset(let minutes):
      (minutes < 0 ? "−" : "+") + padded(String(abs(minutes) / 60), to: 2, with: "0") + ":"
        + padded(String(abs(minutes) % 60), to: 2, with: "0")
    }
  }
}
