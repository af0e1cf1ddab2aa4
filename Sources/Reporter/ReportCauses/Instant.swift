import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// A moment as a text tells it: `2026-04-01T05:05:00+05:30`.
struct Instant {
  /// Since 1970, in UTC.
  var seconds: Int
  /// The month in UTC, and as it is written.
  var month: Int
  var writtenMonth: Int

  init?(_ value: Story.Value?) {
    guard case .text(let text, nil)? = value else { return nil }
    let bytes = Array(text.utf8.prefix(40))
    func number(_ start: Int, _ count: Int) -> Int? { bytes.number(at: start, digits: count) }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2), bytes[4] == UInt8(ascii: "-"),
      (1...12).contains(month), bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ")
    else { return nil }
    var place = 19
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place = bytes[(place + 1)...].firstIndex { !$0.isDigit } ?? bytes.count
    }
    var offset = 0
    if place < bytes.count, bytes[place] != UInt8(ascii: "Z") {
      guard bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-"),
        let hours = number(place + 1, 2)
      else { return nil }
      let minutes = number(place + 4, 2) ?? number(place + 3, 2) ?? 0
      offset = (hours * 60 + minutes) * (bytes[place] == UInt8(ascii: "-") ? -60 : 60)
    }
    let days = daysSince1970(year: year, month: month, day: day)
    seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    writtenMonth = year * 12 + month - 1
    // The offset moves a time by a day at most.
    let inUTC = hour * 3600 + minute * 60 + second - offset
    let dayInUTC = day + (inUTC < 0 ? -1 : inUTC >= 86_400 ? 1 : 0)
    self.month = writtenMonth + (dayInUTC < 1 ? -1 : dayInUTC > daysOfMonth(month, year) ? 1 : 0)
  }
}

/// Counts the days since 1970 of a day of the proleptic Gregorian calendar.
///
/// Source: https://howardhinnant.github.io/date_algorithms.html
package func daysSince1970(year: Int, month: Int, day: Int) -> Int {
  let shifted = month > 2 ? year : year - 1
  let era = shifted / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}
