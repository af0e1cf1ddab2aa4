import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// What the outcomes of a test say of it now.
@Suite struct TestPastTests {
  /// The standing after outcomes of one an hour each: `P` and `F`, `S` for skipped, a commit's letter, `*` with changes.
  private func standing(_ text: String, hasEarlier: Bool = false) -> TestPast.Standing? {
    past(text, hasEarlier: hasEarlier).standing
  }

  private func past(_ text: String, hasEarlier: Bool = false) -> TestPast {
    let outcomes = text.split(separator: " ").enumerated().map { index, word in
      let letter = word.dropFirst().first ?? "a"
      let outcome: Outcome = word.hasPrefix("F") ? .failed : word.hasPrefix("S") ? .skipped : .passed
      return PastOutcome(
        run: WrittenHistory.run(Double(index), commit: letter, isDirty: word.hasSuffix("*")),
        outcome: outcome,
        isFlaky: word.hasSuffix("!"))
    }
    return TestPast(outcomes: outcomes, hasEarlier: hasEarlier)
  }

  @Test func whatPassesWithTheComparedCommitIsNewWhateverTheHistorySays() {
    func compared(_ text: String, _ outcome: Outcome) -> TestPast.Standing? {
      var past = past(text)
      past.compared = ComparedOutcome(name: "HEAD~1", commit: WrittenHistory.commit("c"), outcome: outcome)
      return past.standing
    }
    let passed = ComparedOutcome(name: "HEAD~1", commit: WrittenHistory.commit("c"), outcome: .passed)
    for text in ["", "Fa", "Fa Fb Fd", "Pb Fb", "Pb Fb*"] {
      #expect(compared(text, .passed) == .compared(passed), "\(text)")
    }
    #expect(compared("Pa Fb Fc Fd", .failed) == standing("Pa Fb Fc Fd"))
    for text in ["", "Fa", "Pb Fb"] {
      guard case .compared(let other) = compared(text, .failed) else {
        Issue.record("\(text): not by the comparison")
        continue
      }
      #expect(!other.hasPassed)
    }
    // It says nothing of a test that passes now.
    #expect(compared("Fa Pb", .failed) == standing("Fa Pb"))
  }

  private func failing(_ text: String) -> TestPast.FailingSince? {
    guard case .failing(let since) = standing(text) else { return nil }
    return since
  }

  @Test func aTestThatIsFirstSeenIsNew() {
    #expect(standing("Fa") == .new)
    #expect(standing("Pa") == nil)
  }

  @Test func aTestFailsSinceACommit() {
    let since = failing("Pa Fb Fc Fd")
    #expect(since?.run.commit == WrittenHistory.commit("b"))
    #expect(since?.runs == 3)
    #expect(since?.seconds == 7200)
    #expect(since?.passed?.commit == WrittenHistory.commit("a"))
    #expect(failing("Pa Fb")?.runs == 1)
  }

  @Test func aTestThatNeverPassedFailsSinceItsFirstRun() {
    #expect(failing("Fa Fb")?.run.commit == WrittenHistory.commit("a"))
    #expect(failing("Fa Fb")?.passed == nil)
    guard case .failing(let since) = standing("Fa Fb", hasEarlier: true) else {
      Issue.record("not failing")
      return
    }
    #expect(since.isLonger)
  }

  @Test func skippedRunsSayNothing() {
    #expect(failing("Pa Fb Sc Fd")?.runs == 2)
    guard case .fixed(let run) = standing("Fa Sb Pc") else {
      Issue.record("not fixed")
      return
    }
    #expect(run.commit == WrittenHistory.commit("a"))
  }

  @Test func outcomesWithChangesNeverSaySince() {
    #expect(failing("Pa Fa* Fa* Fb")?.run.commit == WrittenHistory.commit("b"))
    #expect(failing("Pa Fa* Fa* Fb")?.runs == 1)
    guard case .failingUncommitted(let passed) = standing("Pa Fa*") else {
      Issue.record("says since")
      return
    }
    #expect(passed?.commit == WrittenHistory.commit("a"))
    #expect(standing("Fa* Fa* Fa*") == .failingUncommitted(passed: nil))
    #expect(failing("Pa Fb Fb*")?.runs == 1)
  }

  @Test func aTestIsFixed() {
    guard case .fixed(let run) = standing("Pa Fb Pc") else {
      Issue.record("not fixed")
      return
    }
    #expect(run.commit == WrittenHistory.commit("b"))
    #expect(standing("Pa Fb Pc Pd") == nil)
    #expect(standing("Pa Fb* Pc") == nil)
  }

  @Test func aTestIsFlakyThatPassedAndFailedOnOneCommit() {
    #expect(standing("Pa Fa Pa") == .flaky(commit: WrittenHistory.commit("a"), passed: 2, failed: 1))
    #expect(standing("Pa Fb Pb Fc") == .flaky(commit: WrittenHistory.commit("b"), passed: 1, failed: 1))
    #expect(standing("Pa Pb!") == .flaky(commit: WrittenHistory.commit("b"), passed: 1, failed: 1))
    #expect(failing("Pa Fa*") == nil)
    guard case .failingUncommitted = standing("Pa Fa*") else {
      Issue.record("flaky with changes")
      return
    }
  }

  @Test func aTestThatGoesOnFailingIsNoLongerFlaky() {
    #expect(failing("Pa Fa Fb Fc")?.runs == 3)
  }

