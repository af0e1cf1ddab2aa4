import Collector
import ReportModel

/// A failure's position among all.
struct FailureNeighbours {
  var position: Int
  var failures: [TestResult]
}

/// Values for `test.mustache`.
///
/// - Parameter neighbours: `nil` for a test that did not fail.
func testPageValues(
  _ test: TestResult, _ neighbours: FailureNeighbours?, in context: PageContext
) -> TemplateValues {
  let report = context.contents.report
  var values = context.pageValues(
    title: "\(test.outcome.word): \(shortened(test.title, to: 120)) · \(report.title)")
  values.set(
    "path", to: test.id.path.map { ["title": visibleOnOneLine(shortened($0, to: 80))] as TemplateValues })
  values.set("fullName", to: test.fullNameIfCut)
  values.set(
    "position", to: neighbours.map { "Failure \(grouped($0.position + 1)) of \(grouped($0.failures.count))" })
  values.set("chunk", to: neighbours.map { $0.position / failuresInADataFile })
  for (name, step) in [("previous", -1), ("next", 1)] {
    let neighbour = neighbours.flatMap { $0.failures[safe: $0.position + step] }
    values.set(
      name,
      to: neighbour.map { test -> TemplateValues in
        ["page": context.link(toPageOf: test), "name": visibleOnOneLine(shortened(test.title, to: 120))]
      })
  }
  values.set("name", to: test.nameValues)
  values.set("outcome", to: test.outcome.values)
  values.set("flaky", to: test.isFlaky ? flakyLabel : nil)
  values.set("duration", to: test.duration.flatMap(durationText))
  values.set("place", to: test.location.map { context.placeValues($0, text: $0.text) })
  values.set("framework", to: test.framework?.title)
  values.set("tags", to: test.tags.map { ["name": visibleOnOneLine($0)] as TemplateValues })
  values.set("testID", to: visibleOnOneLine(test.id.description))
  values.set("remark", to: remark(on: test))
  values.set("labels", to: test.labelsSentence)
  values.set("command", to: runCommand(for: test))
  values.set(
    "comparing",
    to: context.contents.lacksPass(test)
      ? context.contents.comparisonOffer.map { comparingCommand(for: test, with: $0) } : nil)
  values.set("issues", to: issuesValues(test, in: context))
  let story = StoryPart(of: test, in: context)
  let storyValues = story?.values
  values.set("story", to: storyValues)
  values.set("isFacing", to: story != nil && !test.issuesOfFailure.isEmpty)
  values.set("findings", to: findingsValues(of: test, in: context, story?.selection))
  values.set("crash", to: test.crash.map { crashValues($0, in: context) })
  values.set("attempts", to: attemptValues(test, in: context))
  values.set(
    "markdown",
    to: test.hasFailedOnce
      ? ShownTest(test, context.contents).markdown(limit: ShownTest.usualBytes) : nil)
  let output = outputValues(test.output)
  let properties = propertyValues(test.properties)
  values.set("output", to: output)
  values.set("properties", to: properties)
  values.set("hasRecorded", to: output != nil || properties != nil)
  values.set("evidence", to: evidenceValues(test, in: context))
  values.set("hasSQL", to: hasSQLBox(test, in: context))
  values.set("images", to: imageSources(of: test, in: context))
  values.set("standing", to: context.standings?[test.id].map { $0.values($0.word) })
  values.set("alike", to: alikeValues(test, in: context))
  values.set("durations", to: context.contents.pasts[test.id].flatMap { DurationChart($0).values })
  values.set("past", to: context.contents.pasts[test.id].map { $0.values(sentence: $0.briefSentence) })
  values.set("pagePath", to: context.names.path(of: test))
  values.set("skips", to: skips(to: values, storyValues, test))
  if let anchor = context.anchor(of: test) {
    values.set("isPart", to: true)
    values.set("anchor", to: anchor)
  }
  return values
}

