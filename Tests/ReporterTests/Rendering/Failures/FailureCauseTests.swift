import Collector
import Testing

@testable import Reporter

@Suite struct FailureCauseTests {
  @Test(arguments: [
    ("order 12 of 300", "order 7 of 9"),
    ("object at 0x7ffeefbff5c8 is gone", "object at 0x10 is gone"),
    ("no row 6F9619FF-8B86-D011-B42D-00C04FC964FF", "no row 00000000-0000-0000-0000-000000000000"),
    ("no such table: \"orders\"", "no such table: \"it's a customer\""),
    ("took 1.25 seconds", "took 3 seconds"), ("table orders_12", "table orders_7"),
    ("\u{1B}[31mred 1\u{1B}[0m", "red 2"),
  ])
  func messagesThatDifferInValuesAreOneCause(first: String, second: String) {
    #expect(cause(first) == cause(second))
  }

  @Test(arguments: [
    ("no such table: \"orders\"", "no such column: \"orders\""), ("it's 1", "it 1"), ("deadbeef", "cafebabe"),
    ("line 1\nline 2", "line 1"), ("a \"b", "a \"c"), ("XCTAssertEqual failed: (\"1\")", "(\"1\")"),
  ])
  func messagesThatDifferInWordsAreTwo(first: String, second: String) {
    #expect(cause(first) != cause(second))
  }

  @Test func anAssertionsOwnWordsAreACauseOnlyAtOnePlace() {
    let message = "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")"
    #expect(cause(message, line: 1) == cause(message, line: 1))
    #expect(cause(message, line: 1) != cause(message, line: 2))
    #expect(cause(message + " - total", line: 1) == cause(message + " - total", line: 2))
    #expect(cause("XCTAssertTrue failed", line: 1) != cause("XCTAssertTrue failed", line: 2))
  }

  @Test func crashesAndFailuresAreApart() {
    #expect(cause("m", outcome: .crashed) != cause("m", outcome: .failed))
  }

  @Test func aLongMessageTakesLittleTime() {
    let text = String(repeating: "\" 0x1-", count: 200_000)
    #expect(foldingValues(in: text).utf8.count <= 8192 * 2)
  }

  private func cause(_ message: String, line: Int? = nil, outcome: Outcome = .failed) -> FailureCause {
    FailureCause(of: failedTest("t", message, line: line, outcome: outcome))
  }
}

@Suite struct FailureGroupsTests {
  @Test func crashesComeFirstThenTheMostFrequentCause() {
    let groups = failureGroups([
      failedTest("a", "x 1"), failedTest("b", "y 1"), failedTest("c", "y 2"), failedTest("d", "x"),
      failedTest("e", "z", outcome: .crashed), failedTest("f", "", outcome: .passed),
    ])
    #expect(groups.map { $0.failures.map(\.id.name) } == [["e"], ["b", "c"], ["a"], ["d"]])
  }

  @Test func pagesHoldEveryFailureOnce() {
    let tests = (0..<23).map {
      failedTest("t\($0)", $0 < 11 ? "x" : $0 < 14 ? "y" : "w\(["a", "b"][$0 % 2])")
    }
    let pages = paged(failureGroups(tests), size: 5)
    #expect(pages.map { $0.reduce(0) { $0 + $1.failures.count } } == [5, 5, 5, 5, 3])
    #expect(Set(pages.joined().flatMap(\.failures).map(\.id)).count == 23)
    #expect(pages[2].first?.total == 11)
    #expect(pages[2].first?.failures.count == 1)
  }

  @Test func withoutFailuresThereIsOneEmptyPage() {
    #expect(paged([], size: 5).map(\.count) == [0])
  }
}

/// A test with one issue.
private func failedTest(
  _ name: String, _ message: String, line: Int? = nil, outcome: Outcome = .failed
) -> TestResult {
  TestResult(
    id: TestCaseID(module: "M", suite: [], name: name), framework: .xctest, outcome: outcome,
    issues: [
      TestIssue(
        message: message, location: line.map { SourceReference(file: "F.swift", line: $0) }, severity: .error,
        isKnown: false)
    ])
}
