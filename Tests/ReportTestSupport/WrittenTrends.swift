import Foundation

@testable import ReportHistory
@testable import ReportModel

/// Runs over time, made up: no file is read.
struct WrittenTrends {
  var trends = Trends()

  static func test(_ name: String, suite: String = "OrderTests", argument: String? = nil) -> TrendTestName {
    TrendTestName(module: "ShopTests", suite: suite, name: name, argument: argument)
  }

  static let day = 86_400.0
  /// When the first run began: 2026-11-01.
  static let start = 1_793_491_200.0

  /// Adds runs of a branch and label, six hours apart: `.` passed, `x` one failed, `*` with changes, one flaky.
  mutating func add(
    _ runs: String, branch: String? = "main", label: String = "linux", tests: Int = 40, seconds: Double? = 60
  ) {
    let series = RunSeries(branch: branch, label: label)
    let place = trends.series.firstIndex(of: series) ?? trends.series.count
    if place == trends.series.count { trends.series.append(series) }
    for sign in runs {
      let number = trends.runs.count
      let began = Self.start + Double(number) * Self.day / 4
      let hash = String(format: "%07x", number * 2_654_435) + String(repeating: "0", count: 33)
      var run = TrendRun(
        run: HistoryRun(
          key: "", name: "run-\(number)", label: label, commit: hash, isDirty: sign == "*", branch: branch,
          address: "https://ci.example.org/jobs/\(number)", began: began,
          ended: seconds.map { began + $0 + Double(number % 7) }), series: place)
      (run.tests, run.skipped) = (tests, 2)
      run.failures = sign == "x" ? 1 : 0
      run.flaky = sign == "*" ? 1 : 0
      trends.runs.append(run)
    }
  }

  /// Adds a test that failed lately: `.` passed, `x` failed, `*` failed in an attempt; each in a run of its series.
  mutating func fail(
    _ outcomes: String, _ name: TrendTestName, message: String? = nil, difference: String? = nil,
    series: Int = 0
  ) {
    let runs = trends.runs.filter { $0.series == series }.suffix(outcomes.count)
    var past = TestPast(
      outcomes: zip(outcomes, runs).map { sign, run in
        PastOutcome(
          run: run.run, outcome: sign == "x" ? .failed : .passed, isFlaky: sign == "*",
          duration: (sign == "x" ? 0.2 : 0.12) + run.run.began.remainder(dividingBy: 7) / 200)
      })
    if let last = past.outcomes.lastIndex(where: { $0.outcome.isFailure || $0.isFlaky }) {
      past.outcomes[last].message = message
    }
    let test = TestTrend(name: name, series: series, past: past, difference: difference)
    let others = trends.troubled.filter { $0.name == name && hasLabel($0.series, of: series) }
    switch past.trouble {
    case .failing: count(\.failing, series, isFirst: !others.contains { $0.past.trouble == .failing })
    case .flaky: count(\.flaky, series, isFirst: !others.contains { $0.past.trouble != nil })
    case nil: break
    }
    trends.troubled.append(test)
  }

  private func hasLabel(_ one: Int, of other: Int) -> Bool {
    trends.series[one].label == trends.series[other].label
  }

  /// Counts a test of a list as the history does.
  mutating func count(_ list: WritableKeyPath<ListCounts, ListCount>, _ series: Int, isFirst: Bool = true) {
    while trends.counts.count <= series { trends.counts.append(ListCounts()) }
    trends.counts[series][keyPath: list].all += 1
    if isFirst { trends.counts[series][keyPath: list].first += 1 }
  }

  /// Adds a test with its passes.
  ///
  /// - Parameter slow: How many runs ago it got slower.
  mutating func time(
    _ now: Double, before: Double?, _ name: TrendTestName, slowSince slow: Int? = nil, series: Int = 0
  ) {
    if slow != nil { count(\.slower, series) }
    let runs = trends.runs.filter { $0.series == series }
    let former = before ?? now
    let passes = runs.indices.map { place in
      (slow.map { place < runs.count - $0 } ?? (place < runs.count / 2) ? former : now)
        * (1 + Double(place % 3) / 40)
    }
    let step = slow.map {
      DurationStep(run: runs[max(0, runs.count - $0)].run, runsAgo: $0, before: former, now: now)
    }
    trends.timed.append(
      DurationTrend(
        name: name, series: series, now: now, before: before, step: step, passes: passes,
        place: trends.timed.count + 1))
  }

  /// A shop's last weeks on two branches: it gets worse, a test fails since a commit, another is flaky, one got slower.
  static let shop: Trends = {
    var written = WrittenTrends()
    written.add("....................*...x.xxxx", seconds: 60)
    written.add(".x.....", branch: "feature/tax", seconds: 75)
    written.fail(
      "..........xxxx", test("testTotalAfterDiscount"),
      message: "XCTAssertEqual failed: (\"#\") is not equal to (\"#\")")
    written.fail(
      "....*...x...", test("testRoundsTax", argument: "\"CHF\""), message: "total is # EUR",
      difference:
        "Sources/Shop/Tax.swift:12 in rate(of:): “SELECT rate FROM tax” read 0 rows, 1 when it passed")
    written.fail(".x.....", test("testTax", suite: "TaxTests/Rates"), message: "rate is #", series: 1)
    written.time(2.5, before: 1.1, test("testImport", suite: "ImportTests"), slowSince: 12)
    written.time(0.8, before: 0.8, test("testExport", suite: "ImportTests"))
    written.time(0.02, before: nil, test("testTotalAfterDiscount"))
    return written.trends
  }()

  /// Whose every text tries to break out.
  static let hostile: Trends = {
    let evil = "\"><script>alert(1)</script><img src=x onerror=alert(1)>\u{202E}\u{1B}[31m\n]]>' "
    let long = String(repeating: "a<b>&", count: 3000)
    var written = WrittenTrends()
    written.add("..x..x", branch: evil, label: long)
    written.add("x*", branch: long, label: evil)
    written.add("x", branch: nil, label: "")
    for index in written.trends.runs.indices {
      written.trends.runs[index].run.name = index % 2 == 0 ? evil : long
      written.trends.runs[index].run.address =
        ["javascript:alert(1)", "https://x\" onclick=\"alert(1)", long, nil][index % 4]
      written.trends.runs[index].run.began =
        [0, 1e308, -1e308, .infinity, -.infinity, .nan, 9e15, 1.8e9][index % 8]
      written.trends.runs[index].run.ended =
        [.nan, 1e308, nil, 0, .infinity, 1, 9e15 + 1e6, 1.8e9 + 60][index % 8]
      written.trends.runs[index].tests = index == 0 ? 1_000_000_000 : index
    }
    written.fail("xxx", test(evil, suite: long, argument: evil), message: evil, difference: evil)
    written.fail("x.", test(long, suite: "///", argument: long), message: long, series: 1)
    written.fail("*", test("", suite: ""), message: "", series: 2)
    written.time(1e308, before: .leastNonzeroMagnitude, test(evil), slowSince: 2)
    written.time(.nan, before: .infinity, test(long), slowSince: 1, series: 1)
    written.time(0, before: 0, test(""), slowSince: 1, series: 2)
    return written.trends
  }()
}
