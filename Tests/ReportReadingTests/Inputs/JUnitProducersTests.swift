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
}
