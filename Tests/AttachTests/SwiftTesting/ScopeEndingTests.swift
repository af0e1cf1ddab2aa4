import Testing

@testable import Attach

/// What the end of a test's body tells: whether it failed, was cancelled, or ran out of time.
@Suite struct ScopeEndingTests {
  private struct Refused: Error {}

  @Test func aBodyThatReturns() {
    guard case .returned = ScopeEnding(nil, isCancelled: false, hasTimeLimit: { true }) else {
      Issue.record("it returned in time")
      return
    }
  }

  @Test func anErrorOfTheBodyIsAFailure() {
    guard case .failed(let error) = ScopeEnding(Refused(), isCancelled: false, hasTimeLimit: { false }) else {
      Issue.record("it threw")
      return
    }
    #expect(error is Refused)
  }

  @Test func cancellationWithATimeLimitIsTheTimeLimit() {
    for error in [nil, CancellationError()] as [(any Error)?] {
      guard case .timeLimit = ScopeEnding(error, isCancelled: true, hasTimeLimit: { true }) else {
        Issue.record("it ran out of time")
        return
      }
    }
  }

  @Test func cancellingATestIsNoFailure() {
    for hasTimeLimit in [false, true] {
      guard case .cancelled = ScopeEnding(Refused(), isCancelled: true, hasTimeLimit: { hasTimeLimit }) else {
        Issue.record("Test.cancel throws an error of its own")
        return
      }
    }
  }
}
