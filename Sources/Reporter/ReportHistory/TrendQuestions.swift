import Collector
import ReportModel

extension HistoryStore {
  /// Reads how runs and tests developed.
  package func trends(_ filter: TrendFilter = TrendFilter()) throws(HistoryError) -> Trends {
    try read { connection in try TrendQuestions(connection: connection, filter: filter).trends() }
  }
}

/// A run whose tests are read.
struct RecentRun {
  var id: Int64
  /// An index in `Trends.runs`.
  var index: Int
  var series: Int
  /// Its number within the series, newest first, from 1.
  var place: Int
  /// True when another run of the series has the same unmodified commit.
  var isRepeated = false
}

extension [RecentRun] {
  /// A table `recent` of a `WITH` clause.
  var table: String {
    "recent (run, series, place, repeated) AS (VALUES "
      + map { "(\($0.id), \($0.series), \($0.place), \($0.isRepeated ? 1 : 0))" }.joined(separator: ", ")
      + ")"
  }
}

extension HistoryConnection {
  /// Names of tests, shortened for the page.
  func names(of tests: Set<Int64>) throws -> [Int64: TrendTestName] {
    try all(
      of: tests,
      """
      SELECT id, substr(module, 1, 200), substr(suite, 1, 300), substr(name, 1, 300), substr(argument, 1, 200)
      FROM tests WHERE id
      """
    ) { rows in
      func text(_ column: Int32) -> String { rows.shortText(at: column) ?? "" }
      return TrendTestName(module: text(1), suite: text(2), name: text(3), argument: rows.shortText(at: 4))
    }
  }
}

/// Queries for the trends page, one statement each.
private struct TrendQuestions {
  let connection: any HistoryConnection
  let filter: TrendFilter

  func trends() throws -> Trends {
    var trends = Trends()
    let ids = try readRuns(into: &trends)
    trends.olderRuns = try runCount() - trends.runs.count
    let recent = order(&trends, ids)
    guard !recent.isEmpty else { return trends }
    trends.counts = trends.series.prefix(Trends.mostSeries).map { _ in ListCounts() }
    try readTroubled(recent, into: &trends)
    try TimedQuestions(connection: connection, recent: recent).readTimed(into: &trends)
    return trends
  }

  // MARK: - Runs

  private var condition: String {
    let conditions = [
      filter.branch.map { _ in "runs.branch = ?" }, filter.label.map { _ in "runs.label = ?" },
    ]
    .compactMap { $0 }
    return conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
  }

  private var values: [HistoryValue] { [filter.branch, filter.label].compactMap { $0 }.map { .text($0) } }

  private func runCount() throws -> Int {
    try connection.all("SELECT count(*) FROM runs \(condition)", values) { Int($0.integer(at: 0)) }.first ?? 0
  }

  private func readRuns(into trends: inout Trends) throws -> [Int64] {
    // Texts are truncated for the page.
    let texts = ["name", "label", "commit_hash", "dirty", "branch", "address"].map { column in
      column == "dirty" ? "runs.dirty" : "substr(runs.\(column), 1, \(column == "address" ? 1000 : 200))"
    }
    let rows = try connection.rows(
      """
      SELECT '', \(texts.joined(separator: ", ")), runs.began, runs.ended, \(TrendRun.columns), runs.id
      FROM runs LEFT JOIN run_totals ON run_totals.run = runs.id \(condition)
      ORDER BY runs.began DESC, runs.id DESC LIMIT \(Trends.mostRuns)
      """, values)
    var places: [RunSeries: Int] = [:]
    var ids: [Int64] = []
    while try rows.step() {
      var counted = TrendRun(rows)
      let series = RunSeries(branch: counted.run.branch, label: counted.run.label)
      let place = places[series] ?? places.count
      if place == places.count {
        places[series] = place
        trends.series.append(series)
      }
      counted.series = place
      trends.runs.append(counted)
      ids.append(rows.integer(at: TrendRun.columnCount))
    }
    trends.runs.reverse()
    return ids.reversed()
  }

