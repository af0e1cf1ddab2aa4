import ReportCauses
import ReportModel

/// A text without the parts that may vary by run: UUIDs, long identifiers and moments.
///
/// For texts of the same shape the parts are compared one by one.
struct VaryingText: Hashable {
  enum Part: Hashable {
    case identifier(String)
    case moment(Double)
  }

  /// The text with placeholders.
  private(set) var shape: String
  private(set) var parts: [Part] = []

  private static let mostBytes = 4000
  /// The lengths of generated identifiers and of their possible prefixes.
  private static let (leastOfIdentifier, leastOfShort) = (16, 8)

  /// - Parameter short: Recognises eight hexadecimal digits too, as the start of a UUID.
  init(_ text: String, short: Bool = false) {
    let bytes = Array(text.utf8)
    guard bytes.count >= Self.leastOfDate else {
      shape = text
      return
    }
    var shape: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      guard byte.isWord, place < Self.mostBytes else {
        shape.append(byte)
        place += 1
        continue
      }
      if let moment = Moment(bytes, at: place) {
        parts.append(.moment(moment.seconds))
        shape.append(0)
        place = moment.end
        continue
      }
      let uuid = bytes.endOfUUID(at: place).flatMap { end in
        end < bytes.count && bytes[end].isWord ? nil : Self.endOfUniqueName(bytes, end) ?? end
      }
      let end = uuid ?? bytes[place...].firstIndex { !$0.isWord } ?? bytes.count
      if uuid != nil || Self.isIdentifier(bytes[place..<end], short) {
        parts.append(.identifier(String(decoding: bytes[place..<end], as: UTF8.self).lowercased()))
        shape.append(1)
      } else {
        shape += bytes[place..<end]
      }
      place = end
    }
    self.shape = parts.isEmpty ? text : String(decoding: shape, as: UTF8.self)
  }

  private static let leastOfDate = 10

  /// The end of the suffix of Foundation's `globallyUniqueString`: process and time, `-7197-0000267C21AB34EF`.
  private static func endOfUniqueName(_ bytes: [UInt8], _ start: Int) -> Int? {
    func end(_ start: Int, _ isPart: (UInt8) -> Bool) -> Int? {
      guard start < bytes.count, bytes[start] == UInt8(ascii: "-") else { return nil }
      let end = bytes[(start + 1)...].firstIndex { !isPart($0) } ?? bytes.count
      return end > start + 1 ? end : nil
    }
    guard let process = end(start, \.isDigit), let time = end(process, \.isHexadecimal)
    else {
      return nil
    }
    return time - process == 17 ? time : nil
  }

  /// True for hexadecimal digits including letters.
  private static func isIdentifier(_ bytes: ArraySlice<UInt8>, _ short: Bool) -> Bool {
    guard bytes.count >= (short ? leastOfShort : leastOfIdentifier) else { return false }
    var (digits, letters) = (0, 0)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): letters += 1
      default: return false
      }
    }
    return bytes.count < leastOfIdentifier || digits >= 3 && letters >= 2
  }
}

struct Moment {
  /// Seconds since 1970; UTC without an offset.
  var seconds: Double
  var end: Int

  /// Reads `2026-11-24`, `2026-11-24 10:00`, `2026-11-24T10:00:00.000+01:00` and the like.
  init?(_ bytes: [UInt8], at start: Int) {
    func number(_ start: Int, _ count: Int) -> Int? { bytes.number(at: start, digits: count) }
    func has(_ sign: Unicode.Scalar, _ place: Int) -> Bool {
      place < bytes.count && bytes[place] == UInt8(ascii: sign)
    }
    guard let year = number(start, 4), has("-", start + 4), let month = number(start + 5, 2),
      has("-", start + 7), let day = number(start + 8, 2), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    seconds = Double(daysSince1970(year: year, month: month, day: day)) * 86_400
    end = start + 10
    if has("T", end) || has(" ", end), let hour = number(end + 1, 2), has(":", end + 3),
      let minute = number(end + 4, 2)
    {
      seconds += Double(hour * 3600 + minute * 60)
      end += 6
      if has(":", end), let second = number(end + 1, 2) {
        seconds += Double(second)
        end += 3
      }
      if has(".", end), number(end + 1, 1) != nil {
        var unit = 0.1
        end += 1
        while let digit = number(end, 1) {
          seconds += Double(digit) * unit
          (unit, end) = (unit / 10, end + 1)
        }
      }
      if has("Z", end) {
        end += 1
      } else if has("+", end) || has("-", end), let hours = number(end + 1, 2), has(":", end + 3),
        let minutes = number(end + 4, 2)
      {
        let offset = hours * 3600 + minutes * 60
        seconds -= Double(has("-", end) ? -offset : offset)
        end += 6
      }
    }
    if end < bytes.count, bytes[end].isWord { return nil }
  }
}

/// Days since 1970 in the proleptic Gregorian calendar.
///
/// Source: https://howardhinnant.github.io/date_algorithms.html
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
  let shifted = month > 2 ? year : year - 1
  let era = shifted / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}
