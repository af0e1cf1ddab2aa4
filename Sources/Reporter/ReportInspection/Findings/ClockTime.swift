/// A time of day in a text: `09:30`, `09:30:15`, `09:30:15.250`.
struct ClockTime {
  let hour: Int
  let minute: Int
  let second: Int?
  let end: Int

  init?(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    guard bytes.matches("dd:dd", from: start) else { return nil }
    hour = bytes.number(at: start, digits: 2)
    minute = bytes.number(at: start + 3, digits: 2)
    var place = start + 5
    if bytes.matches(":dd", from: place) {
      second = bytes.number(at: place + 1, digits: 2)
      place += 3
    } else {
      second = nil
    }
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: ",") {
      place += 1
      while place < bytes.count, bytes.matches("d", from: place) { place += 1 }
    }
    end = place
  }

  /// True for a valid time of day.
  ///
  /// `24:00` ends a day; a leap second ends a quarter of an hour in any time zone.
  var isTimeOfDay: Bool {
    hour == 24 ? minute == 0 && second ?? 0 == 0 : hour < 24 && isTimeOfAnHour
  }

  /// True for a valid time or duration.
  var isTimeOfAnHour: Bool {
    guard let second else { return minute < 60 }
    return minute < 60 && (second < 60 || second == 60 && minute % 15 == 14)
  }
}

extension DateForm {
  /// True for an existing day and time.
  ///
  /// `0000-00-00` stands for no date, `2026-00-00` for a year.
  func exists(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if let clock = ClockTime(bytes, from: 11), !clock.isTimeOfDay { return false }
    switch self {
    case .day, .time, .yearSlashes:
      let (month, day) = (bytes.number(at: 5, digits: 2), bytes.number(at: 8, digits: 2))
      return month == 0 && day == 0 || Self.hasDay(bytes.number(at: 0, digits: 4), month, day)
    case .points, .slashes:
      let (first, second) = (bytes.number(at: 0, digits: 2), bytes.number(at: 3, digits: 2))
      let year = bytes.number(at: 6, digits: 4)
      if first == 0, second == 0 { return true }
      // With slashes the order of day and month is unknown.
      return Self.hasDay(year, second, first) || self == .slashes && Self.hasDay(year, first, second)
    }
  }

  private static func hasDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    return day <= daysOfMonth(month, year)
  }
}

func daysOfMonth(_ month: Int, _ year: Int) -> Int {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// True when the bytes match a pattern where `d` is a digit.
  func matches(_ pattern: StaticString, from start: Int = 0) -> Bool {
    guard count >= start + pattern.utf8CodeUnitCount else { return false }
    for index in 0..<pattern.utf8CodeUnitCount {
      let (byte, wanted) = (self[start + index], pattern.utf8Start[index])
      let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      guard wanted == UInt8(ascii: "d") ? isDigit : byte == wanted else { return false }
    }
    return true
  }

  func number(at place: Int, digits: Int) -> Int {
    var number = 0
    for index in place..<place + digits { number = number * 10 + Int(self[index]) - 48 }
    return number
  }
}
