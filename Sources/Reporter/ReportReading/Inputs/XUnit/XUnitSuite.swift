import Collector
import ReportModel

/// An open `<testsuites>` or `<testsuite>`.
struct XUnitSuite {
  var name: String?
  var isRoot = false
  var framework: TestFramework?
  var announced = XUnitCounts()
  var held = XUnitCounts()
  /// Missing tests that inner suites have told.
  var told = XUnitCounts()
  /// Failures of the suite itself, such as in set-up.
  var issues: [TestIssue] = []
  var output = ""
  var properties: [TestProperty] = []
  var only: Observation?

  func completing(_ test: Observation) -> Observation {
    var test = test
    if !output.isEmpty { test.output = (test.output ?? "") + output }
    test.properties += properties
    return test
  }

  /// Sentences on missing tests that no inner suite told; outer totals may include inner ones or not.
  mutating func close() -> [String] {
    let missing = announced.exceeding(held)
    let untold = missing.exceeding(told)
    told = missing.larger(told)
    var sentences: [String] = []
    func tell(_ count: WritableKeyPath<XUnitCounts, Int>, _ words: String, _ advice: String = "") {
      guard untold[keyPath: count] > 0 else { return }
      let subject = name.map { "The suite \(shortened($0, to: 200))" } ?? "The file"
      sentences.append("\(subject) announces \(words) and holds \(grouped(held[keyPath: count])).\(advice)")
    }
    tell(\.tests, counted(announced.tests, "test"))
    let advice =
      framework == .swiftTesting
      ? " Swift Testing counts issues of no test, as of a detached task; what swift test printed has them."
      : ""
    tell(\.failures, counted(announced.failures, "failure or error", "failures and errors"), advice)
    tell(\.skipped, counted(announced.skipped, "skipped test"))
    return sentences
  }
}

struct XUnitCounts {
  var tests = 0
  var failures = 0
  var skipped = 0

  func exceeding(_ other: XUnitCounts) -> XUnitCounts { joined(other) { $0 > $1 ? $0 - $1 : 0 } }

  func larger(_ other: XUnitCounts) -> XUnitCounts { joined(other, max) }

  static func += (counts: inout XUnitCounts, other: XUnitCounts) { counts = counts.joined(other, sum) }

  private func joined(_ other: XUnitCounts, _ join: (Int, Int) -> Int) -> XUnitCounts {
    XUnitCounts(
      tests: join(tests, other.tests), failures: join(failures, other.failures),
      skipped: join(skipped, other.skipped))
  }

  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? .max : sum
  }

  /// Reads a count: 0 if invalid, `Int.max` if too large.
  static func count(_ text: String) -> Int {
    let text = text.filter { !$0.isWhitespace }
    if let count = Int(text) { return max(0, count) }
    guard let number = Double(text), number > 0 else { return 0 }
    return Int(exactly: number.rounded()) ?? .max
  }
}
