import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

@Suite struct HistoryFileTests {
  private let history: WrittenHistory

  init() throws {
    history = try WrittenHistory()
  }

  @Test func aNewFileIsTheOwnersAloneAndOneFile() throws {
    try history.add(1, .passed)
    let mode = try #require(
      try FileManager.default.attributesOfItem(atPath: history.file.path)[.posixPermissions] as? Int)
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: history.folder.path) == ["history.sqlite"])
    #expect(try history.value("PRAGMA journal_mode") == "delete")
    #expect(try history.value("PRAGMA integrity_check") == "ok")
  }

  @Test func whatIsAddedIsReadByItsViews() throws {
    try history.add(
      WrittenHistory.run(1),
      WrittenHistory.result(WrittenHistory.first, .failed, "total is 12 in /tmp/a/b.sqlite"),
      WrittenHistory.result(WrittenHistory.second, .passed))
    #expect(
      try history.value(
        "SELECT identity || ' ' || outcome || ' ' || message FROM test_outcomes WHERE outcome = 'failed'")
        == "ShopTests.OrderTests/testTotal failed total is # in /…")
    #expect(try history.value("SELECT tests || ' ' || failures FROM run_counts") == "2 1.0")
    #expect(try history.value("SELECT count(*) FROM flaky_tests") == "0")
    try history.add(2, .passed)
    #expect(try history.value("SELECT identity FROM flaky_tests") == "ShopTests.OrderTests/testTotal")
  }

  @Test func aRunThatIsAddedTwiceChangesNothing() throws {
    let tests = [WrittenHistory.result(WrittenHistory.first, .failed)]
    let run = KeptRun(run: WrittenHistory.run(1), tests: tests)
    #expect(try history.file.add(run) != nil)
    let bytes = try history.bytes
    #expect(try history.file.add(run) == nil)
    #expect(try history.bytes == bytes)
  }

  @Test func aRunThatGoesOnReplacesWhatWasSaidOfIt() throws {
    try history.add(1, .failed)
    #expect(
      try history.add(
        WrittenHistory.run(1), WrittenHistory.result(WrittenHistory.first, .passed),
        WrittenHistory.result(WrittenHistory.second, .passed)))
    #expect(try history.value("SELECT group_concat(outcome) FROM outcomes") == "passed,passed")
    #expect(try history.value("SELECT count(*) FROM runs") == "1")
  }

  @Test func durationsAreThoseOfTheLastRunThatKnowsThem() throws {
    var cases = (1...2).map { number in
      var test = WrittenHistory.first
      test.argument = TestCaseID.Argument(description: "\(number)")
      return WrittenHistory.result(test, .passed)
    }
    cases[1].duration = 2
    try history.add(
      WrittenHistory.run(1), cases[0], cases[1], WrittenHistory.result(WrittenHistory.second, .passed))
    var later = WrittenHistory.result(WrittenHistory.second, .failed)
    later.duration = 7
    var unknown = cases[0]
    unknown.duration = nil
    try history.add(WrittenHistory.run(2, label: "another"), later, unknown)
    #expect(try history.file.durations() == [WrittenHistory.first: 2.25, WrittenHistory.second: 7])
  }

  @Test func casesOfOneFunctionAreApart() throws {
    let function = WrittenHistory.first
    var (one, again) = (function, function)
    one.argument = TestCaseID.Argument(description: "1")
    again.argument = TestCaseID.Argument(ordinal: 1, description: "1")
    try history.add(
      WrittenHistory.run(1), WrittenHistory.result(function, .passed), WrittenHistory.result(one, .failed),
      WrittenHistory.result(again, .passed))
    #expect(try history.value("SELECT count(*) FROM tests") == "3")
    let past = try history.file.past(of: [WrittenHistory.result(one, .failed)], in: WrittenHistory.run(2))
    #expect(past[one]?.outcomes.map(\.outcome) == [.failed, .failed])
  }

  @Test func aTestWithAVeryLongNameIsKept() throws {
    let texts = [String](repeating: String(repeating: "ü", count: 20_000), count: 2)
    let tests = zip(texts, ["1", "2"]).map { text, end in
      var test = WrittenHistory.first
      test.argument = TestCaseID.Argument(description: text + end)
      return test
    }
    try history.add(
      WrittenHistory.run(1), WrittenHistory.result(tests[0], .passed),
      WrittenHistory.result(tests[1], .failed))
    let now = tests.map { WrittenHistory.result($0, .failed) }
    let past = try history.file.past(of: now, in: WrittenHistory.run(2))
    #expect(past[tests[0]]?.outcomes.map(\.outcome) == [.passed, .failed])
    #expect(past[tests[1]]?.outcomes.map(\.outcome) == [.failed, .failed])
    #expect(try history.file.overview(mostRuns: 1).failing.count == 1)
    #expect(try history.value("SELECT max(length(CAST(identity AS BLOB))) <= 16384 FROM tests") == "1")
  }

  @Test func aRenamedTestBeginsAnew() throws {
    try history.add(1, .failed)
    let past = try history.file.past(
      of: [WrittenHistory.result(WrittenHistory.second, .failed)], in: WrittenHistory.run(2))
    #expect(past[WrittenHistory.second]?.standing == .new)
  }

  @Test func runsOfAnotherLabelAreNotCompared() throws {
    try history.add(1, .passed)
    let run = WrittenHistory.run(2, label: "mac")
    #expect(try history.past(.failed, in: run) == nil)
  }

  @Test func thousandsOfLabelsAreReadInTime() throws {
    try history.add(1, .failed)
    try TestConnection(
      history.file.path,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO runs (key, name, label, began) SELECT i, i, 'host ' || i, i FROM n;
      INSERT INTO tests (identity, module, suite, name) VALUES ('a', '', '', ''), ('b', '', '', ''), ('c', '', '', '');
      INSERT INTO outcomes (run, test, outcome) SELECT runs.id, tests.id, 'failed' FROM runs, tests WHERE label <> 'linux'
      """
    ).close()
    var file = history.file
    file.readingTime = 3
    #expect(try file.overview(mostRuns: 1).failing.count == 12_001)
  }

  @Test func aTestThatPassesAsBeforeHasNoPast() throws {
    try history.add(1, .passed)
    #expect(try history.past(.passed, in: WrittenHistory.run(2)) == nil)
  }

  @Test func theReportsOwnRunAndLaterOnesAreNoPast() throws {
    for hour in [1, 2, 3] { try history.add(Double(hour), .failed) }
    #expect(try history.past(.failed, in: WrittenHistory.run(2))?.outcomes.count == 2)
  }

  @Test func aFileThatIsNotThereIsNotMadeByReading() throws {
    #expect(throws: HistoryError(history.file.path, .missing)) {
      try history.past(.failed, in: WrittenHistory.run(1))
    }
    #expect(!history.file.exists)
  }

  @Test func aFolderThatIsNotThereIsNamed() throws {
    let file = HistoryFile(path: history.folder("nowhere/history.sqlite"))
    let error = try #require(throws: HistoryError.self) {
      try file.add(KeptRun(run: WrittenHistory.run(1), tests: []))
    }
    #expect("\(error)".contains("cannot be written: No such file or directory"))
  }

  @Test func passesAreKeptCompressedTheLastTwoOfEachLabel() throws {
    for (hour, story) in [(1.0, "one"), (3.0, "three"), (2.0, "two"), (1.0, "one"), (0, "none")] {
      var run = KeptRun(
        run: WrittenHistory.run(hour), tests: [WrittenHistory.result(WrittenHistory.first, .passed)])
      run.add(pass: Array(story.utf8), of: WrittenHistory.first, began: hour)
      try history.file.add(run)
    }
    #expect(
      try history.value(
        "SELECT group_concat(began || ' ' || hex(substr(story, 1, 2)), ', ') FROM (SELECT * FROM recorded_passes ORDER BY began)"
      ) == "2.0 1F8B, 3.0 1F8B")
  }

  @Test func theLastPassOfATestIsFoundByTheLabelOfItsMachine() throws {
    var run = KeptRun(
      run: WrittenHistory.run(1), tests: [WrittenHistory.result(WrittenHistory.first, .passed)])
    run.add(pass: Array("story".utf8), of: WrittenHistory.first, began: 7)
    try history.file.add(run)
    let found = try history.file.passes(of: [WrittenHistory.first], label: run.run.label)
    let pass = try #require(found[WrittenHistory.first]?.first)
    #expect(pass.label == nil)
    #expect(pass.began == 7 && pass.runBegan == run.run.began)
    #expect(Array(pass.packed.prefix(2)) == [0x1F, 0x8B])
    let elsewhere = try history.file.passes(of: [WrittenHistory.first], label: "another")
    #expect(elsewhere[WrittenHistory.first]?.map(\.label) == [run.run.label])
  }
}

/// What is kept of a message is the same for failures that are alike.
@Suite struct FoldedMessageTests {
  @Test(arguments: [
    ("total is 12", "total is #"), ("got \"a b\" and 'c'", "got \"…\" and \"…\""),
    ("no /tmp/x-1/y.sqlite here", "no /… here"), ("file=/a/b, line 3", "file=/…, line #"),
    ("1/2 of it", "#/# of it"), ("id 6F9619FF-8B86-D011-B42D-00CF4FC964FF", "id #"),
  ])
  func valuesAndPathsAreLeftOut(message: String, folded: String) {
    #expect(FoldedMessage(message).text == folded)
  }

  @Test func aLongOneIsCut() {
    #expect(FoldedMessage(String(repeating: "word ", count: 1000)).text.utf8.count == FoldedMessage.mostBytes)
  }
}
