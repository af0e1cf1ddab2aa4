import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// What a history says of its runs and tests over time.
@Suite struct TrendsTests {
  private let history: WrittenHistory

  init() throws {
    history = try WrittenHistory()
  }

  private func add(
    _ hour: Double, _ outcomes: (TestCaseID, Outcome)..., commit: Character? = "a", branch: String? = "main",
    label: String = WrittenHistory.label, duration: Double = 0.25, seconds: Double? = nil,
    isFlaky: Bool = false
  ) throws {
    var run = WrittenHistory.run(hour, commit: commit, label: label)
    run.key += branch ?? ""
    run.branch = branch
    run.ended = seconds.map { run.began + $0 }
    var added = KeptRun(
      run: run, tests: outcomes.map { WrittenHistory.result($0.0, $0.1) })
    for index in added.outcomes.indices {
      added.outcomes[index].duration = duration
      added.outcomes[index].isFlaky = isFlaky
    }
    try history.file.add(added)
  }

  private static let (first, second) = (WrittenHistory.first, WrittenHistory.second)

  // MARK: - Runs

  @Test func runsAreCountedOldestFirst() throws {
    try add(2, (Self.first, .failed), (Self.second, .crashed), seconds: 8)
    try add(1, (Self.first, .passed), (Self.second, .skipped), isFlaky: true)
    let runs = try history.file.trends().runs
    #expect(runs.map(\.run.name) == ["run-1", "run-2"])
    #expect(runs.map(\.tests) == [2, 2])
    #expect(runs.map(\.failures) == [0, 2])
    #expect(runs.map(\.skipped) == [1, 0])
    #expect(runs.map(\.flaky) == [2, 0])
    #expect(runs.map(\.seconds) == [nil, 8])
    #expect(runs[0].run.commit == WrittenHistory.commit("a") && runs[0].run.branch == "main")
  }

  @Test func aHistoryWithoutRunsHasNone() throws {
    try history.folder.write("", to: "history.sqlite")
    let before = try history.bytes
    #expect(throws: HistoryError.self) { try history.file.trends() }
    #expect(try history.bytes == before)
    try add(1, (Self.first, .passed))
    _ = try history.file.prune(keptRuns: nil, keptDays: 1, now: 1e10)
    #expect(try history.file.trends() == Trends())
  }

  @Test func branchesAndLabelsAreApartAndThoseWithMostRunsFirst() throws {
    try add(1, (Self.first, .passed), branch: "feature")
    for hour in 2...3 { try add(Double(hour), (Self.first, .passed)) }
    for hour in 4...6 { try add(Double(hour), (Self.first, .passed), label: "mac") }
    try add(7, (Self.first, .passed), branch: nil)
    let trends = try history.file.trends()
    let series: [RunSeries] = [
      .init(branch: "main", label: "mac"), .init(branch: "main", label: "linux"),
      .init(branch: nil, label: "linux"),
      .init(branch: "feature", label: "linux"),
    ]
    #expect(trends.series == series)
    #expect(trends.runs.map { trends.series[$0.series] }.first == .init(branch: "feature", label: "linux"))
    #expect(trends.runsOfSeries.map(\.count) == [3, 2, 1, 1])
    #expect(trends.only { $0.label == "linux" }.runs.count == 4)
  }

  @Test func aBranchOrALabelAloneIsRead() throws {
    try add(1, (Self.first, .failed))
    try add(2, (Self.first, .passed), branch: "feature")
    try add(3, (Self.second, .failed), label: "mac")
    func names(_ filter: TrendFilter) throws -> [String] {
      try history.file.trends(filter).runs.map(\.run.name)
    }
    #expect(try names(TrendFilter(branch: "main")) == ["run-1", "run-3"])
    #expect(try names(TrendFilter(label: "linux")) == ["run-1", "run-2"])
    #expect(try names(TrendFilter(branch: "main", label: "mac")) == ["run-3"])
    #expect(try names(TrendFilter(branch: "' OR 1 = 1 --")) == [])
    #expect(try history.file.trends(TrendFilter(label: "mac")).troubled.map(\.name.name) == ["testTax"])
  }

