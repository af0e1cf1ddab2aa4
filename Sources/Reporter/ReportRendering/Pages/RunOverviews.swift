import Collector
import ReportModel

private let mostRunsListed = 500

/// True for several runs, or one whose other shards are missing.
func hasOverview(_ report: Report) -> Bool { report.runs.count + report.missingShards.count > 1 }

/// Values for `index.mustache`: a row per run or shard, also of missing ones; `nil` for one.
func overviewValues(_ report: Report) -> TemplateValues? {
  guard hasOverview(report) else { return nil }
  let (runs, missing) = (report.runs, report.missingShards)
  let rows =
    runs.map { (number: $0.shard?.number ?? .max, values: rowValues($0)) }
    + missing.map { (number: $0.number ?? .max, values: rowValues($0)) }
  let all = rows.count
  return [
    "title": title(runs, missing),
    "list": rows.sorted { $0.number < $1.number }.prefix(mostRunsListed).map(\.values),
    "more": all > mostRunsListed ? "\(counted(all - mostRunsListed, "more run")): see report.json." : nil,
  ]
}

private func title(_ runs: [Report.Run], _ missing: [MissingShard]) -> String {
  if let count = missing.first?.count {
    return "\(grouped(count - missing.count)) of \(counted(count, "shard"))"
  }
  return runs.allSatisfy { $0.shard != nil } ? counted(runs.count, "shard") : counted(runs.count, "run")
}

private func rowValues(_ shard: MissingShard) -> TemplateValues {
  let tests = shard.tests.map { "its \(counted($0, "test"))" }
  return [
    "name": shard.number.map { "shard \($0) of \(shard.count)" } ?? "one of \(counted(shard.count, "shard"))",
    "link": nil, "run": nil, "missing": "\(tests ?? "its tests") are not in this report",
  ]
}

private func rowValues(_ run: Report.Run) -> TemplateValues {
  func text(_ text: String) -> String { visibleOnOneLine(shortened(text, to: 200)) }
  return [
    "missing": nil, "name": text(run.shard.map(\.name) ?? run.name),
    "run": run.shard.map { _ in text(run.name) },
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
    let passing = self.labels.filter { $0.outcome.hasPassed }
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
