import ReportModel

/// The format of a date text; fractional seconds do not count.
enum DateForm: Hashable, Comparable {
  enum Zone: Hashable, Comparable {
    case none, utc
    case offset(Int)
  }

  /// Between date and time.
  enum Separator: Hashable, Comparable {
    case space, letter
  }

  enum Precision: Hashable, Comparable {
    case seconds, minutes
  }

  /// `2026-05-01`
  case day
  /// `2026-05-01 09:30`, `2026-05-01T09:30:00Z`
  case time(Separator, Precision, Zone)
  /// `01.05.2026`
  case points
  /// `05/01/2026`, or `01/05/2026`.
  case slashes
  /// `2026/05/01`
  case yearSlashes

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8, bytes.count <= 35 else { return nil }
    if bytes.matches("dddd-dd-dd") {
      guard bytes.count > 10 else {
        self = .day
        return
      }
      guard let clock = ClockTime(bytes, from: 11), let zone = DateForm.zone(bytes, from: clock.end) else {
        return nil
      }
      let precision = clock.second == nil ? Precision.minutes : .seconds
      switch bytes[10] {
      case UInt8(ascii: " "): self = .time(.space, precision, zone)
      case UInt8(ascii: "T"), UInt8(ascii: "t"): self = .time(.letter, precision, zone)
      default: return nil
      }
    } else if bytes.count >= 10, bytes.matches("dd.dd.dddd") {
      self = .points
    } else if bytes.count >= 10, bytes.matches("dd/dd/dddd") {
      self = .slashes
    } else if bytes.count >= 10, bytes.matches("dddd/dd/dd") {
      self = .yearSlashes
    } else {
      return nil
    }
  }

  var withoutOffset: DateForm {
    if case .time(let separator, let precision, .offset) = self {
      return .time(separator, precision, .offset(0))
    }
    return self
  }

  var wordsOfAnyOffset: String {
    if case .time(let separator, let precision, .offset) = self {
      return DateForm.time(separator, precision, .none).words + " with an offset"
    }
    return words
  }

  var words: String {
    switch self {
    case .day: "YYYY-MM-DD"
    case .time(let separator, let precision, let zone):
      "YYYY-MM-DD" + (separator == .space ? " " : "T") + (precision == .seconds ? "HH:MM:SS" : "HH:MM")
        + zone.words
    case .points: "DD.MM.YYYY"
    case .slashes: "NN/NN/YYYY"
    case .yearSlashes: "YYYY/MM/DD"
    }
  }

  private static func zone(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Zone? {
    var place = start
    if place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    guard place < bytes.count else { return Zone.none }
    let sign = bytes[place]
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return place + 1 == bytes.count ? .utc : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = bytes[(place + 1)...].filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isDigit) else { return nil }
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