  /// Sorts the series by number of recent runs.
  ///
  /// - Returns: The runs whose tests are read, newest first.
  private func order(_ trends: inout Trends, _ ids: [Int64]) -> [RecentRun] {
    let newest = trends.runs.indices.suffix(Trends.recentRuns).reversed()
    var counts = [Int](repeating: 0, count: trends.series.count)
    for index in newest { counts[trends.runs[index].series] += 1 }
    // Equal series stay in order of their last run.
    let order = counts.indices.sorted { (-counts[$0], $0) < (-counts[$1], $1) }
    var places = counts
    for (place, series) in order.enumerated() { places[series] = place }
    trends.series = order.map { trends.series[$0] }
    for index in trends.runs.indices { trends.runs[index].series = places[trends.runs[index].series] }
    return recent(Array(newest), ids, in: trends)
  }

  /// The newest run of each leading series, then others within the limit.
  private func recent(_ newest: [Int], _ ids: [Int64], in trends: Trends) -> [RecentRun] {
    let series = min(trends.series.count, Trends.mostSeries)
    var seen = [Int](repeating: 0, count: series)
    var recent: [RecentRun] = []
    var room = Trends.mostOutcomes
    for index in newest where trends.runs[index].series < series {
      let run = trends.runs[index]
      guard seen[run.series] < (room > 0 ? Trends.testRuns : 1) else { continue }
      seen[run.series] += 1
      room -= run.tests
      recent.append(RecentRun(id: ids[index], index: index, series: run.series, place: seen[run.series]))
    }
    func commit(_ each: RecentRun) -> [String]? {
      trends.runs[each.index].run.cleanCommit.map { ["\(each.series)", $0] }
    }
    let commits = Dictionary(grouping: recent.compactMap(commit)) { $0 }
    for place in recent.indices {
      recent[place].isRepeated = commit(recent[place]).map { (commits[$0]?.count ?? 0) > 1 } ?? false
    }
    return recent
  }

  // MARK: - Tests that failed

  /// Selects tests that failed in the last runs, or failed before and may be flaky.
  private func told(_ recent: [RecentRun]) -> String {
    """
    \(recent.table),
    newest AS (SELECT run, series, place FROM recent WHERE place <= \(TestPast.lastRuns)),
    troubled AS (
      SELECT outcomes.test AS test, recent.series AS series, min(recent.place) AS latest,
        max(CASE WHEN outcomes.flaky = 1 THEN 1 ELSE recent.repeated END) AS unsure
      FROM recent JOIN outcomes ON outcomes.run = recent.run
      WHERE outcomes.\(isFailure) OR outcomes.flaky = 1 GROUP BY outcomes.test, recent.series),
    told AS (
      SELECT test, series FROM troubled
      WHERE unsure = 1 AND EXISTS (
          SELECT 1 FROM newest JOIN outcomes ON outcomes.run = newest.run AND outcomes.test = troubled.test
          WHERE newest.series = troubled.series)
        OR latest <= \(TestPast.lastRuns) AND NOT EXISTS (
          SELECT 1 FROM newest JOIN outcomes ON outcomes.run = newest.run AND outcomes.test = troubled.test
          WHERE newest.series = troubled.series AND newest.place < troubled.latest))
    """
  }

  private func readTroubled(_ recent: [RecentRun], into trends: inout Trends) throws {
    var runs = trends.counts.map { _ in [HistoryRun]() }
    for each in recent { runs[each.series].append(trends.runs[each.index].run) }
    let hasEarlier = hasEarlier(recent, in: trends)
    var lists = TroubledLists(labels: trends.series.map(\.label), counts: trends.counts)
    for test in try found(recent) {
      lists.add(test, test.past(in: runs[test.series], hasEarlier: hasEarlier[test.series]))
    }
    trends.counts = lists.counts
    let leading = lists.leading
    let durations = try durations(of: leading, in: recent)
    let differences = try differences(of: Set(leading.map(\.test)))
    let names = try connection.names(of: Set(leading.map(\.test)))
    let messages = try connection.all(
      of: Set(leading.compactMap(\.message?.id)), "SELECT id, substr(text, 1, 400) FROM messages WHERE id"
    ) { $0.shortText(at: 1) }
    trends.troubled = leading.compactMap { test in
      guard let name = names[test.test] else { return nil }
      var past = test.past(
        in: runs[test.series], hasEarlier: hasEarlier[test.series], durations: durations[test.key] ?? [:])
      if let message = test.message {
        past.outcomes[test.outcome(at: message.place)].message = messages[message.id] ?? nil
      }
      let difference = differences[test.test]?[trends.series[test.series].label]
      return TestTrend(name: name, series: test.series, past: past, difference: difference)
    }
  }

