import Collector
import ReportModel

/// Facts on a whole xunit file.
struct XUnitDocument: Sendable, Equatable {
  var caseCount = 0
  /// The sorted test numbers at which suites begin or end.
  var bounds: [Int] = []
  /// True when a suite has more tests than announced, as when a test and its tear-down fail in pytest.
  var holdsMore = false
  /// Remarks on announced tests that are missing.
  var lacking = Remarks()
  /// The frameworks of SwiftPM's suites; `nil` for other writers.
  var frameworks: Set<TestFramework?> = []
  var isComplete = false
  /// True for a known root element.
  var isXUnit = false
  /// A syntax error beyond repair.
  var error: String?
  var repairs: Set<XMLRepair> = []
  /// Sentences on what was left out because of limits.
  var exceeded: [String] = []
}
