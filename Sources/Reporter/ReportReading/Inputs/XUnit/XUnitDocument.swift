import Collector
import ReportModel

/// Facts on a whole xunit file.
struct XUnitDocument: Sendable, Equatable {
  var caseCount = 0
  /// The sorted test numbers at which suites begin or end.
  var bounds: [Int] = []
  /// True when a suite has more tests than announced: in pytest a test and its tear-down can both fail.
  var holdsMore = false
  var lacking = Remarks()
  /// Of SwiftPM's suites; `nil` for other writers.
  var frameworks: Set<TestFramework?> = []
  var isComplete = false
  var isXUnit = false
  var error: String?
  var repairs: Set<XMLRepair> = []
  var exceeded: [String] = []
}
