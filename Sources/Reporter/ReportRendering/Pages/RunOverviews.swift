import Collector
import ReportModel

private let mostRunsListed = 500

/// Values for `index.mustache`: a row per run or shard; `nil` for one.
func overviewValues(_ runs: [Report.Run]) -> TemplateValues? {
  guard runs.count > 1 else { return nil }
  let shards = runs.count { $0.shard != nil }
  let sorted = runs.sorted { ($0.shard?.number ?? .max) < ($1.shard?.number ?? .max) }
  return [
    "title": shards == runs.count ? counted(runs.count, "shard") : counted(runs.count, "run"),
    "list": sorted.prefix(mostRunsListed).map(rowValues),
    "more": runs.count > mostRunsListed
      ? "\(counted(runs.count - mostRunsListed, "more run")): see report.json." : nil,
  ]
}

private func rowValues(_ run: Report.Run) -> TemplateValues {
  func text(_ text: String) -> String { visibleOnOneLine(shortened(text, to: 200)) }
  return [
    "name": text(run.shard.map(\.name) ?? run.name), "run": run.shard.map { _ in text(run.name) },
    "link": run.link.flatMap(webLink), "machines": text(run.machines),
    "commit": run.commit.map { visibleOnOneLine(shortened($0, to: 12)) },
    "start": run.start.flatMap(timeText),
    "tests": run.overview.map { grouped($0.tests) } ?? "0",
    "failures": run.overview.flatMap { $0.failures > 0 ? grouped($0.failures) : nil },
    "time": run.overview?.duration.flatMap(durationText),
    "wallTime": run.overview?.wallTime.flatMap(durationText),
    "slowest": run.overview?.slowest.first.map { slowest in
      ["name": text(slowest.test.description), "duration": durationText(slowest.duration)] as TemplateValues
    },
  ]
}

extension TestResult {
  /// Under which labels it fails and passes; `nil` without difference.
  var labelsText: String? {
    if isPlain || self.labels.count < 2 { return nil }
    let failing = self.labels.filter(\.outcome.isFailure)
    let passing = self.labels.filter { [.passed, .knownIssue].contains($0.outcome) }
    guard !failing.isEmpty, !passing.isEmpty else { return nil }
    return "fails on \(named(failing)), passes on \(named(passing))"
  }

  private func named(_ labels: [LabelledOutcome]) -> String {
    let names = labels.prefix(5).map { visibleOnOneLine(shortened($0.label, to: 100)) }
    return names.joined(separator: " and ")
      + (labels.count > 5 ? " and \(counted(labels.count - 5, "other"))" : "")
  }

  var labelsSentence: String? { labelsText.map { "It \($0)." } }
}
