import Collector
import Foundation
import ReportModel

/// A test case of an xunit file, which decides its outcome when all of it was read.
struct XUnitCase {
  var test: Observation
  /// The text or the `message` of `<skipped>`; empty when it has none, `nil` without such an element.
  var skipped: String?
  /// The number of its `<failure>` and `<error>`; the console of one may tell several issues.
  var failureCount = 0
  /// The word of its `status` or `result`, which some writers give in place of an element.
  var status = ""
  /// True when it is not really skipped; pytest writes expected failures this way.
  var isExpectedFailure = false
  /// The output: `system-out` and `system-err`, one after the other.
  var output = ""
  /// True when the element was closed.
  var isComplete = false

  /// The test as its suite counts it; an attempt may be counted as a test.
  var counts: XUnitCounts {
    // Swift Testing's writer leaves skipped tests out of its count.
    let tests = test.framework == .swiftTesting && skipped != nil ? 0 : 1 + test.attempts.count
    return XUnitCounts(
      tests: tests, failures: failureCount == 0 ? 0 : failureCount + test.attempts.count,
      skipped: skipped == nil ? 0 : 1)
  }

  /// Takes the outcome from the status where no element tells it.
  ///
  /// Source: what GoogleTest, CTest and Jenkins write.
  mutating func readStatus() {
    guard failureCount == 0, skipped == nil else { return }
    switch status.lowercased() {
    case "notrun", "disabled", "skipped", "ignored", "suppressed": skipped = ""
    case "failed", "fail", "failure", "error":
      failureCount = 1
      test.issues.append(
        TestIssue(message: "failure", location: test.location, severity: .error, isKnown: false))
    default: break
    }
  }

  /// - Parameter folder: The folder of the file, which attachments must not leave.
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
