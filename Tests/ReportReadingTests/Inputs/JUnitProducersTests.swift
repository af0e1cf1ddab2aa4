import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// The files of Tests/Fixtures/Inputs/junit.
@Suite struct JUnitProducersTests {
  private func read(_ path: String) throws -> InputTests {
    let input = XUnitInput.read(
      try LoadedFile(name: path, path: "\(Fixture.folder)/Inputs/junit/\(path)"))
    #expect(input.coverage == [])
    #expect(input.endedProperly)
    #expect(input.remarks == Remarks())
    return input
  }

  @Test func pytestIsRead() throws {
    let tests = try read("pytest/junit.xml")
    #expect(tests.observations.count == 14)
    #expect(tests["tests.test_orders/test_passes"]?.outcome == .passed)
    #expect(tests["tests.test_orders/test_passes"]?.output == nil)
    #expect(tests["tests.test_orders/test_skipped"]?.outcome == .skipped)
    #expect(tests["tests.test_orders/test_unexpected"]?.outcome == .failed)
    #expect(tests["tests.test_orders/test_set_up"]?.outcome == .failed)
    #expect(tests["tests.test_orders/test_parameters[b.c]"]?.outcome == .failed)
    #expect(tests["tests.test_orders/TestStore/test_inside"]?.outcome == .passed)
    let failed = try #require(tests["tests.test_orders/test_fails"])
    #expect(failed.issues.first?.message.contains("== {'a': 2, 'b': '<&>'}\n  \n  Omitting") == true)
    #expect(failed.output?.contains("to standard output") == true)
    #expect(failed.output?.contains("to standard error") == true)
  }

  @Test func pytestsExpectedFailureIsAKnownIssue() throws {
    let test = try #require(try read("pytest/junit.xml")["tests.test_orders/test_expected"])
    #expect(test.outcome == .knownIssue)
    #expect(test.issues.map(\.message) == ["to be fixed"])
    #expect(test.issues.first?.isKnown == true)
  }

  @Test func aTestOfPytestThatFailsAndWhoseTearDownFailsIsOne() throws {
    let join = InputJoin([try read("pytest/junit.xml")])
    #expect(join["tests.test_orders/test_tear_down"]?.issues.count == 2)
    #expect(join.tests.count == 13)
  }

  @Test func propertiesAndAttachmentsBelongToTheirTest() throws {
    let test = try #require(try read("pytest/junit.xml")["tests.test_orders/test_recorded"])
    #expect(test.properties == [TestProperty(name: "ticket", value: "EX-1")])
    #expect(test.observed.map(\.name) == ["shot.txt", "outside.txt"])
  }

  @Test func surefiresRerunsAreAttempts() throws {
    let tests = try read("surefire/TEST-com.example.OrderTest.xml")
    let flaky = try #require(tests["com.example/OrderTest/passesSecondTime"])
    #expect(flaky.outcome == .passed)
    #expect(flaky.duration == 1200.5)
    #expect(flaky.issues.isEmpty)
    #expect(flaky.attempts.map(\.outcome) == [.failed, .failed])
    #expect(flaky.attempts.first?.issues.first?.message.contains("OrderTest.java:21") == true)
    #expect(flaky.attempts.map(\.output) == ["printed by the first attempt\n", nil])
    #expect(flaky.output == "printed by the attempt that passed\n")
    let failed = try #require(tests.observations.first { $0.id.name == "failsEveryTime" })
    #expect(failed.outcome == .failed)
    #expect(failed.issues.count == 1)
    #expect(failed.attempts.compactMap(\.issues.first?.message).map { $0.suffix(6) } == ["second", " third"])
    #expect(tests.observations.first { $0.id.name == "throwsAnError" }?.outcome == .failed)
  }

  @Test func aFlakyTestIsOneInTheReport() throws {
    let join = InputJoin([try read("surefire/TEST-com.example.OrderTest.xml")])
    let flaky = join.tests.filter(\.isFlaky)
    #expect(flaky.map(\.id.name) == ["passesSecondTime"])
  }

  @Test func gradleIsRead() throws {
    let tests = try read("gradle/TEST-com.example.StoreTest.xml")
    #expect(tests.observations.map(\.outcome) == [.passed, .passed, .skipped, .failed])
    #expect(tests.observations.last?.id.suite.last == "StoreTest$Nested")
    #expect(tests.observations.last?.output == nil)
  }

