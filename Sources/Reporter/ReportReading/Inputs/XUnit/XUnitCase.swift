import Collector
import Foundation
import ReportModel

/// A test case of an xunit file while it is read.
struct XUnitCase {
  var test: Observation
  /// The reason in `<skipped>`, possibly empty.
  var skipped: String?
  var failureCount = 0
  var status = ""
  /// True for pytest's expected failures, written as skipped.
  var isExpectedFailure = false
  var output = ""
  var isComplete = false

  var counts: XUnitCounts {
    // Swift Testing's writer does not count skipped tests.
    let tests = test.framework == .swiftTesting && skipped != nil ? 0 : 1 + test.attempts.count
    return XUnitCounts(
      tests: tests, failures: failureCount == 0 ? 0 : failureCount + test.attempts.count,
      skipped: skipped == nil ? 0 : 1)
  }

  /// Takes the outcome from the status if no element tells it.
  ///
  /// Sources: GoogleTest, CTest, Jenkins.
  mutating func readStatus() {
    guard failureCount == 0, skipped == nil else { return }
    switch status.lowercased() {
    case "notrun", "disabled", "skipped", "ignored", "suppressed": skipped = ""
    case "failed", "fail", "failure", "error":
      failureCount = 1
      test.issues.append(
        TestIssue(message: "failure", location: test.location, severity: .error, isKnown: false))
    // Others pass: JUnit tells failures by elements.
    default: break
    }
  }

  /// - Parameter folder: Attachments must not leave it.
  consuming func observation(folder: String) -> Observation {
    var test = test
    test.outcome = OutcomeTable.ofXUnit(
      hasFailed: !test.issues.isEmpty, isComplete: isComplete, isSkipped: skipped != nil,
      isExpectedFailure: isExpectedFailure)
    if let skipped, isExpectedFailure {
      let message = skipped.isEmpty ? "Expected to fail" : skipped
      test.issues.append(
        TestIssue(message: message, location: test.location, severity: .error, isKnown: true))
    } else if let skipped, !skipped.isEmpty {
      test.skipReason = skipped
    }
    if output.isEmpty { return test }
    if test.hasFailedOnce { test.output = output }
    let attached = AttachmentMarker.evidence(in: output, folder: folder)
    if !attached.isEmpty { test.observed = attached }
    return test
  }
}
