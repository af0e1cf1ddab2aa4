import Collector
import Foundation
import ReportModel

/// A test case of an xunit file, which decides its outcome when all of it was read.
struct XUnitCase {
  var test: Observation
  /// The text or the `message` of `<skipped>`; empty when it has none, `nil` without such an element.
  var skipped: String?
  /// True when it is not really skipped; pytest writes expected failures this way.
  var isExpectedFailure = false
  /// The output: `system-out` and `system-err`, one after the other.
  var output = ""
  /// True when the element was closed.
  var isComplete = false

  /// The test as its suite counts it; an attempt may be counted as a test.
  var counts: XUnitCounts {
    let failures = test.issues.count
    // Swift Testing's writer leaves skipped tests out of its count.
    let tests = test.framework == .swiftTesting && skipped != nil ? 0 : 1 + test.attempts.count
    return XUnitCounts(
      tests: tests, failures: failures == 0 ? 0 : failures + test.attempts.count,
      skipped: skipped == nil ? 0 : 1)
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

extension TestIssue {
  /// - Parameters:
  ///   - summary: The `message` of a `<failure>` or `<error>`, or of one of another attempt.
  ///   - text: The text in it.
  init(_ summary: String, _ text: String, at location: SourceReference?) {
    let text = text.withoutSpaceAround
    let isInText = text.isEmpty ? summary.isEmpty : text.contains(summary)
    let message = isInText ? text : text.isEmpty ? summary : "\(summary)\n\(text)"
    self.init(message: message.withoutSpaceAround, location: location, severity: .error, isKnown: false)
  }
}

extension String {
  /// Trims white space; most texts have none, and Foundation takes long to find that out.
  fileprivate var withoutSpaceAround: String {
    guard let first = utf8.first, let last = utf8.last else { return self }
    let isTrimmed = (0x21..<0x80).contains(first) && (0x21..<0x80).contains(last)
    return isTrimmed ? self : trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
