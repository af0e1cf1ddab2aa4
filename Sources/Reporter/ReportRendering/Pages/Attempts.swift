import ReportModel

private let mostAttempts = 12

private let mostIssues = 5

/// Values for template `attempts`; `nil` for a single attempt.
func attemptValues(_ test: TestResult, in context: PageContext) -> TemplateValues? {
  guard !test.attempts.isEmpty else { return nil }
  let shown = test.attempts.suffix(mostAttempts - 1)
  let omitted = test.attempts.count - shown.count
  var list = shown.enumerated().map { attemptValues($1, title: "Attempt \(omitted + $0 + 1)") }
  // Named as evidence names its run.
  let run = test.evidence.lazy.compactMap(\.run).first { run in !test.attempts.contains { $0.run == run } }
  var last = TestAttempt(outcome: test.outcome, duration: test.duration, issues: test.issues, run: run)
  last.label = test.decidingLabel
  var decides = attemptValues(last, title: "Last attempt, which counts")
  decides.set("decides", to: true)
  list.append(decides)
  return [
    "title": counted(test.attempts.count + 1, "attempt"), "list": list,
    "remark": test.labelsSentence
      ?? (test.isFlaky ? "It is flaky: it failed, and passed when it was repeated." : alikeSentence(test)),
    "omitted": omitted > 0 ? "\(counted(omitted, "earlier attempt")): see report.json." : nil,
  ]
}

/// Which attempt the issues of a test are of that failed before the one that counts.
func earlierFailureText(_ test: TestResult) -> String? {
  guard let index = test.earlierFailure, !test.attempts[index].issues.isEmpty else { return nil }
  let last = test.outcome == .passed ? "The last one passed, and counts." : "The last one counts."
  return "In attempt \(grouped(index + 1)) of \(grouped(test.attempts.count + 1)). \(last)"
}

/// That it failed alike in all attempts, which says more than each of them.
private func alikeSentence(_ test: TestResult) -> String? {
  let messages = test.issues.map(\.message)
  guard test.outcome == .failed,
    test.attempts.allSatisfy({ $0.outcome == .failed && $0.issues.map(\.message) == messages })
  else { return nil }
  return "It failed in all \(counted(test.attempts.count + 1, "attempt")), alike."
}

private func attemptValues(_ attempt: TestAttempt, title: String) -> TemplateValues {
  let rest = attempt.issues.count - mostIssues
  return [
    "title": title, "outcome": attempt.outcome.values, "decides": false,
    "duration": attempt.duration.flatMap(durationText), "run": attempt.run.map { visibleOnOneLine($0.name) },
    "label": attempt.label.map { visibleOnOneLine(shortened($0, to: 200)) },
    "messages": attempt.issues.prefix(mostIssues).map { issue in
      [
        "location": issue.location.map { visibleOnOneLine($0.text) },
        "message": shortened(issue.message, to: longestMessage),
      ] as TemplateValues
    },
    "rest": rest > 0 ? counted(rest, "more issue") : nil,
    "output": outputValues(attempt.output),
  ]
}

private let longestMessage = 4000