  // MARK: - Tests that fail or are flaky

  @Test func aTestFailsSinceARun() throws {
    for (hour, outcome) in [Outcome.passed, .failed, .failed, .failed].enumerated() {
      try add(Double(hour), (Self.first, outcome), (Self.second, .passed), commit: Character("\(hour)"))
    }
    // What another branch or label has says nothing of it.
    try add(9, (Self.first, .passed), branch: "feature")
    try add(10, (Self.first, .passed), label: "mac")
    let troubled = try history.file.trends().troubled
    #expect(troubled.map(\.name.name) == ["testTotal"])
    guard case .failing(let since) = troubled.first?.past.standing else {
      Issue.record("It is not failing.")
      return
    }
    #expect(since.runs == 3 && since.run.name == "run-1" && since.passed?.name == "run-0" && !since.isLonger)
    #expect(troubled[0].past.outcomes.last?.message?.hasPrefix("total is") == true)
    #expect(troubled[0].past.outcomes.dropLast().allSatisfy { $0.message == nil })
  }

  @Test func aFlakyRateLeavesOutWhatTheCodeBroke() throws {
    // On commit a it fails once of four, on b always, and on c it passes at the second attempt.
    for (hour, each) in [
      ("a", Outcome.passed), ("a", .failed), ("a", .passed), ("a", .passed), ("b", .failed), ("b", .failed),
    ]
    .enumerated() {
      try add(Double(hour), (Self.first, each.1), commit: Character(each.0))
    }
    try add(8, (Self.first, .passed), commit: "c", isFlaky: true)
    try add(9, (Self.first, .skipped), commit: "c")
    let test = try #require(try history.file.trends().troubled.first)
    #expect(test.past.flakyRate == TestPast.FlakyRate(failures: 2, runs: 7))
  }

  @Test func theLastHundredRunsOfABranchAreLookedAt() throws {
    try add(0, (Self.first, .failed), (Self.second, .failed))
    for hour in 1...Trends.testRuns {
      try add(Double(hour), (Self.first, .passed), (Self.second, hour == 5 ? .failed : .passed))
    }
    let trends = try history.file.trends()
    #expect(trends.troubled.map(\.name.name) == ["testTax"])
    #expect(trends.troubled.first?.past.outcomes.count == Trends.testRuns)
    #expect(trends.troubled.first?.past.hasEarlier == true)
  }

  private static func many(_ count: Int) -> [TestCaseID] {
    (0..<count).map { TestCaseID(module: "M", suite: [], name: "test\($0)") }
  }

  private func add(
    _ hour: Double, _ tests: [TestCaseID], failing: Int, flaky: Int = 0, branch: String? = "main"
  )
    throws
  {
    var run = WrittenHistory.run(hour)
    (run.branch, run.key) = (branch, run.key + (branch ?? ""))
    var added = KeptRun(
      run: run,
      tests: tests.enumerated().map { WrittenHistory.result($1, $0 < failing ? .failed : .passed) })
    for index in tests.indices.suffix(flaky) { added.outcomes[index].isFlaky = true }
    try history.file.add(added)
  }

  @Test func allTestsThatFailAreCountedAndSomeAreTold() throws {
    let tests = Self.many(300)
    for hour in 1...4 { try add(Double(hour), tests, failing: 300) }
    let trends = try history.file.trends()
    #expect(trends.counts.map(\.failing.all) == [300] && trends.counts[0].flaky.all == 0)
    #expect(trends.troubled.count == 50 && trends.troubled.allSatisfy { $0.past.trouble == .failing })
    #expect(try history.file.overview(mostRuns: 1).failing.count == 300)
  }

