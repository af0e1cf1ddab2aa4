import Collector
import ReportModel

/// The content of an xunit file without its test cases, which the reader passes on one by one.
struct XUnitDocument: Sendable, Equatable {
  /// The number of test cases passed on.
  var caseCount = 0
  /// The numbers of tests before which a suite begins or ends, sorted.
  var bounds: [Int] = []
  /// True when a suite announces fewer tests than it holds, as pytest does where a test fails and its tear-down too.
  var holdsMore = false
  /// What the heads of the suites announce and the suites do not hold.
  var lacking = Remarks()
  /// The test libraries for which SwiftPM wrote the suites; `nil` stands for other writers.
  var frameworks: Set<TestFramework?> = []
  /// True when the root element was closed.
  var isComplete = false
  /// True when the root is one that xunit files have.
  var isXUnit = false
  /// The error where the document is malformed beyond repair.
  var error: String?
  /// The changes that were needed to read it.
  var repairs: Set<XMLRepair> = []
  /// The parts that were left out because of a limit, each in one sentence.
  var exceeded: [String] = []
}
