import Collector
import ReportHistory
import ReportModel

extension TrendScope {
  private var room: (shown: Int, folded: Int) { isAll ? (8, 22) : (8, 0) }
  private var bars: Int { isAll ? 120 : 80 }

  /// Values for template `trends`.
  var values: TemplateValues {
    let places = trends.runsOfSeries
    let series = places.indices.filter { !places[$0].isEmpty }
    let standings = series.prefix(Trends.mostSeries).map { place in
      (trends.series[place], places[place].map { trends.runs[$0] })
    }
    let (failing, flaky) = (failingTests, flakyTests)
    let slower = distinct(trends.timed.filter { $0.step != nil }).sorted { $0.test.lost > $1.test.lost }
    let slowest = distinct(trends.timed.filter { $0.place <= 20 }).sorted { $0.test.now > $1.test.now }
    let first = standings.first
    let verdict = first.map { TrendVerdict($0.0, namesLabel: hasLabels, SeriesTrend($0.1)) }
    return [
      "id": id, "title": title,
      "verdict": verdict?.headline, "verdictStyle": verdict?.style, "facts": verdict?.facts,
      "span": spanText,
      "older": trends.olderRuns > 0 && isAll
        ? "\(counted(trends.olderRuns, "older run")) of the history \(trends.olderRuns == 1 ? "is" : "are") left out."
        : nil,
      "chart": TrendsChart(trends.runs, most: bars).values,
      "standings": standings.map { standingValues($0.0, $0.1) },
      "failing": list(failing, "failing", count(\.failing), failingValues),
      "flaky": list(flaky, "flaky", count(\.flaky), flakyValues),
      "slower": list(slower, "slower", count(\.slower), slowerValues),
      "slowest": list(slowest, "slowest", slowest.count, slowestValues),
      "runs": trends.runs.suffix(isAll ? 15 : 8).reversed().map(runValues),
      "testsOf": series.count > Trends.mostSeries
        ? "Tests are told of the \(Trends.mostSeries) branches and labels with most of the last runs." : nil,
    ]
  }

  private var spanText: String {
    let days = [trends.runs.first, trends.runs.last].compactMap { $0?.dayText }
    let span = days.first == days.last ? days.first : days.joined(separator: " to ")
    return [counted(trends.runs.count, "run"), span].compactMap { $0 }.joined(separator: ", ")
  }

  // MARK: - Branches and labels

  private func standingValues(_ series: RunSeries, _ runs: [TrendRun]) -> TemplateValues {
    let trend = SeriesTrend(runs)
    let last = runs.last
    return [
      "branch": branchWord(series.branch), "label": seriesWord(series.label),
      "last": last.map(runValues), "marks": runs.suffix(shownOutcomes).map(markValues),
      "words": "Its last \(counted(min(shownOutcomes, runs.count), "run")), oldest first: "
        + runs.suffix(shownOutcomes).map { $0.failures > 0 ? "failed" : "passed" }.joined(separator: ", "),
      "failed": "\(trend.failed) of \(min(runs.count, trend.runs > 0 ? trend.runs : SeriesTrend.mostRuns))",
      "failedBefore": trend.runs > 0 ? "\(trend.failedBefore) of \(trend.runs) before" : nil,
      "direction": trend.direction.values(worse: "more", better: "fewer"),
      "seconds": trend.seconds.flatMap(durationText),
      "secondsBefore": trend.secondsBefore.flatMap(durationText).map { "\($0) before" },
      "pace": trend.pace.values(worse: "slower", better: "faster"),
    ]
  }

  private func markValues(_ run: TrendRun) -> TemplateValues {
    let outcome = run.failures > 0 ? Outcome.failed : run.tests > 0 ? .passed : .skipped
    return [
      "style": outcome.rawValue, "symbol": outcome.symbol, "isDirty": run.run.isDirty == true,
      "title": TrendsChart.title(run),
    ]
  }

  private func runValues(_ run: TrendRun) -> TemplateValues {
    let outcome = run.failures > 0 ? Outcome.failed : run.tests > 0 ? .passed : .skipped
    return [
      "outcome": [
        "style": outcome.rawValue, "symbol": outcome.symbol,
        "word": run.tests == 0 ? "No tests" : outcome.word,
      ] as TemplateValues,
      "began": timeText(run.run.began).map { String($0.prefix(16)) }, "name": seriesWord(run.run.name),
      "link": run.run.address.flatMap(webLink), "branch": branchWord(run.run.branch),
      "label": seriesWord(run.run.label), "commit": run.run.stateText.map { links.values(run.run, text: $0) },
      "tests": grouped(run.tests), "failed": run.failures > 0 ? grouped(run.failures) : nil,
      "flaky": run.flaky > 0 ? grouped(run.flaky) : nil, "seconds": run.seconds.flatMap(durationText),
    ]
  }