  private func found(_ recent: [RecentRun]) throws -> [FoundTest] {
    var rows = try connection.rows("WITH \(told(recent)) SELECT test, series FROM told ORDER BY series, test")
    var found: [FoundTest] = []
    while try rows.step() { found.append(FoundTest(rows.integer(at: 0), Int(rows.integer(at: 1)))) }
    var places: [FoundTest.Key: Int] = [:]
    for (place, test) in found.enumerated() { places[test.key] = place }
    // SQLite joins in this order; with many tests a scan is faster than lookups.
    let tables = found.count > 1000 ? ["recent", "outcomes", "told"] : ["told", "recent", "outcomes"]
    let outcomes = Outcome.allCases
    let codes = outcomes.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }.joined(separator: " ")
    rows = try connection.rows(
      """
      WITH \(told(recent))
      SELECT told.test, told.series, recent.place, CASE outcomes.outcome \(codes) END, outcomes.flaky,
        outcomes.message
      FROM \(tables.joined(separator: " CROSS JOIN "))
      WHERE recent.series = told.series AND outcomes.run = recent.run AND outcomes.test = told.test
      """)
    while try rows.step() {
      // An unknown outcome of another version.
      guard let code = rows.optionalInteger(at: 3), outcomes.indices.contains(Int(code)),
        let place = places[FoundTest.Key(test: rows.integer(at: 0), series: Int(rows.integer(at: 1)))]
      else { continue }
      found[place].add(
        outcomes[Int(code)], isFlaky: rows.integer(at: 4) == 1, message: rows.optionalInteger(at: 5),
        at: Int(rows.integer(at: 2)) - 1)
    }
    return found
  }

  private func hasEarlier(_ recent: [RecentRun], in trends: Trends) -> [Bool] {
    let counts = trends.runsOfSeries.map(\.count)
    return (0..<min(trends.series.count, Trends.mostSeries)).map { series in
      trends.olderRuns > 0 || recent.count { $0.series == series } < counts[series]
    }
  }

  /// How long tests took, by the run's index in its series, newest first.
  private func durations(of tests: [FoundTest], in recent: [RecentRun]) throws -> [FoundTest.Key: [Int:
    Double]]
  {
    guard !tests.isEmpty else { return [:] }
    let rows = try connection.rows(
      """
      WITH \(recent.table)
      SELECT outcomes.test, recent.series, recent.place, outcomes.duration FROM recent CROSS JOIN outcomes
      WHERE outcomes.run = recent.run AND outcomes.test IN (\(list(Set(tests.map(\.test)))))
        AND outcomes.duration >= 0 AND outcomes.duration < 1e7
      """)
    let known = Set(tests.map(\.key))
    var durations: [FoundTest.Key: [Int: Double]] = [:]
    while try rows.step() {
      let key = FoundTest.Key(test: rows.integer(at: 0), series: Int(rows.integer(at: 1)))
      guard known.contains(key) else { continue }
      durations[key, default: [:]][Int(rows.integer(at: 2)) - 1] = rows.real(at: 3)
    }
    return durations
  }

  private func differences(of tests: Set<Int64>) throws -> [Int64: [String: String]] {
    guard !tests.isEmpty else { return [:] }
    let rows = try connection.rows(
      """
      SELECT test, substr(label, 1, 200), substr(sentence, 1, 400) FROM differences WHERE test IN (\(list(tests)))
      """)
    var sentences: [Int64: [String: String]] = [:]
    while try rows.step() {
      sentences[rows.integer(at: 0), default: [:]][rows.shortText(at: 1) ?? ""] = rows.shortText(at: 2)
    }
    return sentences
  }
}
