import Foundation

/// `1 test`, `1,234 tests`.
package func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? singular : plural ?? singular + "s")"
}

/// `a, b and 3 more`.
///
/// - Parameter noun: In the singular, for `a, b and 3 others`.
package func listed(_ names: some Collection<String>, most: Int = 10, rest noun: String? = nil) -> String {
  let (first, rest) = (names.prefix(most).joined(separator: ", "), names.count - most)
  return rest > 0 ? "\(first) and \(noun.map { counted(rest, $0) } ?? "\(grouped(rest)) more")" : first
}

package func grouped(_ number: Int) -> String {
  var digits = String(number.magnitude)
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  return (number < 0 ? "−" : "") + ([digits] + groups).joined(separator: ",")
}

/// In decimal units: `812 bytes`, `24.6 kB`, `93.1 MB`.
package func sizeText(_ bytes: Int) -> String {
  var value = Double(bytes)
  guard value >= 1000 else { return counted(bytes, "byte") }
  for unit in ["kB", "MB", "GB"] {
    value /= 1000
    // 999.95 would be rounded up to 1000.0.
    if value < 999.95 || unit == "GB" { return "\(fixed(value, digits: 1)) \(unit)" }
  }
  return counted(bytes, "byte")
}

/// `0.4 ms`, `234 ms`, `12.3 s`, `2 min 3 s`; `nil` for an invalid duration.
package func durationText(_ seconds: Double) -> String? {
  guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return nil }
  if seconds < 0.00995 { return "\(fixed(seconds * 1000, digits: 1)) ms" }
  if seconds < 0.9995 { return "\(fixed(seconds * 1000, digits: 0)) ms" }
  if seconds < 59.95 { return "\(fixed(seconds, digits: 1)) s" }
  let whole = Int(seconds.rounded())
  let hours = whole / 3600
  return (hours > 0 ? "\(hours) h " : "") + "\(whole / 60 % 60) min \(whole % 60) s"
}

/// `2026-11-21 07:36:28 UTC`; `nil` for an invalid time.
package func timeText(_ secondsSince1970: Double) -> String? {
  guard secondsSince1970.isFinite, abs(secondsSince1970) < 1e11 else { return nil }
  let style = Date.ISO8601FormatStyle().year().month().day().dateSeparator(.dash)
    .dateTimeSeparator(.space).time(includingFractionalSeconds: false).timeSeparator(.colon)
  return Date(timeIntervalSince1970: secondsSince1970).formatted(style) + " UTC"
}

private func fixed(_ value: Double, digits: Int) -> String {
  guard digits > 0 else { return String(Int(value.rounded())) }
  let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((value * Double(scale)).rounded())
  return "\(scaled / scale).\(padded(String(scaled % scale), to: digits, with: "0"))"
}
