import Collector
import Foundation
import ReportModel
import ReportReading
import Testing

@testable import ReportPipeline

/// What `swift test` is given for a shard: together the shards' filters choose each test once.
@Suite struct ShardFiltersTests {
  private static let place = "/Some File.swift:12:3"

  /// The line with which `swift test list` and `--filter` know a test.
  private func line(_ test: TestCaseID) -> String {
    test.probableFramework == .xctest
      ? "\(test.module).\(test.suite.joined(separator: "."))/\(test.name)" : test.description + Self.place
  }

  /// How often each test is chosen by the shards.
  private func chosen(
    _ tests: [TestCaseID], into count: Int, longest: Int = ShardFilters.longestArgument,
    isParallel: Bool = false
  ) throws -> [TestCaseID: [Int]] {
    let split = try #require(TestSplit(tests, into: count))
    var chosen: [TestCaseID: [Int]] = [:]
    for shard in 1...count {
      let filters = ShardFilters(split, shard: shard, isParallel: isParallel, longest: longest)
      for invocation in filters.invocations {
        #expect(invocation.filter.utf8.count <= longest)
        let regex = try NSRegularExpression(pattern: invocation.filter)
        let swiftRegex = try Regex(invocation.filter)
        var argument = 0
        for test in tests where invocation.framework.map({ $0 == test.probableFramework }) ?? true {
          let line = line(test)
          let matches = regex.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) != nil
          if tests.count < 1000 { #expect(line.contains(swiftRegex) == matches) }
          guard matches else { continue }
          chosen[test, default: []].append(shard)
          if test.probableFramework == .xctest { argument += line.utf8.count + 1 }
        }
        if !isParallel { #expect(argument <= longest) }
      }
    }
    for entry in split.entries { #expect(chosen[entry.test] == [entry.shard], "\(entry.test)") }
    return chosen
  }

  private var strange: [TestCaseID] {
    [
      ("M", [], "free()"), ("M", [], "f(_:to:)"), ("M", [], "`a / b`()"), ("M", [], "`a (b) $1.5 + [c]|d`()"),
      ("M", ["A"], "testB"), ("M", ["A"], "testBetter"), ("M", ["AB"], "testB"),
      ("M", ["A", "Inner"], "f()"),
      ("M", ["Outer", "Case"], "testC"), ("M", ["Ä"], "`日本 {x}^*?\\`()"), ("M", ["`raw) suite`"], "g()"),
      ("MM", ["A"], "testB"), ("MM", [], "free()"), ("M2", ["free"], "free()"),
    ].map { TestCaseID(module: $0.0, suite: $0.1, name: $0.2) }
  }

  @Test(arguments: [1, 2, 3, 5, 14]) func everyTestIsChosenOnce(count: Int) throws {
    #expect(try chosen(strange, into: count).count == strange.count)
  }

  @Test(arguments: [300, 500, 4000]) func noArgumentIsTooLong(longest: Int) throws {
    let tests = (0..<40).flatMap { suite in
      (0..<20).map {
        TestCaseID(module: "M", suite: ["Suite\(suite)"], name: suite % 2 == 0 ? "test\($0)" : "f\($0)()")
      }
    }
    _ = try chosen(tests, into: 2, longest: longest)
    _ = try chosen(tests, into: 2, longest: longest, isParallel: true)
  }

  @Test func suitesAreChosenWhole() throws {
    let tests = (0..<50).map { TestCaseID(module: "M", suite: ["S\($0 / 25)"], name: "test\($0)") }
    let split = try #require(TestSplit(tests, into: 2))
    let filters = ShardFilters(split, shard: 1, isParallel: false)
    #expect(filters.invocations == [.init(filter: "^(?:M\\.(?:S0[./]))", framework: nil)])
  }

  @Test func ofAHundredThousandNoArgumentIsTooLong() throws {
    let tests = (0..<100_000).map {
      TestCaseID(
        module: "OrdersTests", suite: ["Suite\($0 / 10)OfTheOrders"],
        name: $0 % 20 < 10 ? "testNumber\($0)OfManyOrders" : "number\($0)OfManyOrders()")
    }
    let split = try #require(TestSplit(tests, into: 4))
    for shard in 1...4 {
      let parallel = ShardFilters(split, shard: shard, isParallel: true).invocations
      #expect(parallel.allSatisfy { $0.filter.utf8.count <= 1 << 16 } && parallel.count <= 2)
      let serial = ShardFilters(split, shard: shard, isParallel: false).invocations
      #expect(serial.allSatisfy { $0.filter.utf8.count <= 1 << 16 } && serial.count < 20)
    }
  }

  @Test func theUsersArgumentsStay() {
    let given = SwiftTestArguments(
      ["--parallel", "--skip", "Slow", "--xunit-output", "x.xml", "-c", "release"], workingFolder: "/w")
    let first = given.shard(.init(filter: "F", framework: nil), isFirst: true)
    #expect(
      first.given == [
        "--parallel", "--skip", "Slow", "--xunit-output", "x.xml", "-c", "release", "--skip-build",
        "--filter", "F",
      ])
    let next = given.shard(.init(filter: "F", framework: .xctest), isFirst: false)
    #expect(
      next.given == [
        "--parallel", "--skip", "Slow", "-c", "release", "--skip-build", "--filter", "F",
        "--disable-swift-testing",
      ])
    #expect(
      given.listingOfAll == ["list", "--skip-build", "--configuration", "release"]
        || given.listingOfAll.contains("release"))
    #expect(given.choosingOption == nil && given.skips == ["Slow"] && given.isParallel)
    #expect(SwiftTestArguments(["--filter=A"], workingFolder: "/w").choosingOption == "--filter")
  }

  @Test(arguments: ["0/4", "5/4", "1", "1/", "/4", "a/b", "-1/4", "1/10001", "1/4/2"]) func noShard(
    text: String
  ) {
    #expect(ShardChoice(text) == nil)
    #expect(ShardChoice("2/4") == ShardChoice("02/4"))
  }
}