  // MARK: - Tests

  /// Failing tests that are not flaky, latest first within leading series.
  private var failingTests: [Listed<TestTrend>] {
    distinct(trends.troubled.filter { $0.past.trouble == .failing }).sorted {
      ($0.test.series, -($0.test.past.failsSince ?? 0)) < ($1.test.series, -($1.test.past.failsSince ?? 0))
    }
  }

  /// Flaky tests that fail on no other branch.
  private var flakyTests: [Listed<TestTrend>] {
    let failing = Set(failingTests.map { listedName(of: $0.test) })
    let flaky = distinct(trends.troubled.filter { $0.past.trouble == .flaky })
      .filter { !failing.contains(listedName(of: $0.test)) }.map { ($0, $0.test.past.flakyRate) }
    return flaky.sorted { ($0.1.rank, $0.1.failures) > ($1.1.rank, $1.1.failures) }.map(\.0)
  }

  /// A listed test, and how many other branches have it.
  private struct Listed<Test> {
    var test: Test
    var others: Int
  }

  private struct ListedName: Hashable {
    var name: TrendTestName
    var label: String
  }

  private func listedName(of test: some TestOfSeries) -> ListedName {
    ListedName(name: test.name, label: trends.series[test.series].label)
  }

  /// Each test of a label once, on its most active branch.
  private func distinct<Test: TestOfSeries>(_ tests: [Test]) -> [Listed<Test>] {
    let groups = tests.sorted { $0.series < $1.series }.groups { listedName(of: $0) }
    return groups.map { Listed(test: $0[0], others: $0.count - 1) }
  }

  /// The number of tests in a list, including unlisted ones.
  private func count(_ list: KeyPath<ListCounts, ListCount>) -> Int {
    let series = trends.counts.indices.filter { place in trends.runs.contains { $0.series == place } }
    return series.reduce(0) { sum, place in
      let count = trends.counts[place][keyPath: list]
      return sum + (branch == nil ? count.first : count.all)
    }
  }

  /// Visible rows, collapsed rows, and the number of others.
  ///
  /// - Parameter count: All tests of the list.
  private func list<Test>(
    _ tests: [Test], _ name: String, _ count: Int, _ values: (Test) -> TemplateValues
  ) -> TemplateValues? {
    guard !tests.isEmpty else { return nil }
    let folded = tests.dropFirst(room.shown).prefix(room.folded)
    let more = count - min(tests.count, room.shown + room.folded)
    return [
      "id": "\(id)-\(name)", "count": grouped(count), "rows": tests.prefix(room.shown).map(values),
      "folded": folded.isEmpty
        ? nil : ["count": counted(folded.count, "more test"), "rows": folded.map(values)] as TemplateValues,
      "more": more > 0 ? "… and \(counted(more, "more test"))" : nil,
    ]
  }

  private func testValues<Test: TestOfSeries>(
    _ each: Listed<Test>, figure: String?, _ detail: String?
  ) -> TemplateValues {
    let name = each.test.name
    let places = [name.module] + name.suite.split(separator: "/").map(String.init)
    return [
      "name": visibleOnOneLine(shortened(name.name, to: 200)), "page": links.page(of: name),
      "argument": name.argument.map { visibleOnOneLine(shortened($0, to: 80)) },
      "place": visibleOnOneLine(shortened(places.joined(separator: " / "), to: 200)),
      "series": seriesText(each.test.series),
      "others": each.others > 0 ? "and on \(counted(each.others, "other branch", "other branches"))" : nil,
      "figure": figure, "detail": detail, "since": nil, "passed": nil, "step": nil, "durations": nil,
    ]
  }

  private func seriesText(_ place: Int) -> String? {
    let series = trends.series[place]
    return joined(
      [hasBranches ? branchWord(series.branch) : nil, hasLabels ? seriesWord(series.label) : nil], by: " · ")
  }

  private func failedValues(
    _ each: Listed<TestTrend>, figure: String?, _ detail: String?
  ) -> TemplateValues {
    var values = testValues(each, figure: figure, detail)
    values.set("past", to: each.test.past.values(sentence: nil))
    values.set("durations", to: DurationChart(each.test.past).values)
    let last = each.test.past.outcomes.last { $0.message != nil }
    values.set("message", to: last?.message.map { visibleOnOneLine(shortened(firstLine($0), to: 200)) })
    values.set("difference", to: each.test.difference.map { visibleOnOneLine(shortened($0, to: 240)) })
    return values
  }

