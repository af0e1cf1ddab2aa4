import Collector
import ReportModel

/// Values for the header in `page.mustache`.
func barValues(in context: PageContext) -> TemplateValues {
  let report = context.contents.report
  let run = report.runs.last
  return [
    "project": context.project,
    "filters": filterValues(in: context),
    "faults": report.faults.isEmpty ? nil : counted(report.faults.count, "fault"),
    "toolchain": run?.toolchain.map { visibleOnOneLine(shortened($0, to: 40)) },
    "commit": run?.commit.map { visibleOnOneLine(String($0.prefix(8))) },
    "history": context.contents.trends == nil || context.single != nil ? nil : context.base + TrendsPage.path,
    "wall": context.wallTime.flatMap(durationText),
  ]
}

/// Values for the list of tests in `page.mustache`.
func testsValues(in context: PageContext) -> TemplateValues {
  let verdict = Verdict(context.contents.report, context.counts)
  return [
    "failures": context.failures.count, "count": context.counts.total,
    "files": partCount(context.counts.total, of: testsInADataFile),
    "verdict": verdict.text, "style": verdict.style.rawValue,
    "hasBaseline": context.standings != nil, "hasValues": ValuesFile.has(in: context),
  ]
}

private func filterValues(in context: PageContext) -> [TemplateValues] {
  let counts = context.counts
  var filters: [TemplateValues] = Outcome.allCases.compactMap { outcome in
    guard counts[outcome] > 0 else { return nil }
    return [
      "query": outcome.filter(counts), "style": outcome.rawValue, "symbol": outcome.symbol,
      "count": grouped(counts[outcome]), "word": outcome.phraseInBar,
    ]
  }
  if counts.flaky > 0 {
    filters.append([
      "query": "flaky", "style": "flaky", "symbol": "↻", "count": grouped(counts.flaky), "word": "flaky",
    ])
  }
  guard let standings = context.standings else { return filters }
  for standing in TestStanding.allCases where standings.count(standing) > 0 {
    filters.append([
      "query": standing.rawValue, "style": "standing", "count": grouped(standings.count(standing)),
      "word": standing.phrase,
    ])
  }
  return filters
}

extension Outcome {
  fileprivate func filter(_ counts: OutcomeCounts) -> String {
    switch self {
    // `failed` alone means every failure.
    case .failed: counts.failures == counts[.failed] ? "failed" : "failed !crashed !unfinished"
    case .knownIssue: "known"
    case .crashed, .unfinished, .skipped, .passed: rawValue
    }
  }

  fileprivate var phraseInBar: String { self == .knownIssue ? "known" : word.lowercased() }
}

/// Seconds from the first start to the last end, if known.
func wallTime(of tests: [TestResult]) -> Double? {
  var start = Double.infinity
  var end = -Double.infinity
  for index in tests.detailed {
    guard let span = tests[index].span, span.start.isFinite, abs(span.start) < 1e11 else { continue }
    start = min(start, span.start)
    end = max(end, span.start + (tests[index].duration ?? 0))
  }
  return end > start ? end - start : nil
}