  /// A reader finds a test in the list of failing or of flaky ones, never in both.
  @Test(
    arguments: [
      ("Pa Fa Fb Fc", .failing), ("Pa Fa Pb Fc Fd Fe", .failing), ("Pa Fb", .failing), ("Fa", .failing),
      ("Pa Fa*", .failing), ("Pa Fa", .flaky), ("Pa Fa Pa", .flaky), ("Pa Fb Pb Fc", .flaky),
      ("Pa Pb!", .flaky),
      ("Pa Fb Pc", nil), ("Pa Pb", nil), ("", nil),
    ] as [(String, TestPast.Trouble?)])
  func aTestIsFailingOrFlakyNeverBoth(outcomes: String, trouble: TestPast.Trouble?) {
    #expect(past(outcomes).trouble == trouble, "\(outcomes)")
  }

  @Test func aTestThatWasFlakyLongAgoIsNotNow() {
    #expect(standing("Pa Fa " + Array(repeating: "Pb", count: 12).joined(separator: " ")) == nil)
  }
}

@Suite struct LastPassTests {
  private let history: WrittenHistory

  init() throws {
    history = try WrittenHistory()
  }

  private func lastPass(_ tests: TestCaseID...) throws -> LastPass {
    try history.file.lastPass(of: tests, label: WrittenHistory.label)
  }

  @Test func itIsTheNewestCommitOnWhichAllPassed() throws {
    let (first, second) = (WrittenHistory.first, WrittenHistory.second)
    for (hour, letter, outcomes) in [
      (1.0, "a", (Outcome.passed, Outcome.passed)), (2, "b", (.passed, .passed)),
      (3, "c", (.passed, .failed)),
      (4, "d", (.failed, .failed)),
    ] as [(Double, Character, (Outcome, Outcome))] {
      try history.add(
        WrittenHistory.run(hour, commit: letter), WrittenHistory.result(first, outcomes.0),
        WrittenHistory.result(second, outcomes.1))
    }
    #expect(try lastPass(first, second) == .commit(WrittenHistory.commit("b"), passed: 2))
    #expect(try lastPass(first) == .commit(WrittenHistory.commit("c"), passed: 1))
  }

  @Test func runsWithChangesAndOfOtherLabelsDoNotCount() throws {
    try history.add(1, .passed, isDirty: true)
    try history.add(2, .passed, isDirty: nil)
    try history.add(3, .passed, commit: nil)
    try history.add(WrittenHistory.run(4, label: "mac"), WrittenHistory.result(WrittenHistory.first, .passed))
    guard case .none(let reason) = try lastPass(WrittenHistory.first) else {
      Issue.record("a commit")
      return
    }
    #expect(reason.contains("no run with the label linux in which the test passed"))
  }
}

@Suite struct HistoryPruningTests {
  private let history: WrittenHistory

  init() throws {
    history = try WrittenHistory()
    for day in 0..<10 { try history.add(Double(24 * day), day < 5 ? .failed : .passed) }
    try history.add(
      WrittenHistory.run(0, label: "mac"), WrittenHistory.result(WrittenHistory.second, .failed, "old words"))
  }

  private func prune(runs: Int? = nil, days: Double? = nil) throws -> Int {
    let now = WrittenHistory.run(24 * 9).began + 3600
    return try history.file.prune(keptRuns: runs, keptDays: days, now: now)
  }

  @Test func theNewestOfEachLabelStay() throws {
    #expect(try prune(runs: 3) == 7)
    #expect(
      try history.value(
        "SELECT group_concat(name) FROM (SELECT name FROM runs WHERE label = 'linux' ORDER BY began)")
        == "run-168,run-192,run-216")
    #expect(try history.value("SELECT count(*) FROM tests") == "2")
  }

  @Test func daysGoAndWhatNothingNamesGoesToo() throws {
    #expect(try prune(days: 3) == 8)
    #expect(try history.value("SELECT count(*) FROM runs") == "3")
    #expect(try history.value("SELECT count(*) FROM tests") == "1")
    #expect(try history.value("SELECT count(*) FROM messages") == "0")
    #expect(try history.value("PRAGMA integrity_check") == "ok")
    try history.file.shrink()
    #expect(try history.value("PRAGMA freelist_count") == "0")
  }

  @Test func runsOfAClockThatIsAheadGoFirst() throws {
    try history.add(WrittenHistory.run(24 * 9 + 20), WrittenHistory.result(WrittenHistory.first, .passed))
    try TestConnection(
      history.file.path, "UPDATE runs SET began = 4e9 WHERE name IN ('run-24', 'run-48') AND label = 'linux'"
    ).close()
    #expect(try prune(runs: 100) == 2)
    #expect(try history.value("SELECT count(*) FROM runs WHERE began > 3e9") == "0")
    try TestConnection(history.file.path, "UPDATE runs SET began = 4e9 WHERE name = 'run-72'").close()
    #expect(try prune(runs: 1) == 8)
    #expect(try history.value("SELECT group_concat(name) FROM runs WHERE label = 'linux'") == "run-236")
  }

  @Test func whatEitherKeepsStays() throws {
    #expect(try prune(runs: 5, days: 3) == 5)
    #expect(try prune(runs: 5, days: 3) == 0)
  }
}
