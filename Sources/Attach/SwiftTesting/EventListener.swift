import Collector
import ExhibitStart
import ExhibitSystem
import Testing

/// Records the tests of Swift Testing from its events.
///
/// An issue's event comes from the failing test, before teardown; starts and ends come from the runner, in a
/// task around the test's.
struct EventListener: Sendable {
  private static let outside = OutsideIssues()

  let recorder: Recorder

  func hear(_ record: UnsafeRawBufferPointer) {
    // Another test or case runs in this task now.
    exhibit_owners_changed()
    EventStreamFile.process?.append(record)
    switch TestEvent(record) {
    case .planned(let function): functions.plan(function)
    case .began(let key):
      if let function = functions.function(key) { functions.begin(function, for: recorder) }
    case .skipped(let key):
      guard let function = functions.function(key) else { return }
      recorder.finish(recorder.begin(function), outcome: .skipped, duration: nil)
    case .cancelled(let key): functions.cancel(key)
    case .caseCancelled:
      functions.here(for: recorder)?.state.withLock { $0.isCancelled = true }
    case .issue(let issue, let key): hear(issue, of: key)
    case .issueOutside(let issue, let instant):
      if Self.outside.isNew(issue, at: instant) { recorder.output.log(issue, test: nil) }
    case .ended(let key):
      if let ended = functions.end(key) { finish(ended) }
    case nil: return
    }
  }

  private var functions: RunningFunctions { recorder.functions }

  private func hear(_ issue: RecordedIssue, of key: PlannedFunction.Key) {
    if let scope = functions.here(for: recorder) ?? functions.whole(of: key, for: recorder) {
      return tell(issue, of: scope)
    }
    guard let function = functions.function(key) else {
      return recorder.output.log(issue, test: nil)
    }
    // A task of the test has outlived it.
    if function.hasBegun { return recorder.output.log(issue, test: function.id) }
    let scope = recorder.begin(function)
    tell(issue, of: scope)
    finish(scope, isCancelled: false, duration: nil)
  }

  private func tell(_ issue: RecordedIssue, of scope: TestScope) {
    guard issue.severity == .error, !issue.known else { return recorder.record(issue, of: scope) }
    // A thrown error's issue is at the declaration; the body's variables are gone then.
    let start = scope.start
    let isThrown =
      issue.message.hasPrefix("Caught error") && issue.line == start.line && issue.file == start.file
    EvidenceRequests(to: recorder).fail(scope, with: issue, afterBody: isThrown)
  }

  private func finish(_ ended: RunningFunction) {
    defer {
      if ended.function.isParameterized { recorder.log(FunctionEnd(), of: ended.function.id) }
    }
    let scopes = ended.scopes
    for scope in scopes where !scope.state.withLock({ $0.hasFinished }) {
      // A case's end is known when a trait ran around it.
      let age = scope.id.argument == nil ? scope.age : nil
      finish(
        scope, isCancelled: ended.isCancelled, duration: scope.state.withLock { $0.duration } ?? age)
    }
    guard scopes.isEmpty else { return }
    finish(recorder.begin(ended.function), isCancelled: ended.isCancelled, duration: nil)
  }

  /// - Parameter duration: Seconds, if known.
  func finish(_ scope: TestScope, isCancelled: Bool, duration: Double?) {
    let hasFailed = scope.state.withLock { $0.hasFailed }
    let isSkipped = isCancelled || scope.state.withLock { $0.isCancelled }
    recorder.finish(scope, outcome: hasFailed ? .failed : isSkipped ? .skipped : .passed, duration: duration)
  }
}
