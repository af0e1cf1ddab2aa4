import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportPipeline

/// Which tests run again, and what `swift test` is given for them.
@Suite struct FailedTestsTests {
  private func test(
    _ name: String, _ outcome: Outcome = .failed, suite: [String] = ["Suite"], argument: String? = nil,
    _ framework: TestFramework? = .swiftTesting
  ) -> TestRecord {
    TestRecord(
      id: TestCaseID(
        module: "Module", suite: suite, name: name, argument: argument.map { .init(description: $0) }),
      framework: framework, outcome: outcome, duration: nil)
  }

  @Test(arguments: [
    (TestCaseID(module: "M", suite: ["A"], name: "testB"), "M.A/testB", "M.A/testBetter"),
    (TestCaseID(module: "M", suite: ["A"], name: "testB"), "M.A/testB", "XM.A/testB"),
    (
      TestCaseID(module: "M", suite: ["A", "B"], name: "f()"), "M.A/B/f()/File.swift:12:3",
      "M.A/f()/F.swift:1:2"
    ),
    (TestCaseID(module: "M", suite: ["A", "B"], name: "testF"), "M.A.B/testF", "M.AxB/testF"),
    (
      TestCaseID(module: "M", suite: [], name: "f(_:to:)"), "M.f(_:to:)/Some File.swift:1:2",
      "M.f(_:to:)/g()/F.swift:1:2"
    ),
    (
      TestCaseID(module: "M", suite: [], name: "`a (b) $1.5 + [c]|d`()"),
      "M.`a (b) $1.5 + [c]|d`()/F.swift:1:2", "M.a"
    ),
    (
      TestCaseID(module: "M", suite: ["Ä"], name: "`日本 {x}^*?\\`()"), "M.Ä/`日本 {x}^*?\\`()/F.swift:1:2", "M.Ä"
    ),
  ]) func aFilterMatchesItsTestAlone(id: TestCaseID, matching: String, other: String) throws {
    let regex = try Regex(id.filter)
    #expect(matching.firstMatch(of: regex) != nil)
    #expect(other.firstMatch(of: regex) == nil)
    let foundation = try NSRegularExpression(pattern: id.filter)
    func matches(_ text: String) -> Bool {
      foundation.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
    #expect(matches(matching) && !matches(other))
  }

  @Test func casesRunWithTheirFunction() {
    let failed = FailedTests([
      test("f(_:)", argument: "1"), test("f(_:)", .passed, argument: "2"), test("f(_:)", argument: "3"),
      test("g()", .passed),
    ])
    #expect(failed.functions.map(\.id.name) == ["f(_:)"])
    #expect(failed.cases.compactMap(\.argument?.description).sorted() == ["1", "3"])
    let one = failed.only([test("f(_:)", argument: "3").id])
    #expect(one.cases.count == 1 && one.functions.count == 1)
    #expect(failed.only([]).functions.isEmpty)
  }

  @Test func whatEndedItsProcessRunsAlone() {
    let failed = FailedTests([
      test("a()"), test("b()", .crashed), test("c()"), test("d()", .unfinished),
    ])
    #expect(failed.invocations.map { $0.map(\.id.name) } == [["a()", "c()"], ["b()"], ["d()"]])
    #expect(FailedTests([test("b()", .crashed)]).invocations.count == 1)
  }

  @Test func manyFailuresAreCut() {
    let failed = FailedTests((0..<230).map { test("f\($0)()") })
    #expect(failed.functions.count == 200 && failed.omitted == 30)
  }

  @Test func longNamesTakeSeveralInvocations() {
    let failed = FailedTests((0..<100).map { test("`\($0)\(String(repeating: "long ", count: 400))`()") })
    let invocations = failed.invocations
    #expect(invocations.count == 4)
    #expect(invocations.flatMap { $0 } == failed.functions)
    for functions in invocations {
      #expect(functions.reduce(0) { $0 + $1.id.filter.utf8.count } <= FailedTests.longestFilters)
    }
  }

  @Test func theUsersArgumentsStayButForTests() {
    let arguments = SwiftTestArguments(
      [
        "--parallel", "--filter", "X", "--skip=Y", "--scratch-path", "a b", "-c", "release", "--specifier",
        "Z",
        "--xunit-output", "mine.xml", "--event-stream-output-path=e.jsonl", "--enable-code-coverage",
        "-Xswiftc", "-g",
      ], workingFolder: "/p")
    let again = arguments.again(["^A$", "^B$"], of: .xctest)
    #expect(
      again.given == [
        "--parallel", "--scratch-path", "a b", "-c", "release", "-Xswiftc", "-g", "--skip-build",
        "--filter", "^A$", "--filter", "^B$", "--disable-swift-testing",
      ])
    #expect(again.requestedFiles.isEmpty && again.workingFolder == "/p")
    #expect(arguments.again(["^A$"], of: nil).given.last == "^A$")
    #expect(arguments.again(["^A$"], of: .swiftTesting).given.last == "--disable-xctest")
  }

  @Test func theFrameworkIsThatOfAll() {
    let both = FailedTests([test("a()"), test("testB", .failed, .xctest)])
    #expect(both.functions.framework == nil)
    #expect(FailedTests([test("testB", .failed, .xctest)]).functions.framework == .xctest)
    #expect(FailedTests([test("b()", .failed, nil)]).functions.framework == nil)
  }
}
