/// A test case ended.
package struct TestEnd: LogPayload {
  package static let kind = "testFinished"

  package enum Outcome: String, Sendable, Codable, CaseIterable {
    case passed, failed, skipped
  }

  /// The outcome as far as the test process knew it; other inputs tell what came after, such as a time limit.
  package var outcome: Outcome
  /// Seconds; `nil` where its beginning or end is unknown.
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
