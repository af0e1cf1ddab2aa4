import Collector
import ReportModel

/// An open `<testsuites>` or `<testsuite>`, with what it announces and what it holds.
struct XUnitSuite {
  /// `nil` for the whole file.
  var name: String?
  /// True for `<testsuites>`.
  var isRoot = false
  var framework: TestFramework?
  /// What its head says; a count that it lacks is 0.
  var announced = XUnitCounts()
  /// What it and the suites in it hold.
  var held = XUnitCounts()
  /// What the suites in it lack, which is said of them.
  var told = XUnitCounts()
  /// Failures of the suite itself, as of its set-up.
  var issues: [TestIssue] = []
  var output = ""
  var properties: [TestProperty] = []
  /// Its test while that is the only one, which failed: then the suite's output is the test's.
  var only: Observation?

  /// The only test, or the one that stands for the suite, with what the suite tells.
  func completing(_ test: Observation) -> Observation {
    var test = test
    if !output.isEmpty { test.output = (test.output ?? "") + output }
    test.properties += properties
    return test
  }

  /// Counts what it lacks, and has not been said of the suites in it.
  ///
  /// The outer counts may include those of the suites in it, or not.
  ///
  /// - Returns: A sentence for each count that is too large.
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

/// Numbers of tests, of failures and errors, and of skipped tests.
struct XUnitCounts {
  var tests = 0
  var failures = 0
  var skipped = 0

  /// What is more than in other counts.
  func exceeding(_ other: XUnitCounts) -> XUnitCounts { joined(other) { $0 > $1 ? $0 - $1 : 0 } }

  func larger(_ other: XUnitCounts) -> XUnitCounts { joined(other, max) }

  /// Adds counts of a file, which may be of any size.
  static func += (counts: inout XUnitCounts, other: XUnitCounts) { counts = counts.joined(other, sum) }

  private func joined(_ other: XUnitCounts, _ join: (Int, Int) -> Int) -> XUnitCounts {
    XUnitCounts(
      tests: join(tests, other.tests), failures: join(failures, other.failures),
      skipped: join(skipped, other.skipped))
  }

  /// The sum of two counts, none of them negative; the largest number where it is too large.
  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? .max : sum
  }

  /// Reads a count: 0 for a text that is none, the largest number for one that is too large.
  static func count(_ text: String) -> Int {
    let text = text.filter { !$0.isWhitespace }
    if let count = Int(text) { return max(0, count) }
    guard let number = Double(text), number > 0 else { return 0 }
    return Int(exactly: number.rounded()) ?? .max
  }
}
