import Foundation

/// A day in UTC, as `2026-11-24`.
package func dayText(_ seconds: Double) -> String {
  // Foundation traps for other years.
  guard (0..<253_402_300_800).contains(seconds) else { return "an unknown day" }
  return String(Date(timeIntervalSince1970: seconds).formatted(.iso8601).prefix(10))
}
