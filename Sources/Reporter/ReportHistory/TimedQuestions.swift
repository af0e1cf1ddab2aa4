import ReportModel

/// Queries for the tests that take long, and for those that got slower.
struct TimedQuestions {
  let connection: any HistoryConnection
  /// The runs whose tests are read.
  let recent: [RecentRun]

  /// The slowest tests of each series, and as many that got slower.
  private static let mostTimed = 20
  private static let mostInAList = 5000

  private struct Found {
    var test: Int64
    var trend: DurationTrend
    /// True when its latest median is far above its shortest pass.
    var maySlow: Bool
  }

  private struct Key: Hashable {
    var test: Int64
    var series: Int
  }

  /// Reads the slowest tests, and those that got slower with how many they are.
  func readTimed(into trends: inout Trends) throws {
    let timed = timed(in: trends)
    var found = try found(timed)
    let passes = try passes(of: Set(found.map(\.test)), in: timed)
    let runs = runs(in: trends)
    for index in found.indices {
      let known = passes[Key(test: found[index].test, series: found[index].trend.series)] ?? []
      found[index].trend.passes = known.reversed().map(\.seconds)
      guard found[index].maySlow, let step = DurationStepSearch(known).step else { continue }
      let run = runs[found[index].trend.series][step.place - 1]
      found[index].trend.step = DurationStep(
        run: run, runsAgo: step.place, before: step.before, now: step.now)
    }
    count(found, in: &trends)
    try tell(found, in: &trends)
  }

  private func runs(in trends: Trends) -> [[HistoryRun]] {
    var runs = trends.counts.map { _ in [HistoryRun]() }
    for each in recent { runs[each.series].append(trends.runs[each.index].run) }
    return runs
  }

  // MARK: - Which are read

  /// The last runs of leading series and then as many earlier ones, within the limit.
  private func timed(in trends: Trends) -> [RecentRun] {
    let last = recent.filter { $0.place <= 2 * DurationTrend.runs }
    var room = Trends.mostDurations
    var series = 0
    while series < Trends.mostSeries {
      let tests = last.reduce(0) { $1.series == series ? $0 + trends.runs[$1.index].tests : $0 }
      if tests > room, series > 0 { break }
      room -= tests
      series += 1
    }
    let earlier = recent.filter { $0.place > 2 * DurationTrend.runs && $0.series < series }.prefix { run in
      room -= trends.runs[run.index].tests
      return room >= 0
    }
    return last.filter { $0.series < series } + earlier
  }

  private static let isTimed =
    "outcomes.outcome = 'passed' AND outcomes.duration >= 0 AND outcomes.duration < 1e7"

  /// The slowest of each series, and all that may have got slower.
  private func found(_ timed: [RecentRun]) throws -> [Found] {
    let runs = DurationTrend.runs
    let unnamed = TrendTestName(module: "", suite: "", name: "")
    return try connection.all(
      """
      WITH \(timed.table),
      passes AS (
        SELECT outcomes.test AS test, recent.series AS series, outcomes.duration AS duration,
          CASE WHEN recent.place <= \(runs) THEN 1 WHEN recent.place <= \(2 * runs) THEN 2 ELSE 3 END AS part
        FROM recent JOIN outcomes ON outcomes.run = recent.run WHERE \(Self.isTimed)),
      lowest AS (SELECT test, series, min(duration) AS duration FROM passes GROUP BY test, series),
      ordered AS (
        SELECT test, series, part, duration, row_number() OVER part_of_test AS place,
          count(*) OVER (part_of_test ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS amount
        FROM passes WHERE part < 3 WINDOW part_of_test AS (PARTITION BY test, series, part ORDER BY duration)),
      paired AS (
        SELECT test, series,
          max(CASE WHEN part = 1 AND place = (amount + 1) / 2 THEN duration END) AS latest,
          max(CASE WHEN part = 2 AND place = (amount + 1) / 2 THEN duration END) AS former
        FROM ordered GROUP BY test, series),
      judged AS (
        SELECT paired.test AS test, paired.series AS series, latest, former,
          CASE WHEN latest >= \(DurationTrend.leastRatio) * lowest.duration
            AND latest - lowest.duration >= \(DurationTrend.leastSeconds) THEN 1 ELSE 0 END AS may_slow,
          row_number() OVER (PARTITION BY paired.series ORDER BY latest DESC, paired.test) AS place
        FROM paired JOIN lowest ON lowest.test = paired.test AND lowest.series = paired.series
        WHERE latest IS NOT NULL)
      SELECT test, series, latest, former, may_slow, place FROM judged
      WHERE place <= \(Self.mostTimed) OR may_slow = 1 ORDER BY series, place
      """
    ) { rows in
      Found(
        test: rows.integer(at: 0),
        trend: DurationTrend(
          name: unnamed, series: Int(rows.integer(at: 1)), now: rows.real(at: 2),
          before: rows.optionalReal(at: 3), place: Int(rows.integer(at: 5))),
        maySlow: rows.integer(at: 4) == 1)
    }
  }

  /// The passes of tests, newest first.
  private func passes(of tests: Set<Int64>, in timed: [RecentRun]) throws -> [Key: [TimedPass]] {
    var passes: [Key: [TimedPass]] = [:]
    let tests = tests.sorted()
    for start in stride(from: 0, to: tests.count, by: Self.mostInAList) {
      let part = Set(tests[start..<min(tests.count, start + Self.mostInAList)])
      let rows = try connection.rows(
        """
        WITH \(timed.table)
        SELECT outcomes.test, recent.series, recent.place, outcomes.duration
        FROM recent CROSS JOIN outcomes
        WHERE outcomes.run = recent.run AND outcomes.test IN (\(list(part))) AND \(Self.isTimed)
        """)
      while try rows.step() {
        let key = Key(test: rows.integer(at: 0), series: Int(rows.integer(at: 1)))
        passes[key, default: []].append(TimedPass(place: Int(rows.integer(at: 2)), seconds: rows.real(at: 3)))
      }
    }
    return passes.mapValues { $0.sorted { $0.place < $1.place } }
  }

  // MARK: - Which are told

  private func count(_ found: [Found], in trends: inout Trends) {
    var slower = CountedTests(labels: trends.series.map(\.label))
    for each in found where each.trend.step != nil {
      slower.add(each.test, of: each.trend.series, to: &trends.counts[each.trend.series].slower)
    }
  }

  private func tell(_ found: [Found], in trends: inout Trends) throws {
    let slower = Dictionary(grouping: found.indices.filter { found[$0].trend.step != nil }) {
      found[$0].trend.series
    }
    let leading = slower.values.flatMap { places in
      places.sorted { (found[$1].trend.lost, $0) < (found[$0].trend.lost, $1) }.prefix(Self.mostTimed)
    }
    let told = Set(leading)
    let kept = found.indices.filter { told.contains($0) || found[$0].trend.place <= Self.mostTimed }.map {
      found[$0]
    }
    let names = try connection.names(of: Set(kept.map(\.test)))
    trends.timed = kept.compactMap { each in
      names[each.test].map { name in
        var trend = each.trend
        trend.name = name
        return trend
      }
    }
  }
}
