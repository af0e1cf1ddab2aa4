package struct TestEnd: LogPayload {
  package static let kind = "testFinished"

  package enum Outcome: String, Sendable, Codable, CaseIterable {
    case passed, failed, skipped
  }

  /// As the test process knew it; other inputs tell of a later time limit.
  package var outcome: Outcome
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
