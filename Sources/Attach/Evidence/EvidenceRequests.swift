import Collector
import ExhibitStart
import ExhibitSystem

struct EvidenceRequests: Sendable {
  let recorder: Recorder
  let patience: Duration

  init(to recorder: Recorder, patience: Duration = CaptureDeadline.patience) {
    self.recorder = recorder
    self.patience = patience
  }

  static var process: EvidenceRequests? { Recorder.process.map { EvidenceRequests(to: $0) } }

  /// - Parameter afterBody: True when the body's variables are gone.
  func fail(_ scope: TestScope, with issue: RecordedIssue, afterBody: Bool) {
    withEnoughStack(for: scope) { mayTouch, deadline in
      fail(scope, with: issue, afterBody: afterBody, until: deadline, mayTouch: mayTouch)
    }
  }

  private func fail(
    _ scope: TestScope, with issue: RecordedIssue, afterBody: Bool, until deadline: CaptureDeadline,
    mayTouch: Bool
  ) {
    recorder.record(issue, of: scope)
    let isFirst = scope.state.withLock { state in
      state.hasFailed = true
      defer { state.hasCaptured = true }
      return !state.hasCaptured
    }
    guard isFirst else { return }
    recorder.writePasses()
    if recorder.settings.capture != .off {
      let job = CaptureJob(recorder: recorder, scope: scope, deadline: deadline)
      StoryEvidence(recorder: recorder, scope: scope).write(mayTouch ? job.open : nil)
      let evidence = FailureEvidence(job: job)
      if mayTouch { evidence.captureFailure(afterBody: afterBody) } else { evidence.reportUnreachable() }
    }
    scope.state.withLock { $0.isCaptureOver = true }
    recorder.held.drop(scope.serial)
  }

  func register(_ evidence: [Evidence], for scope: TestScope?, caller: String) {
    guard let scope else { return refuse(evidence, caller: caller) }
    scope.state.withLock { $0.registered.append(contentsOf: evidence) }
  }

  func attach(_ evidence: Evidence, keep: EvidenceKeep, to scope: TestScope?) {
    guard let scope else { return refuse([evidence], caller: "attach") }
    guard recorder.settings.capture != .off else { return }
    withEnoughStack(for: scope) { mayTouch, deadline in
      let capture = FailureEvidence(job: CaptureJob(recorder: recorder, scope: scope, deadline: deadline))
      if mayTouch { capture.capture(evidence, keep: keep) } else { capture.reportUnreachable(evidence) }
    }
  }

  func markBaseline(_ evidence: [Evidence], for scope: TestScope?) {
    guard let scope else {
      return recorder.output.log(
        CaptureFailure(
          kind: .database, name: "baseline", reason: .outsideTest,
          message: "markBaseline was called outside any test that is recorded. \(placeOfTests)"),
        test: nil)
    }
    guard recorder.settings.capture != .off else { return }
    recorder.trace.mark(exhibit_trace_baseline, of: scope)
    withEnoughStack(for: scope) { mayTouch, deadline in
      if mayTouch {
        BaselineMarking(job: CaptureJob(recorder: recorder, scope: scope, deadline: deadline)).mark(evidence)
      }
    }
  }

  func exclude(_ exclusions: Exclusions, for scope: TestScope?) {
    guard let scope else { return }
    scope.state.withLock { $0.exclusions.formUnion(exclusions) }
    recorder.trace.exclude(exclusions.tables)
    recorder.logExclusions(exclusions, of: scope)
  }

  /// Tells `body` whether it may touch connections and until when it may wait.
  private func withEnoughStack(
    for scope: TestScope, _ body: @escaping @Sendable (_ mayTouch: Bool, CaptureDeadline) -> Void
  ) {
    let deadline = CaptureDeadline(patience)
    do throws(CaptureStack.NoThread) {
      try recorder.stack.run(for: scope, until: deadline) { mayTouch in body(mayTouch, deadline) }
    } catch {
      recorder.output.complainAboutThread()
    }
  }

  private var placeOfTests: String {
    recorder.functions.isHeard
      ? "Swift Testing knows of no test there, as in a detached task and on a thread of one's own."
      : "In Swift Testing the test needs the trait .attachOnFailure."
  }

  private func refuse(_ evidence: [Evidence], caller: String) {
    for evidence in evidence {
      recorder.output.log(
        CaptureFailure(
          kind: evidence.kind, name: evidence.name, source: evidence.source, reason: .outsideTest,
          message: "\(caller) was called outside any test that is recorded, so there is nothing to attach"
            + " \(evidence.name) to. \(placeOfTests)"),
        test: nil)
    }
  }
}
