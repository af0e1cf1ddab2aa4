import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

@Suite struct FailureSignatureTests {
  @Test(arguments: [
    ("order 12 of 300", "order 7 of 9"),
    ("object at 0x7ffeefbff5c8 is gone", "object at 0x10 is gone"),
    ("no row 6F9619FF-8B86-D011-B42D-00C04FC964FF", "no row 00000000-0000-0000-0000-000000000000"),
    ("no such table: \"orders\"", "no such table: \"it's a customer\""),
    ("took 1.25 seconds", "took 3 seconds"), ("table orders_12", "table orders_7"),
  ])
  func messagesThatDifferInValuesAreAlike(first: String, second: String) {
    #expect(signature(first) == signature(second))
  }

  @Test(arguments: [
    ("no such table: \"orders\"", "no such column: \"orders\""), ("it's 1", "it 1"), ("deadbeef", "cafebabe"),
    ("line 1\nline 2", "line 1"), ("a \"b", "a \"c"), ("XCTAssertEqual failed: (\"1\")", "(\"1\")"),
  ])
  func messagesThatDifferInWordsAreNot(first: String, second: String) {
    #expect(signature(first) != signature(second))
  }

  @Test(arguments: [
    "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")",
    "XCTAssertEqual failed: (\"1\") is not equal to (\"2\") - total", "XCTAssertTrue failed",
    "Expectation failed: (actual → 1) == (expected → 2)", "assert 1 == 2",
  ])
  func anAssertionOfAFunctionThatTestsShareIsNotAlikeInTwoOfThem(message: String) {
    let tests = (0..<10).map { failedTest("t\($0)", message, line: 1) }
    #expect(failureGroups(tests).count == 10)
    #expect(signature(message, line: 1) == signature(message, line: 1))
    #expect(signature(message, line: 1) != signature(message, line: 2))
  }

  @Test(arguments: [("SELECT a FROM orders", ["a", "b"]), ("SELECT a FROM stock", ["a"])])
  func testsInWhichOneStatementFailsOneAssertionAreAlike(sql: String, alike: [String]) throws {
    let message = "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")"
    let tests = ["a", "b"].map { failedTest($0, message, line: 1) }
    var stories: [TestCaseID: Story] = [:]
    for (test, sql) in zip(tests, ["SELECT a FROM orders", sql]) {
      var written = WrittenStory()
      written.step(sql, rows: 1, results: "[[1]]")
      written.issue(0)
      stories[test.id] = try written.story()
    }
    #expect(failureGroups(tests, stories)[0].failures.map(\.id.name) == alike)
    #expect(failureGroups(tests).count == 2, "in doubt they are apart")
  }

  @Test func whatThePlaceOfAnAuthorsWordsIsCounts() {
    #expect(signature("failed - row 3 is gone", line: 1) == signature("failed - row 4 is gone", line: 1))
    #expect(signature("failed - row 3 is gone", line: 1) != signature("failed - row 3 is gone", line: 2))
  }

  @Test(arguments: [
    ("Expectation failed: (total → 3) == 4\nof Ada's order", "Expectation failed: (total → 9) == 4\nof Bob"),
    (
      "Expectation failed: (a → \"x y\") == (b → nil)",
      "Expectation failed: (a → \"p - q\n\") == (b → 7)\nnote"
    ),
    ("Issue recorded (error): first", "Issue recorded (error): second"),
    ("Issue recorded\nfirst", "Issue recorded\nsecond"),
  ])
  func casesOfOneTestAreAlikeAtOnePlaceWhateverTheirComments(first: String, second: String) {
    #expect(signature(first, line: 1, case: "1") == signature(second, line: 1, case: "2"))
    #expect(signature(first, line: 1, case: "1") != signature(second, line: 2, case: "2"))
    #expect(signature(first, line: 1, case: "1", of: "other") != signature(second, line: 1, case: "2"))
  }

  @Test func twoExpressionsOfOneLineAreNotAlike() {
    let (first, second) = ("Expectation failed: (count → 1) == 2", "Expectation failed: (total → 1) == 2")
    #expect(signature(first, line: 1, case: "1") != signature(second, line: 1, case: "2"))
  }

  @Test func thrownErrorsAreAlikeByWhatTheySay() {
    #expect(thrown("no such table: person", line: 3) == thrown("no such table: person", line: 9))
    #expect(thrown("row 3 is locked", line: 3) == thrown("row 4 is locked", line: 9))
    #expect(thrown("no such table: person", line: 3) != thrown("UNIQUE constraint failed", line: 3))
    #expect(thrown("Mistake(reason: \"a\")", line: 3) != thrown("Mistake(reason: \"b\")", line: 3))
    #expect(signature("Caught error: Busy()", line: 1) == signature("Caught error: Busy()", line: 2))
  }

  @Test func crashesAreAlikeWhereTheProcessEndedItself() throws {
    let place = "M/Store.swift:12: Fatal error: "
    let tests = try [
      ("a", place + "1"), ("b", place + "2"), ("c", "M/Store.swift:13: Fatal error: 1"), ("d", "x"),
      ("e", "x"),
    ]
    .map { try crashedTest($0, lastLine: $1) }
    #expect(failureGroups(tests).map { $0.failures.map(\.id.name) } == [["a", "b"], ["c"], ["d"], ["e"]])
  }

  @Test func whatNoInputExplainsIsNotCalledAlike() throws {
    let silent = (0..<3).map {
      TestResult(id: .init(module: "M", suite: [], name: "t\($0)"), outcome: .failed)
    }
    let groups = failureGroups(silent + [failedTest("u", "failure")])
    #expect(groups.map(\.relation) == ["of which no input tells more"])
    #expect(failureGroups([failedTest("u", "m")]).map(\.relation) == ["that are alike"])
  }

  @Test func crashesAndFailuresAreApart() {
    #expect(signature("m", outcome: .crashed) != signature("m", outcome: .failed))
  }

  @Test func aLongMessageTakesLittleTime() {
    let text = String(repeating: "\" 0x1-", count: 200_000)
    #expect(foldingValues(in: text).utf8.count <= 8192 * 2)
  }

  private func signature(
    _ message: String, line: Int? = nil, outcome: Outcome = .failed, case argument: String? = nil,
    of test: String = "t"
  ) -> FailureSignature {
    FailureSignature(of: failedTest(test, message, line: line, outcome: outcome, case: argument))
  }

  private func thrown(_ error: String, line: Int) -> FailureSignature {
    signature("threw error \"\(error)\"", line: line)
  }

  private func crashedTest(_ name: String, lastLine: String) throws -> TestResult {
    let output = "Test Suite 'All tests' started at 1\n\(lastLine)\n*** Signal 4: Backtracing\n"
    let stopped = try #require(ProcessOutput.stopped(in: Data(output.utf8)).first)
    var test = TestResult(
      id: TestCaseID(module: "M", suite: [], name: name), outcome: .crashed, crash: CrashOutput(stopped))
    test.addIssueOfCrash()
    return test
  }
}

