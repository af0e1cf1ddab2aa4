/// A test case ended.
package struct TestEnd: LogPayload {
  package static let kind = "testFinished"

  package enum Outcome: String, Sendable, Codable, CaseIterable {
    case passed, failed, skipped
  }

  /// As far as the test process knew; what came after (a time limit) other inputs tell.
  package var outcome: Outcome
  /// Seconds; `nil` where nobody told when it began or ended.
  package var duration: Double?

  package init(outcome: Outcome, duration: Double?) {
    self.outcome = outcome
    self.duration = duration
  }

  package func write(to text: inout JSONText) {
    text.member("outcome", outcome.rawValue)
    text.member("duration", duration)
  }
}
