import Collector
import Foundation
import ReportModel

extension Observation {
  /// - Parameter folder: The folder of the file, which attachments must not leave.
  init(_ testCase: XUnitDocument.Case, folder: String) {
    let issues = testCase.failures.map { TestIssue($0, in: testCase) }
    self.init(
      id: testCase.id, framework: testCase.framework, outcome: testCase.outcome, duration: testCase.time)
    isOfXUnitAlone = true
    if let location = SourceReference(file: testCase.file, line: testCase.line) { self.location = location }
    if !issues.isEmpty { self.issues = issues }
    if let reason = testCase.skipped { note(skipped: reason, testCase.isExpectedFailure) }
    if !testCase.attempts.isEmpty {
      self.attempts = testCase.attempts.map { attempt in
        TestAttempt(
          outcome: .failed, issues: [TestIssue(attempt, in: testCase)],
          output: attempt.output.isEmpty ? nil : attempt.output)
      }
    }
    if !testCase.properties.isEmpty { self.properties = testCase.properties }
    if !testCase.output.isEmpty { take(testCase.output, folder: folder) }
  }

  private mutating func note(skipped reason: String, _ isExpectedFailure: Bool) {
    if isExpectedFailure {
      let message = reason.isEmpty ? "Expected to fail" : reason
      self.issues.append(
        TestIssue(message: message, location: self.location, severity: .error, isKnown: true))
    } else if !reason.isEmpty {
      self.skipReason = reason
    }
  }

  /// Keeps the output unless the test simply passed; attachments that it names are evidence.
  private mutating func take(_ output: String, folder: String) {
    if outcome.isFailure || self.attempts.contains(where: \.outcome.isFailure) { self.output = output }
    let attached = AttachmentMarker.evidence(in: output, folder: folder)
    if !attached.isEmpty { self.observed = attached }
  }
}

extension TestIssue {
  fileprivate init(_ failure: XUnitDocument.Failure, in testCase: XUnitDocument.Case) {
    let text = failure.text.withoutSpaceAround
    let isInText = text.isEmpty ? failure.message.isEmpty : text.contains(failure.message)
    let message = isInText ? text : text.isEmpty ? failure.message : "\(failure.message)\n\(text)"
    self.init(
      message: message.withoutSpaceAround,
      location: SourceReference(file: testCase.file, line: testCase.line), severity: .error, isKnown: false)
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

extension XUnitDocument.Case {
  fileprivate var outcome: Outcome {
    OutcomeTable.ofXUnit(
      hasFailed: !failures.isEmpty, isComplete: isComplete, isSkipped: skipped != nil,
      isExpectedFailure: isExpectedFailure)
  }
}