  private func failingValues(_ each: Listed<TestTrend>) -> TemplateValues {
    guard let since = each.test.failingSince else {
      return failedValues(each, figure: nil, each.test.past.sentence)
    }
    var values = failedValues(each, figure: since.isLonger ? "before" : "since", each.test.failingText)
    values.set("since", to: links.values(since.run, text: since.run.commitText))
    values.set("passed", to: since.passed.map { links.values($0, text: $0.commitText) })
    return values
  }

  private func flakyValues(_ each: Listed<TestTrend>) -> TemplateValues {
    let rate = each.test.past.flakyRate
    return failedValues(
      each, figure: "\(max(1, Int((rate.share * 100).rounded()))) %",
      "\(rate.failures) of \(counted(rate.runs, "run"))")
  }

  private func slowerValues(_ each: Listed<DurationTrend>) -> TemplateValues {
    let step = each.test.step
    let ratio = step.map { $0.now / $0.before } ?? .nan
    let tenths = ratio >= 0 && ratio < 1000 ? Int((ratio * 10).rounded()) : nil
    var values = testValues(each, figure: tenths.map { "\($0 / 10).\($0 % 10) ×" }, nil)
    values.set("step", to: step.map(stepValues))
    values.set("durations", to: DurationChart(passes: each.test.passes).values)
    return values
  }

  private func stepValues(_ step: DurationStep) -> TemplateValues {
    let times = [step.before, step.now].compactMap(durationText).joined(separator: " → ")
    return [
      "run": links.values(step.run, text: step.run.commitText),
      "ago": "\(counted(step.runsAgo, "run")) ago", "times": times,
    ]
  }

  private func slowestValues(_ each: Listed<DurationTrend>) -> TemplateValues {
    let before = each.test.before.flatMap(durationText).map { "\($0) before" }
    var values = testValues(each, figure: durationText(each.test.now), before)
    values.set("durations", to: DurationChart(passes: each.test.passes).values)
    values.set("others", to: nil as String?)
    return values
  }
}

private protocol TestOfSeries {
  var name: TrendTestName { get }
  var series: Int { get }
}

extension TestTrend: TestOfSeries {}
extension DurationTrend: TestOfSeries {}

extension TestTrend {
  fileprivate var failingSince: TestPast.FailingSince? {
    guard case .failing(let since) = past.standing else { return nil }
    return since
  }

  /// In how many runs it failed, and for how long.
  fileprivate var failingText: String? {
    failingSince.map { since in
      let runs = (since.isLonger ? "at least " : "") + counted(since.runs, "run")
      return joined([runs, since.runs > 1 ? timeSpanText(since.seconds) : nil], by: ", ") ?? runs
    }
  }
}

// MARK: - Better or worse

/// The headline: whether the leading branch improves.
struct TrendVerdict {
  var headline: String
  var style: String
  var facts: [String]

  init(_ series: RunSeries, namesLabel: Bool, _ trend: SeriesTrend) {
    let branch = series.branch
    let name = branch.map(seriesWord) ?? "The suite"
    let runs = trend.runs
    switch trend.direction {
    case .worse: (headline, style) = ("\(name) fails more often than before", Outcome.failed.rawValue)
    case .better: (headline, style) = ("\(name) fails less often than before", Outcome.passed.rawValue)
    case .same where trend.failed == 0:
      (headline, style) = (
        "\(name) has not failed in its last \(counted(runs, "run"))", Outcome.passed.rawValue
      )
    case .same where trend.failed == runs:
      (headline, style) = (
        "\(name) has failed in all of its last \(counted(runs, "run"))", Outcome.failed.rawValue
      )
    case .same: (headline, style) = ("\(name) fails as often as before", "neutral")
    case .unknown:
      (headline, style) = ("Too few runs of \(branch.map(seriesWord) ?? "the suite") for a trend", "neutral")
    }
    let before = runs > 0 ? ", and \(trend.failedBefore) of the \(runs) before" : ""
    let label = namesLabel ? " with the label \(seriesWord(series.label))" : ""
    facts = runs > 0 ? ["\(trend.failed) of the last \(counted(runs, "run"))\(label) failed\(before)"] : []
    if let seconds = trend.seconds.flatMap(durationText) {
      let earlier = trend.secondsBefore.flatMap(durationText).map { ", before \($0)" } ?? ""
      facts.append("a run takes \(seconds) from start to end\(earlier)")
    }
  }
}

extension SeriesTrend.Direction {
  func values(worse: String, better: String) -> TemplateValues? {
    switch self {
    case .worse: ["style": Outcome.failed.rawValue, "symbol": "▲", "word": worse]
    case .better: ["style": Outcome.passed.rawValue, "symbol": "▼", "word": better]
    case .same, .unknown: nil
    }
  }
}
