import Collector
import ReportModel

private let mostSlow = 3

/// Values for template `glance`, the run in brief; `nil` without tests.
func glanceValues(
  _ line: TimeLine?, _ slowest: [TestResult]?, in context: PageContext
) -> TemplateValues? {
  let counts = context.counts
  guard counts.total > 0 else { return nil }
  let words = Outcome.allCases.filter { counts[$0] > 0 }.map { $0.phrase(counts[$0]) }
  let times = [
    context.wallTime.flatMap(durationText).map { "\($0) from first to last" },
    counts.duration.flatMap(durationText).map { "\($0) added up" },
  ]
  return [
    "outcomes": words.joined(separator: ", "), "shares": proportionValues(counts),
    "ways": wayValues(line, slowest, in: context),
    "times": joined(times, by: ", "),
    "line": line.map(glanceLineValues),
    "slowest": slowest?.prefix(mostSlow).map { test -> TemplateValues in
      [
        "name": test.nameValues, "page": context.link(toPageOf: test),
        "duration": test.duration.flatMap(durationText),
      ]
    },
    "hasSlowest": slowest != nil,
  ]
}

private func wayValues(
  _ line: TimeLine?, _ slowest: [TestResult]?, in context: PageContext
) -> [TemplateValues] {
  let counts = context.counts
  let fixed = context.standings?.fixed.count ?? 0
  let ways: [(anchor: String, words: String)?] = [
    ("all", counts.total == 1 ? "The one test" : "All \(grouped(counts.total)) tests"),
    counts.flaky > 0 ? ("flaky", "\(grouped(counts.flaky)) flaky") : nil,
    fixed > 0 ? ("fixed", "\(grouped(fixed)) fixed") : nil,
    hasOverview(context.contents.report) ? ("overview", "Runs") : nil,
    line == nil ? nil : ("timeline", "Time line"),
    slowest == nil ? nil : ("slowest", "Slowest"),
  ]
  return ways.compactMap { $0 }.map { ["anchor": $0.anchor, "words": $0.words] }
}