  @Test func flakyTestsLeaveRoomForThoseThatFail() throws {
    let tests = Self.many(300)
    for hour in 1...4 { try add(Double(hour), tests, failing: 60, flaky: 240) }
    let trends = try history.file.trends()
    #expect(trends.counts[0].failing.all == 60 && trends.counts[0].flaky.all == 240)
    #expect(trends.troubled.count { $0.past.trouble == .failing } == 50)
    #expect(trends.troubled.count { $0.past.trouble == .flaky } == 50)
  }

  /// On commit a it passed and failed; since commit b it fails.
  @Test func aTestThatFailsSteadilyNowIsNotFlakyToo() throws {
    for (hour, each) in [
      ("a", Outcome.failed), ("a", .passed), ("b", .failed), ("c", .failed), ("d", .failed),
    ]
    .enumerated() {
      try add(Double(hour), (Self.first, each.1), commit: Character(each.0))
    }
    let trends = try history.file.trends()
    #expect(trends.counts.map(\.failing) == [ListCount(all: 1, first: 1)])
    #expect(trends.counts.map(\.flaky) == [ListCount()])
    let overview = try history.file.overview(mostRuns: 1)
    #expect(overview.failing.count == 1 && overview.flaky.isEmpty)
  }

  /// Its last run failed, on a commit on which it passed.
  @Test func aFlakyTestIsNotFailingTooWhereItsLastRunFailed() throws {
    for (hour, outcome) in [Outcome.passed, .failed, .passed, .failed].enumerated() {
      try add(Double(hour), (Self.first, outcome))
    }
    let trends = try history.file.trends()
    #expect(trends.counts.map(\.failing) == [ListCount()])
    #expect(trends.counts.map(\.flaky) == [ListCount(all: 1, first: 1)])
    let overview = try history.file.overview(mostRuns: 1)
    #expect(overview.failing.isEmpty && overview.flaky.map(\.identity) == ["ShopTests.OrderTests/testTotal"])
  }

  @Test func whatFailsOnOneBranchAndIsFlakyOnAnotherIsCountedAsFailing() throws {
    for hour in 1...4 { try add(Double(hour), Self.many(2), failing: 0, flaky: 2) }
    for hour in 5...7 { try add(Double(hour), Self.many(1), failing: 1, branch: "feature") }
    let trends = try history.file.trends()
    #expect(trends.counts.map(\.failing.first) == [0, 1])
    #expect(trends.counts.map(\.flaky) == [ListCount(all: 2, first: 1), ListCount()])
  }

  @Test func aTestOfSeveralBranchesIsCountedOnce() throws {
    for hour in 1...2 { try add(Double(hour), Self.many(3), failing: 3) }
    try add(3, Self.many(5), failing: 5, branch: "feature")
    let trends = try history.file.trends()
    #expect(trends.counts.map(\.failing.all) == [3, 5] && trends.counts.map(\.failing.first) == [3, 2])
  }

  @Test func allThatSlowDownAreCounted() throws {
    for hour in 0..<20 {
      var run = KeptRun(
        run: WrittenHistory.run(Double(hour)), tests: Self.many(80).map { WrittenHistory.result($0, .passed) }
      )
      for index in run.outcomes.indices { run.outcomes[index].duration = hour < 10 ? 1 : 3 }
      try history.file.add(run)
    }
    let trends = try history.file.trends()
    #expect(trends.counts.map(\.slower.all) == [80] && trends.timed.count { $0.step != nil } == 20)
  }

