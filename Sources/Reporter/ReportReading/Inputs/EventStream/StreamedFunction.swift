import Collector
import Foundation
import ReportModel

/// A test function or suite in an event stream, with its cases.
struct StreamedFunction {
  let id: TestCaseID
  private let displayName: String?
  private let location: SourceReference?
  private let tags: [String]
  let isFunction: Bool
  private var whole = Span()
  private var cases: [String: (argument: TestCaseID.Argument, span: Span)] = [:]
  private var caseOrder: [String] = []
  private var ordinals: [String: Int] = [:]
  private var seen: [String: Int] = [:]

  init(id: TestCaseID, plan: EventStreamRecord.Test?) {
    self.id = id
    displayName = plan?.displayName
    location = SourceReference(plan?.sourceLocation)
    tags = (plan?._tags ?? []).map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    isFunction = plan.map { $0.kind == "function" } ?? true
    for testCase in plan?._testCases ?? [] { reserveOrdinal(of: testCase) }
  }

  mutating func add(_ event: EventStreamRecord.Event, attachments: [String]) {
    guard let testCase = event._testCase else {
      whole.add(event, attachments: attachments)
      return
    }
    if cases[testCase.id] == nil {
      if ordinals[testCase.id] == nil { reserveOrdinal(of: testCase) }
      let argument = TestCaseID.Argument(
        ordinal: ordinals[testCase.id] ?? 0, description: testCase.displayName)
      cases[testCase.id] = (argument, Span())
      caseOrder.append(testCase.id)
    }
    cases[testCase.id]?.span.add(event, attachments: attachments)
  }

  private mutating func reserveOrdinal(of testCase: EventStreamRecord.TestCase) {
    guard ordinals[testCase.id] == nil else { return }
    ordinals[testCase.id] = seen[testCase.displayName, default: 0]
    seen[testCase.displayName, default: 0] += 1
  }

  /// The cases that ran when the stream stopped; 1 for a function without cases.
  var openCount: Int {
    guard isFunction else { return 0 }
    if cases.isEmpty { return whole.isOpen ? 1 : 0 }
    return caseOrder.count { cases[$0]?.span.isOpen == true }
  }

  var isWaiting: Bool { isFunction && cases.isEmpty && whole.isSilent }

  /// One for each case, or for a function without cases or with issues outside of them.
  func observations(openOutcome: Outcome) -> [Observation] {
    let ofCases = caseOrder.compactMap { cases[$0] }.map { testCase in
      var caseID = id
      caseID.argument = testCase.argument
      return observation(caseID, testCase.span, openOutcome)
    }
    let failsAsWhole =
      whole.issues.contains(where: \.isFailure) || whole.attempts.contains { $0.outcome.isFailure }
    let speaksForItself = isFunction && cases.isEmpty && !whole.isSilent
    guard speaksForItself || failsAsWhole || !(cases.isEmpty || whole.evidence.isEmpty) else {
      return ofCases
    }
    return ofCases + [observation(id, whole, openOutcome)]
  }

  private func observation(_ id: TestCaseID, _ span: Span, _ openOutcome: Outcome) -> Observation {
    let ended = OutcomeTable.ofStreamedEnd(isSkipped: span.isSkipped, issues: span.issues)
    let isUndecided = span.isOpen && (cases.isEmpty || id.argument != nil)
    return Observation(
      id: id, framework: .swiftTesting, displayName: displayName,
      outcome: isUndecided ? OutcomeTable.ofOpenTest(openOutcome, issues: span.issues) : ended,
      duration: span.duration, location: location, issues: span.issues, observed: span.evidence, tags: tags,
      skipReason: span.isSkipped ? span.skipReason : nil, attempts: span.attempts,
      span: span.startTime.map { TestSpan(process: "Swift Testing", start: $0) })
  }
}

private struct Span {
  private var start: Double?
  /// Seconds since 1970.
  private(set) var startTime: Double?
  private var end: Double?
  private(set) var isOpen = false
  private var hasEnded = false
  private(set) var isSkipped = false
  private(set) var skipReason: String?
  private(set) var issues: [TestIssue] = []
  private(set) var evidence: [ObservedEvidence] = []
  /// Earlier repetitions (`swift test --repetitions`).
  private(set) var attempts: [TestAttempt] = []
  private(set) var isSilent = true

  /// Seconds, rounded to nanoseconds: further digits are noise.
  var duration: Double? {
    guard let start, let end, end >= start else { return nil }
    let seconds = ((end - start) * 1e9).rounded() / 1e9
    return seconds.isFinite ? seconds : nil
  }

  mutating func add(_ event: EventStreamRecord.Event, attachments: [String]) {
    isSilent = false
    switch event.kind {
    case "testStarted", "testCaseStarted":
      if hasEnded, event._testCase != nil || event.kind == "testStarted" { repeats() }
      isOpen = event._testCase != nil || event.kind == "testStarted"
      start = event.instant?.absolute
      startTime = event.instant?.since1970
    case "testEnded", "testCaseEnded":
      // Without experimental fields a case's end looks like the function's; only `testEnded` ends that.
      guard event._testCase != nil || event.kind == "testEnded" else { return }
      (isOpen, hasEnded) = (false, true)
      end = event.instant?.absolute
    case "testSkipped", "testCancelled": skip(event)
    case "testCaseCancelled": if event._testCase != nil { skip(event) }
    case "issueRecorded": if let issue = event.issue { issues.append(TestIssue(event, issue)) }
    case "valueAttached":
      if let attached = ObservedEvidence(event, in: attachments) { evidence.append(attached) }
    default: break
    }
  }

  private mutating func repeats() {
    let outcome = OutcomeTable.ofStreamedEnd(isSkipped: isSkipped, issues: issues)
    attempts.append(TestAttempt(outcome: outcome, duration: duration, issues: issues))
    (issues, end, hasEnded, isSkipped, skipReason) = ([], nil, false, false, nil)
  }

  private mutating func skip(_ event: EventStreamRecord.Event) {
    isSkipped = true
    let comments = (event._comments ?? []).joined(separator: "\n")
    let message = (event.messages ?? []).map(\.text).joined(separator: "\n")
    skipReason = comments.isEmpty ? Self.quotedReason(in: message) : comments
  }

  private static func quotedReason(in message: String) -> String? {
    guard let colon = message.range(of: " skipped: \""), message.hasSuffix("\"") else {
      return message.isEmpty ? nil : message
    }
    return String(message[colon.upperBound...].dropLast())
  }
}
