import ReportCauses
import ReportModel

/// What of a text may be another one in each run: UUIDs, long identifiers, and moments.
///
/// Where two texts are alike without these parts, the parts are compared one by one.
struct VaryingText: Hashable {
  enum Part: Hashable {
    case identifier(String)
    /// Seconds since 1970.
    case moment(Double)
  }

  /// The text with a mark in the place of each part.
  private(set) var shape: String
  private(set) var parts: [Part] = []

  /// Bytes that are looked at; what follows belongs to the shape.
  private static let mostBytes = 4000
  /// Characters of an identifier that nobody wrote by hand.
  private static let leastOfIdentifier = 16

  init(_ text: String) {
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
      if let end = Self.endOfMoment(bytes, place),
        let moment = Moment(String(decoding: bytes[place..<end], as: UTF8.self))
      {
        parts.append(.moment(moment.seconds))
        shape.append(0)
        place = end
        continue
      }
      let uuid = Self.endOfUUID(bytes, place)
      let end = uuid ?? bytes[place...].firstIndex { !$0.isWord } ?? bytes.count
      if uuid != nil || Self.isIdentifier(bytes[place..<end]) {
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

  /// The end of a UUID as RFC 9562 writes it.
  private static func endOfUUID(_ bytes: [UInt8], _ start: Int) -> Int? {
    var place = start
    for (index, count) in [8, 4, 4, 4, 12].enumerated() {
      if index > 0 {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "-") else { return nil }
        place += 1
      }
      guard place + count <= bytes.count, bytes[place..<place + count].allSatisfy(\.isHexadecimal) else {
        return nil
      }
      place += count
    }
    guard place == bytes.count || !bytes[place].isWord else { return nil }
    return endOfUniqueName(bytes, place) ?? place
  }

  /// The end of what Foundation's `globallyUniqueString` puts behind a UUID: the process and a time, `-7197-0000267C21AB34EF`.
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

  /// Hexadecimal digits with letters among them: words that people write have other letters too.
  private static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= leastOfIdentifier else { return false }
    var (digits, letters) = (0, 0)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): letters += 1
      default: return false
      }
    }
    return digits >= 3 && letters >= 2
  }

  /// The end of `2026-11-24T10:00:00.000Z`, or of its beginning down to the day.
  private static func endOfMoment(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start + leastOfDate <= bytes.count else { return nil }
    func digits(_ from: Int, _ count: Int) -> Bool {
      from + count <= bytes.count && bytes[from..<from + count].allSatisfy(\.isDigit)
    }
    guard digits(start, 4), bytes[start + 4] == UInt8(ascii: "-"), digits(start + 5, 2),
      bytes[start + 7] == UInt8(ascii: "-"), digits(start + 8, 2)
    else { return nil }
    var end = start + 10
    if end < bytes.count, bytes[end] == UInt8(ascii: "T") || bytes[end] == UInt8(ascii: " "),
      digits(end + 1, 2), end + 6 <= bytes.count, bytes[end + 3] == UInt8(ascii: ":"), digits(end + 4, 2)
    {
      end += 6
      if end + 3 <= bytes.count, bytes[end] == UInt8(ascii: ":"), digits(end + 1, 2) { end += 3 }
      if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), digits(end + 1, 1) {
        end += 1
        while end < bytes.count, bytes[end].isDigit { end += 1 }
      }
      if end < bytes.count, bytes[end] == UInt8(ascii: "Z") {
        end += 1
      } else if end + 6 <= bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-"),
        digits(end + 1, 2), bytes[end + 3] == UInt8(ascii: ":"), digits(end + 4, 2)
      {
        end += 6
      }
    }
    return end < bytes.count && bytes[end].isWord ? nil : end
  }
}

/// A moment as a text tells it, down to the second or only to the day.
struct Moment {
  /// Seconds since 1970, in UTC where the text names no offset.
  var seconds: Double

  /// - Parameter text: `2026-11-24`, `2026-11-24 10:00`, `2026-11-24T10:00:00.000+01:00` and the like.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start >= 0, start + count <= bytes.count else { return nil }
      return bytes[start..<start + count].reduce(Optional(0)) { sum, byte in
        sum.flatMap { byte.isDigit ? $0 * 10 + Int(byte - 0x30) : nil }
      }
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    seconds = Double(days) * 86_400
    guard let hour = number(11, 2), let minute = number(14, 2) else { return }
    seconds += Double(hour * 3600 + minute * 60)
    guard bytes.count > 16 else { return }
    var place = 16
    if bytes[16] == UInt8(ascii: ":"), let second = number(17, 2) {
      seconds += Double(second)
      place = 19
      if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
        var unit = 0.1
        place += 1
        while let digit = number(place, 1) {
          seconds += Double(digit) * unit
          unit /= 10
          place += 1
        }
      }
    }
    guard place < bytes.count, bytes[place] != UInt8(ascii: "Z"), let hours = number(place + 1, 2) else {
      return
    }
    let offset = hours * 3600 + (number(place + 4, 2) ?? 0) * 60
    seconds -= Double(bytes[place] == UInt8(ascii: "-") ? -offset : offset)
  }
}
