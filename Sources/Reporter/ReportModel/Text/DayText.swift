import Foundation

/// A day in UTC, as `2026-11-24`.
package func dayText(_ seconds: Double) -> String {
  // A date of which nobody knows the year would end the process.
  guard (0..<253_402_300_800).contains(seconds) else { return "an unknown day" }
  return String(Date(timeIntervalSince1970: seconds).formatted(.iso8601).prefix(10))
}