  /// One that was renamed or deleted has no run any more in which it could pass.
  @Test(arguments: [(11, true), (12, false)])
  func aTestThatTheLastRunsDidNotHaveIsNotTold(runs: Int, isTold: Bool) throws {
    for hour in 1...4 { try add(Double(hour), (Self.first, .failed), (Self.second, .passed)) }
    try add(5, (Self.first, .failed), (Self.second, .passed), isFlaky: true)
    for hour in 6..<6 + runs { try add(Double(hour), (Self.second, .passed)) }
    let trends = try history.file.trends()
    #expect(trends.troubled.map(\.name.name).contains("testTotal") == isTold)
    #expect(trends.counts.map(\.failing.all) == [isTold ? 1 : 0])
    #expect(try history.file.overview(mostRuns: 1).failing.isEmpty == !isTold)
    // What another branch or label has says nothing of it.
    for hour in 30..<50 { try add(Double(hour), (Self.second, .passed), branch: "feature") }
    let later = try history.file.trends()
    #expect(
      later.troubled.contains { later.series[$0.series].branch == "main" && $0.past.trouble == .failing }
        == isTold)
  }

  @Test func theNewestRunOfEachBranchIsLookedAtHoweverLargeOthersAre() throws {
    for hour in 1...30 { try add(Double(hour), (Self.first, .failed)) }
    for hour in 31...50 { try add(Double(hour), (Self.first, .passed), branch: "large") }
    try TestConnection(
      history.file.path,
      "UPDATE run_totals SET tests = 1000000000 WHERE run IN (SELECT id FROM runs WHERE branch = 'large')"
    ).close()
    let trends = try history.file.trends()
    #expect(trends.troubled.map { trends.series[$0.series].branch } == ["main"])
    #expect(trends.troubled[0].past.outcomes.count == 1 && trends.troubled[0].past.hasEarlier)
  }

  // MARK: - Durations

  @Test func theSlowestIsToldByItsMedian() throws {
    for hour in 1...5 {
      try add(Double(hour), (Self.first, .passed), duration: hour == 3 ? 100 : Double(hour))
    }
    for hour in 6...8 { try add(Double(hour), (Self.second, .passed), duration: 0.5) }
    // What failed took as long as it took to fail.
    try add(9, (Self.second, .failed), duration: 500)
    let timed = try history.file.trends().timed
    #expect(timed.map(\.name.name) == ["testTotal", "testTax"])
    #expect(timed.map(\.now) == [4, 0.5])
    #expect(timed.map(\.place) == [1, 2] && !timed.contains { $0.step != nil })
  }

  /// Ten runs before and ten after: only a sure change counts.
  @Test(arguments: [
    (before: [1.0], after: [1.6], isSlower: true), (before: [1.0], after: [1.4], isSlower: false),
    (before: [0.01], after: [0.04], isSlower: false),
    (before: [1, 1, 1, 9], after: [2, 2, 2, 2, 0.5], isSlower: true),
    (before: [1, 3], after: [3.5, 2.5], isSlower: false), (before: [2.0], after: [1.0], isSlower: false),
  ])
  func aTestIsSlowerWhereItIsSure(before: [Double], after: [Double], isSlower: Bool) throws {
    for hour in 0..<10 { try add(Double(hour), (Self.first, .passed), duration: before[hour % before.count]) }
    for hour in 0..<10 {
      try add(Double(hour + 10), (Self.first, .passed), duration: after[hour % after.count])
    }
    #expect(try history.file.trends().timed.map { $0.step != nil } == [isSlower])
  }

  /// 40 runs, of which the last so many took 300 ms in place of 60 ms.
  @Test(arguments: [8, 10, 25, 31])
  func aLastingSlowdownIsToldHoweverLongAgo(slow: Int) throws {
    for hour in 0..<40 {
      let jitter = Double(hour % 5) * 0.004
      try add(
        Double(hour), (Self.first, .passed), duration: (hour < 40 - slow ? 0.056 : 0.296) + jitter)
    }
    let trends = try history.file.trends()
    let step = try #require(trends.timed.first?.step)
    #expect(step.run.name == "run-\(40 - slow)" && step.runsAgo == slow)
    #expect(abs(step.before - 0.064) < 0.006 && abs(step.now - 0.304) < 0.006)
    #expect(trends.counts.map(\.slower.all) == [1])
    #expect(trends.timed.first?.passes.count == 40)
  }

  private static func durations(slow: (Int) -> Bool) -> [Double] { (0..<40).map { slow($0) ? 0.3 : 0.06 } }

  private static let unsure: [[Double]] = [
    durations { (10..<25).contains($0) }, durations { $0 % 2 == 0 }, durations { $0 == 20 },
    durations { $0 >= 33 },
    durations { $0 < 20 },
  ]

  /// What was slow for a while, or is slow now and then, did not slow down.
  @Test(arguments: unsure)
  func whatRecoveredOrVariesIsNotSlower(durations: [Double]) throws {
    for (hour, duration) in durations.enumerated() {
      try add(Double(hour), (Self.first, .passed), duration: duration)
    }
    #expect(try history.file.trends().timed.map { $0.step != nil } == [false])
  }

  @Test func theLastOfSeveralSlowdownsIsTold() throws {
    for hour in 0..<60 {
      try add(Double(hour), (Self.first, .passed), duration: hour < 20 ? 0.1 : hour < 45 ? 0.4 : 1)
    }
    let step = try #require(try history.file.trends().timed.first?.step)
    #expect(step.runsAgo == 15 && step.before == 0.4 && step.now == 1)
  }

  @Test func theDurationsOfTestsThatFailAreRead() throws {
    for hour in 1...4 {
      try add(Double(hour), (Self.first, hour < 4 ? .passed : .failed), duration: Double(hour))
    }
    let past = try #require(try history.file.trends().troubled.first).past
    #expect(past.outcomes.map(\.duration) == [1, 2, 3, 4])
  }

  @Test func tooFewRunsNeverTellThatOneIsSlower() throws {
    for hour in 0..<17 { try add(Double(hour), (Self.first, .passed), duration: hour < 7 ? 1 : 50) }
    #expect(try history.file.trends().timed.map { $0.step != nil } == [false])
  }

  // MARK: - Better or worse

  /// Runs of a branch: `.` passed, `x` failed.
  private func trend(_ runs: String) -> SeriesTrend {
    SeriesTrend(
      runs.map { sign in
        var run = TrendRun(run: WrittenHistory.run(1), series: 0)
        run.tests = 5
        run.failures = sign == "x" ? 1 : 0
        return run
      })
  }

  @Test(arguments: [
    ("....................xx..x..x..x.........", SeriesTrend.Direction.worse),
    ("xx..x..x..x.............................", .better),
    ("x...................x...................", .same),
    (".....x....", .same), (".....xx...", .worse), ("....", .unknown), ("xxxxxxxxx", .unknown),
    ("xxxxxxxxxx", .same),
  ])
  func aBranchGetsBetterOrWorse(runs: String, direction: SeriesTrend.Direction) {
    #expect(trend(runs).direction == direction, "\(runs)")
  }

  @Test func theTimeOfRunsIsThatOfThoseThatPassed() throws {
    for hour in 1...10 {
      try add(
        Double(hour), (Self.first, hour % 3 == 0 ? .failed : .passed),
        seconds: hour % 3 == 0 ? 1 : hour > 5 ? 90 : 60)
    }
    let trend = SeriesTrend(try history.file.trends().runs)
    #expect(trend.seconds == 90 && trend.secondsBefore == 60)
    #expect(trend.pace == .worse)
  }

  // MARK: - Totals and differences

  /// The totals are what the outcomes say, also of a run that is added again.
  @Test func totalsFollowTheOutcomes() throws {
    try add(1, (Self.first, .unfinished))
    func totals() throws -> [[Int]] {
      try history.file.trends().runs.map { [$0.tests, $0.failures, $0.flaky, $0.skipped] }
    }
    #expect(try totals() == [[1, 1, 0, 0]])
    try add(2, (Self.first, .failed))
    try add(2, (Self.first, .passed), (Self.second, .skipped))
    #expect(try totals() == [[1, 1, 0, 0], [2, 0, 0, 1]])
    #expect(try history.value("SELECT count(*) FROM run_totals") == "2")
    _ = try history.file.prune(keptRuns: 1, keptDays: nil, now: currentTime())
    #expect(try history.value("SELECT group_concat(tests) FROM run_totals") == "2")
  }

  @Test func theLastDifferenceOfATestIsKept() throws {
    for hour in 1...3 { try add(Double(hour), (Self.first, .failed), (Self.second, .failed)) }
    func run(_ hour: Double) -> HistoryRun {
      var run = WrittenHistory.run(hour)
      run.key += "main"
      return run
    }
    func difference(of test: TestCaseID) throws -> String? {
      try history.file.trends().troubled.first { $0.name.name == test.name }?.difference
    }
    try history.file.add(differences: [Self.first: "in run 2"], of: run(2))
    try history.file.add(differences: [Self.first: "in run 1"], of: run(1))
    #expect(try difference(of: Self.first) == "in run 2")
    #expect(try difference(of: Self.second) == nil)
    let before = try history.bytes
    try history.file.add(differences: [Self.first: "in run 2"], of: run(2))
    #expect(try history.bytes == before)
    let long = String(repeating: "ä", count: 9000)
    try history.file.add(
      differences: [Self.first: long, TestCaseID(module: "M", suite: [], name: "none"): "x"], of: run(3))
    #expect(try difference(of: Self.first) == String(repeating: "ä", count: 400))
    #expect(try history.value("SELECT count(*) FROM differences") == "1")
    try history.file.add(differences: [Self.second: "of a run that is not there"], of: run(9))
    #expect(try history.value("SELECT count(*) FROM differences") == "1")
    _ = try history.file.prune(keptRuns: nil, keptDays: 1, now: 1e10)
    #expect(try history.value("SELECT count(*) FROM differences") == "0")
  }

  // MARK: - Foreign files

  @Test func extremeValuesAreRead() throws {
    for hour in 1...4 { try add(Double(hour), (Self.first, hour % 2 == 0 ? .failed : .passed)) }
    for sql in [
      "UPDATE runs SET began = 9e999, ended = -9e999 WHERE id = 1",
      "UPDATE runs SET began = 'soon', ended = 'late' WHERE id = 2",
      "UPDATE runs SET began = -1e308, ended = 1e308 WHERE id = 3",
      "UPDATE runs SET branch = replace(hex(zeroblob(400000)), '00', 'ab'), label = x'ff00fe', name = char(0) || 'n'",
      "UPDATE outcomes SET duration = CASE run WHEN 1 THEN -1 WHEN 2 THEN 1e308 WHEN 3 THEN 9e999 ELSE 'long' END",
      "UPDATE outcomes SET outcome = 'exploded', flaky = 77, message = -4 WHERE run = 2",
      "UPDATE run_totals SET tests = 9223372036854775807, failures = -5, flaky = 'many', skipped = x'00'",
      "DELETE FROM run_totals WHERE run = 4",
      "UPDATE tests SET name = replace(hex(zeroblob(400000)), '00', 'ab'), suite = '///'",
    ] {
      try TestConnection(history.file.path, sql).close()
    }
    let trends = try history.file.trends()
    #expect(trends.runs.count == 4)
    #expect(trends.runs.allSatisfy { ($0.run.branch?.utf8.count ?? 0) <= 200 && ($0.seconds ?? 0) == 0 })
    #expect(trends.runs.allSatisfy { (0...1_000_000_000).contains($0.tests) && $0.failures == 0 })
    #expect(trends.timed.isEmpty)
    #expect(trends.troubled.allSatisfy { $0.name.name.utf8.count <= 300 })
  }

  @Test func aHistoryThatIsNoneIsRefused() throws {
    #expect(throws: HistoryError.self) { try history.file.trends() }
    try history.folder.write("hello", to: "history.sqlite")
    let error = try #require(throws: HistoryError.self) { try history.file.trends() }
    #expect(error.problem == .foreign)
  }
}