@Suite struct FailureGroupsTests {
  @Test func crashesComeFirstThenWhatMostTestsHave() {
    let tests = [
      failedTest("a", "x 1"), failedTest("b", "y 1"), failedTest("c", "y 2"), failedTest("d", "x"),
      failedTest("e", "z", outcome: .crashed), failedTest("f", "", outcome: .passed),
    ]
    let context = PageContext(
      ReportContents(report: Report(title: "Shop", runs: [], tests: tests), nonce: "n"))
    #expect(context.groups.map { $0.failures.map(\.id.name) } == [["e"], ["b", "c"], ["a"], ["d"]])
  }

  @Test func groupsAreNumberedForTheList() {
    let tests = [failedTest("a", "x 1"), failedTest("b", "y 1"), failedTest("c", "y 2"), failedTest("d", "")]
    let alike = alikeFailures(failureGroups(tests))
    #expect(tests.map { alike[$0.id]?.total } == [nil, 2, 2, nil])
    #expect(alike[tests[1].id]?.number == alike[tests[2].id]?.number)
  }
}

/// A test with one issue.
private func failedTest(
  _ name: String, _ message: String, line: Int? = nil, outcome: Outcome = .failed,
  case argument: String? = nil
) -> TestResult {
  TestResult(
    id: TestCaseID(
      module: "M", suite: [], name: name, argument: argument.map { .init(ordinal: 0, description: $0) }),
    framework: .xctest, outcome: outcome,
    issues: [
      TestIssue(
        message: message, location: line.map { SourceReference(file: "F.swift", line: $0) }, severity: .error,
        isKnown: false)
    ])
}
