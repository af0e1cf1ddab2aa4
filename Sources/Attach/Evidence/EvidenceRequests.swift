import Collector
import ExhibitSystem

/// What the recorder does for a test that fails, or that asks for something.
extension Recorder {
  /// Records a failure and captures the evidence at the first one.
  ///
  /// - Parameter afterBody: Whether the body's own variables are gone already.
  func fail(_ scope: TestScope, with issue: RecordedIssue, afterBody: Bool) {
    let deadline = CaptureDeadline()
    withEnoughStack(for: scope, until: deadline) { [self] mayTouch in
      fail(scope, with: issue, afterBody: afterBody, until: deadline, mayTouch: mayTouch)
    }
  }

  private func fail(
    _ scope: TestScope, with issue: RecordedIssue, afterBody: Bool, until deadline: CaptureDeadline,
    mayTouch: Bool
  ) {
    output.log(issue, test: scope.id)
    let isFirst = scope.state.withLock { state in
      state.hasFailed = true
      defer { state.hasCaptured = true }
      return !state.hasCaptured
    }
    guard isFirst else { return }
    if settings.capture != .off {
      let evidence = FailureEvidence(
        job: CaptureJob(recorder: self, scope: scope, deadline: deadline))
      if mayTouch { evidence.captureFailure(afterBody: afterBody) } else { evidence.reportHeldMutex() }
    }
    scope.state.withLock { $0.isCaptureOver = true }
    held.drop(scope.serial)
  }

  func register(_ evidence: [Evidence], for scope: TestScope?, caller: String) {
    guard let scope else { return refuse(evidence, caller: caller) }
    scope.state.withLock { $0.registered.append(contentsOf: evidence) }
  }

  func attach(_ evidence: Evidence, keep: EvidenceKeep, to scope: TestScope?) {
    guard let scope else { return refuse([evidence], caller: "attach") }
    guard settings.capture != .off else { return }
    let deadline = CaptureDeadline()
    withEnoughStack(for: scope, until: deadline) { [self] mayTouch in
      let capture = FailureEvidence(job: CaptureJob(recorder: self, scope: scope, deadline: deadline))
      if mayTouch { capture.capture(evidence, keep: keep) } else { capture.reportHeldMutex(evidence) }
    }
  }

  func markBaseline(_ evidence: [Evidence], for scope: TestScope?) {
    guard let scope else {
      return output.log(
        CaptureFailure(
          kind: .database, name: "baseline", reason: .outsideTest,
          message:
            "markBaseline was called outside any test that is recorded. In Swift Testing the test needs the"
            + " trait .attachOnFailure."),
        test: nil)
    }
    guard settings.capture != .off else { return }
    let deadline = CaptureDeadline()
    withEnoughStack(for: scope, until: deadline) { [self] mayTouch in
      if mayTouch {
        BaselineMarking(job: CaptureJob(recorder: self, scope: scope, deadline: deadline)).mark(evidence)
      }
    }
  }

  func exclude(_ exclusions: Exclusions, for scope: TestScope?) {
    guard let scope else { return }
    scope.state.withLock { $0.exclusions.formUnion(exclusions) }
    logExclusions(exclusions, of: scope)
  }

  /// Names the mistake in the log.
  private func refuse(_ evidence: [Evidence], caller: String) {
    for evidence in evidence {
      output.log(
        CaptureFailure(
          kind: evidence.kind, name: evidence.name, source: evidence.source, reason: .outsideTest,
          message: "\(caller) was called outside any test that is recorded, so there is nothing to attach"
            + " \(evidence.name) to. In Swift Testing the test needs the trait .attachOnFailure."),
        test: nil)
    }
  }
}