/// The parts of the page that a keyboard is led to, before all else.
private func skips(to values: TemplateValues, _ story: TemplateValues?, _ test: TestResult)
  -> [TemplateValues]
{
  let hasDatabase = test.evidence.contains { $0.kind == .database }
  let parts: [(place: String, words: String, isThere: Bool)] = [
    ("issues", "what failed", values["issues"]?.isNothing == false),
    ("story", "what the test did", story != nil),
    ("steps", "all steps", story?["all"]?.isNothing == false),
    ("evidence", hasDatabase ? "the databases" : "the evidence", values["evidence"]?.isNothing == false),
  ]
  return parts.filter(\.isThere).map { ["place": $0.place, "words": $0.words] }
}

private func issuesValues(_ test: TestResult, in context: PageContext) -> TemplateValues? {
  let all = test.issuesOfFailure
  guard !all.isEmpty else { return nil }
  let issues = IssueList(all)
  let isOne = all.count == 1
  let list = issues.leading.map {
    issueValues($0.issue, of: test, number: isOne ? nil : $0.numbering, in: context)
  }
  return [
    "title": isOne || test.isFlaky ? "What failed" : counted(all.count, "issue"),
    "attempt": earlierFailureText(test), "list": list,
    "further": furtherIssuesValues(of: test, issues, in: context),
  ]
}

private let longestCrashText = 64 * 1024
private let longestFunction = 200

/// Values for template `crash`.
private func crashValues(_ crash: CrashOutput, in context: PageContext) -> TemplateValues {
  func text(_ lines: [String]) -> String? {
    lines.isEmpty ? nil : shortened(lines.joined(separator: "\n"), to: longestCrashText)
  }
  return [
    "hasFrames": !crash.frames.isEmpty,
    "frames": crash.frames.map { frame -> TemplateValues in
      [
        "function": visibleOnOneLine(shortened(frame.function, to: longestFunction)),
        "place": context.placeValues(frame.place, text: frame.place.text),
      ]
    },
    // What it said leads the page.
    "lastLines": text(crash.lastLines), "isFolded": crash.message != nil || crash.lastLines.count > 20,
    "backtrace": text(crash.backtrace),
  ]
}

/// The number of similar failures and a search for them.
private func alikeValues(_ test: TestResult, in context: PageContext) -> TemplateValues? {
  guard let alike = context.alike[test.id] else { return nil }
  let others = alike.total - 1
  return [
    "text": "\(counted(others, "other failure")) \(others == 1 ? "is" : "are") alike",
    "link": context.single == nil ? "\(context.base)index.html#q=alike:\(alike.number)" : nil,
  ]
}

/// A sentence on outcomes that need one.
func remark(on test: TestResult) -> String? {
  switch test.outcome {
  case .crashed: "Its process died while this test was running."
  case .unfinished:
    test.endedBy.map { "It was still running when its process died in \(visibleOnOneLine($0.description))." }
      ?? "It had begun when its process died, or no input says that it ended."
  case .failed where test.issues.isEmpty: "No input tells why it failed."
  case .skipped: test.skipReason.map { "Skipped: \(visible(shortened($0, to: 2000)))" }
  case .failed, .knownIssue, .passed: nil
  }
}

/// `swift test --filter` for exactly this test.
///
/// In a filter Swift Testing's names continue with `/` and the location, XCTest's end.
private func runCommand(for test: TestResult) -> String { "swift test \(filter(of: test))" }

private func comparingCommand(for test: TestResult, with name: String) -> String {
  "swift run reporter test --compare-with \(shellWord(name)) -- \(filter(of: test))"
}

private func filter(of test: TestResult) -> String {
  let specifier = test.id.module + "." + (test.id.suite + [test.id.name]).joined(separator: "/")
  let pattern = escapedPattern(specifier)
  let end =
    switch test.framework {
    case .xctest: "$"
    case .swiftTesting: "/"
    case nil: ""
    }
  return "--filter \(shellQuoted("^" + pattern + end))"
}

extension TestFramework {
  fileprivate var title: String {
    switch self {
    case .xctest: "XCTest"
    case .swiftTesting: "Swift Testing"
    }
  }
}