  @Test func nextestIsRead() throws {
    let tests = try read("nextest/junit.xml")
    #expect(tests.observations.map(\.outcome) == [.passed, .failed, .passed, .failed])
    let failed = try #require(tests["shop::store.tests::fails"])
    #expect(failed.issues.first?.message.hasSuffix(" right: 2") == true)
    #expect(
      failed.attempts.map { $0.issues.map(\.message) } == [
        ["thread 'tests::fails' panicked again\npanicked again"]
      ])
    #expect(failed.output?.hasPrefix("running 1 test") == true)
    #expect(tests.observations[2].attempts.count == 1)
    #expect(tests.observations[3].issues.map(\.message) == ["process aborted with signal 6"])
  }

  @Test func jestIsRead() throws {
    let tests = try read("jest/junit.xml")
    #expect(tests.observations.map(\.outcome) == [.passed, .skipped, .failed])
    #expect(tests.observations[2].location?.file == "src/order.test.js")
    #expect(tests.observations[2].issues.first?.message.contains("Received: 1") == true)
  }

  // MARK: - What Apple's tools and others write

  private func readApple() throws -> InputTests {
    XUnitInput.read(
      try LoadedFile(name: "apple", path: "\(Fixture.folder)/Inputs/junit/apple/junit.xml"))
  }

  @Test func placesInMessagesAreRead() throws {
    let tests = try readApple()
    func issue(_ name: String) -> TestIssue? { tests["App.Places/\(name)"]?.issues.first }
    #expect(issue("xcbeautify")?.location == SourceReference(file: "/repo/Tests/T.swift", line: 34))
    #expect(issue("xcbeautify")?.message == "XCTAssertTrue failed - True is never false.")
    #expect(issue("xcpretty")?.location == SourceReference(file: "Tests/T.swift", line: 10))
    #expect(issue("xcpretty")?.message == "XCTAssertEqual failed: (\"1\") is not equal to (\"2\")")
    #expect(issue("trainer")?.location == SourceReference(file: "/repo/Tests/T.swift", line: 15))
    #expect(issue("trainer")?.message == "XCTAssertEqual failed: (\"a\") is not equal to (\"b\")")
    #expect(issue("behind")?.location == SourceReference(file: "T.swift", line: 12))
    #expect(issue("before")?.location == SourceReference(file: "Tests/T.swift", line: 9))
    #expect(issue("before")?.message == "boom")
    #expect(issue("attributes")?.location == SourceReference(file: "Tests/T.swift", line: 9))
  }

  @Test func wordsInAnglesThatAreNotEscapedStay() throws {
    let tests = try readApple()
    #expect(
      tests["App.Texts/unescaped"]?.issues.map(\.message) == [
        "Assertion Failure: <unknown>:0: \"<MyViewController: 0x7fd99fe00000>\" a && b < c"
      ])
    #expect(tests.remarks.faults.isEmpty)
    #expect(tests.remarks.noticeKinds == ["repairedXML"])
  }

  @Test func whatFailedAndThenPassedIsFlakyAndOtherEqualNamesStayApart() throws {
    let join = InputJoin([try readApple()])
    let retried = try #require(join["App.Retries/timesOut"])
    #expect(retried.isFlaky && retried.issues.isEmpty && retried.duration == 0.2)
    #expect(retried.attempts.map(\.duration) == [1.5])
    #expect(retried.attempts.map(\.output) == ["first"])
    #expect(retried.attempts.first?.issues.first?.location == SourceReference(file: "T.swift", line: 7))
    #expect(join["App.Names/same"]?.outcome == .passed)
    #expect(join["App.Names/same #2"]?.issues.map(\.message) == ["the second"])
    #expect(join.remarks.noticeKinds == ["repeatedTest"])
  }

  /// As where a CI puts the files of several jobs into one.
  @Test func aTestThatPassedInAnotherSuiteIsNoRepetition() {
    let text = """
      <testsuites><testsuite name='linux'><testcase classname='A' name='t'><failure message='x'/></testcase></testsuite>\
      <testsuite name='macos'><testcase classname='A' name='t'/></testsuite></testsuites>
      """
    let join = InputJoin([XUnitInput.read(Fixture.text(text))])
    #expect(join.tests.map(\.outcome) == [.failed, .passed] && !join.tests.contains(where: \.isFlaky))
  }

  @Test func aTestThatDidNotRunIsSkippedAndOneThatFailedIsNotGreen() throws {
    #expect(try readApple()["App.Off/DISABLED_x"]?.outcome == .skipped)
    let input = XUnitInput.read(
      Fixture.text(
        "<testsuite><testcase name='a' status='FAILED'/><testcase name='b' result='skipped' status='run'/></testsuite>"
      ))
    #expect(input.outcomes == ["a": .failed, "b": .skipped])
  }

  @Test func theOutputOfASuiteIsThatOfItsOnlyTestAndOfTheSuite() throws {
    let tests = try readApple()
    for name in ["//app:StoreTests", "the suite itself"] {
      let test = try #require(tests["//app:StoreTests.\(name)"])
      #expect(test.outcome == .failed)
      #expect(test.output == "StoreTests.swift:12: errorlocked")
      #expect(test.properties == [TestProperty(name: "seed", value: "42")])
    }
  }

  @Test(arguments: [
    ("1,5", 1.5), ("1,234", 1.234), ("1,234.5", 1234.5), ("1.234,5", 1234.5), ("1,234,567", 1_234_567),
    ("0.25", 0.25),
  ])
  func timesHaveAPointOrAComma(text: String, seconds: Double) {
    let input = XUnitInput.read(Fixture.text("<testsuite><testcase name='a' time='\(text)'/></testsuite>"))
    #expect(input.observations.map(\.duration) == [seconds])
  }
}
