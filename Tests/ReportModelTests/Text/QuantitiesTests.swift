import Foundation
import Testing

@testable import ReportModel

@Suite struct QuantitiesTests {
  @Test(arguments: [
    (0.0, "0.0 ms"), (0.0004, "0.4 ms"), (0.00996, "10 ms"), (0.234, "234 ms"), (0.9996, "1.0 s"),
    (12.34, "12.3 s"),
    (59.96, "1 min 0 s"), (123, "2 min 3 s"), (3723, "1 h 2 min 3 s"),
  ])
  func durations(seconds: Double, text: String) {
    #expect(durationText(seconds) == text)
  }

  @Test func whatIsNoDurationHasNoText() {
    #expect([-1, .nan, .infinity, 1e300].compactMap(durationText).isEmpty)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (24_576, "24.6 kB"),
    (999_999, "1.0 MB"),
    (93_000_000, "93.0 MB"), (5_000_000_000_000, "5000.0 GB"),
  ])
  func sizes(bytes: Int, text: String) {
    #expect(sizeText(bytes) == text)
  }

  @Test func numbersAreGrouped() {
    #expect(
      [0, 999, 1000, 1_234_567, -1000].map { grouped($0) } == ["0", "999", "1,000", "1,234,567", "−1,000"])
    #expect(grouped(.min) == "−9,223,372,036,854,775,808")
  }

  @Test func timesAreInUTC() {
    #expect(timeText(1_795_246_588) == "2026-11-21 07:36:28 UTC")
    #expect(timeText(.nan) == nil)
  }

  @Test func theShellReadsOneWord() throws {
    let text = "it's $HOME `id` \"x\" \\ ; & *\n-"
    let printed = try run("sh", "-c", "printf %s " + shellQuoted(text)).output
    #expect(printed == text)
  }
}
