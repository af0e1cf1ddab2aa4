import Collector
import ReportHistory
import ReportModel

/// Values for `index.mustache`.
///
/// It contains the first page of failures, the first failure's page, and facts on the run.
func indexValues(in context: PageContext) -> TemplateValues {
  let report = context.contents.report
  let counts = context.counts
  let verdict = Verdict(report, counts)
  var values = context.pageValues(title: "\(verdict.text) · \(report.title)")
  values.set("verdict", to: verdict.text)
  values.set("verdictStyle", to: verdict.style.rawValue)
  values.set("isIndex", to: true)
  values.set("proportions", to: proportionValues(counts))
  values.set("testTime", to: counts.duration.flatMap(durationText))
  values.set("wallTime", to: context.wallTime.flatMap(durationText))
  values.set("runTime", to: runTime(of: report, wallTime: context.wallTime).flatMap(durationText))
  // In a single file it is a part like others.
  let leading = context.single == nil ? context.failures.first : nil
  values.set("hasSQL", to: leading.map { hasSQLBox($0, in: context) } == true)
  values.set("images", to: leading.flatMap { imageSources(of: $0, in: context) })
  values.set("start", to: report.runs.first?.start.flatMap(timeText))
  values.set("overview", to: overviewValues(report))
  values.set("hasRuns", to: report.runs.count == 1 && !hasOverview(report))
  values.set("run", to: report.runs.last.map(runValues))
  values.set("runs", to: report.runs.map(runValues))
  values.set("faults", to: findingValues(report.faults, isOpen: report.tests.isEmpty))
  values.set("notices", to: findingValues(report.notices))
  values.set("cutShort", to: report.cutShort.prefix(3).map { visible(shortened($0, to: 500)) })
  values.set("groups", to: failureListValues(page: 1, in: context))
  values.set("paging", to: pagingValues(page: 1, in: context))
  values.set("leading", to: leadingValues(in: context))
  let fixed = context.standings?.fixed ?? []
  values.set("fixed", to: listValues(fixed, of: fixed.count, "fixed", in: context))
  let flaky = context.others.filter(\.isFlaky)
  values.set("flaky", to: listValues(flaky, of: counts.flaky, "flaky", in: context))
  let (line, slowest) = (TimeLine(ofRun: report.tests), slowestTests(report.tests))
  values.set("timeLine", to: line.map { timeLineValues($0, report.tests) })
  values.set("slowest", to: slowest.map { slowestValues($0, in: context) })
  values.set("glance", to: glanceValues(line, slowest, in: context))
  values.set("modules", to: moduleValues(report.tests, in: context))
  values.set("unlisted", to: unlistedText(counts.total))
  values.set("testCount", to: grouped(report.tests.count))
  return values
}

private func leadingValues(in context: PageContext) -> TemplateValues? {
  guard context.single == nil, let first = context.failures.first else { return nil }
  var context = context
  context.part = (first.id, "first")
  return testPageValues(first, FailureNeighbours(position: 0, failures: context.failures), in: context)
}

/// Seconds from the start of a run, which builds first, to its last test's end, if that is much longer than the tests.
private func runTime(of report: Report, wallTime: Double?) -> Double? {
  guard let seconds = HistoryRun(report, label: "")?.seconds, let wallTime else { return nil }
  return seconds - wallTime >= max(1, wallTime / 20) ? seconds : nil
}

/// Values for template `outcome` of flaky tests.
var flakyLabel: TemplateValues { ["style": "flaky", "word": "Flaky", "symbol": "↻"] }

/// Outcome shares as rectangles in a width of 1,000, each visible.
func proportionValues(_ counts: OutcomeCounts) -> [TemplateValues] {
  guard counts.total > 0 else { return [] }
  let widths = Outcome.allCases.map { counts[$0] == 0 ? 0 : max(6, counts[$0] * 1000 / counts.total) }
  // Taken from the largest share.
  let excess = widths.reduce(0, +) - 1000
  let largest = widths.indices.max { widths[$0] < widths[$1] }
  var start = 0
  return Outcome.allCases.indices.compactMap { index in
    let width = widths[index] - (index == largest ? excess : 0)
    defer { start += width }
    guard width > 0 else { return nil }
    return ["style": Outcome.allCases[index].rawValue, "start": start, "width": width]
  }
}

private func runValues(_ run: Report.Run) -> TemplateValues {
  [
    "name": visibleOnOneLine(run.name), "shard": run.shard?.name,
    "start": run.start.flatMap(timeText),
    "toolchain": run.toolchain.map(visibleOnOneLine),
    "commit": run.commit.map { visibleOnOneLine(shortened($0, to: 12)) },
    "job": run.link.map(visibleOnOneLine),
    "jobLink": run.link.flatMap(webLink),
  ]
}

private func findingValues(_ remarks: [Remark], isOpen: Bool = false) -> TemplateValues? {
  guard !remarks.isEmpty else { return nil }
  let list: [TemplateValues] = remarks.map { remark in
    [
      "kind": visibleOnOneLine(remark.kind), "message": remark.message,
      "input": remark.input.map(visibleOnOneLine),
    ]
  }
  return [
    "count": remarks.count == 1 ? "1" : grouped(remarks.count), "isOne": remarks.count == 1, "list": list,
    "isOpen": isOpen,
  ]
}
