import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportReading

/// Which test runs in which shard.
@Suite struct TestSplitTests {
  private func tests(_ suites: [Int]) -> [TestCaseID] {
    suites.enumerated().flatMap { suite, count in
      (0..<count).map { TestCaseID(module: "M", suite: ["Suite\(suite)"], name: "test\($0)") }
    }
  }

  private func sizes(_ split: TestSplit) -> [Int] { (1...split.count).map { split.tests(of: $0).count } }

  @Test func everyTestIsInOneShard() throws {
    for count in [1, 2, 3, 7, 20] {
      let tests = tests([1, 5, 9, 2, 40, 3])
      let split = try #require(TestSplit(tests.shuffled() + tests, into: count))
      #expect(split.entries.map(\.test) == tests.sorted())
      #expect(sizes(split).allSatisfy { $0 > 0 })
    }
  }

  @Test func aSuiteStaysTogetherUnlessItIsLongerThanAShard() throws {
    let split = try #require(TestSplit(tests([10, 10, 10, 10]), into: 2))
    #expect(sizes(split) == [20, 20])
    let together = Dictionary(grouping: split.entries, by: \.test.suite).mapValues {
      Set($0.map(\.shard)).count
    }
    #expect(together.values.allSatisfy { $0 == 1 })
    let long = try #require(TestSplit(tests([40, 5, 5]), into: 2))
    #expect(sizes(long) == [25, 25])
    #expect(Set(long.entries.filter { $0.test.suite == ["Suite1"] }.map(\.shard)).count == 1)
  }

  @Test func nestedSuitesAndFreeFunctionsAreOfOneEach() throws {
    let nested = ["a()", "b()"].map { TestCaseID(module: "M", suite: ["A", "Inner"], name: $0) }
    let own = [TestCaseID(module: "M", suite: ["A"], name: "c()")]
    let free = ["d()", "e()", "f()"].map { TestCaseID(module: "M", suite: [], name: $0) }
    let split = try #require(TestSplit(nested + own + free, into: 2))
    #expect(Set(split.entries.filter { $0.test.suite.first == "A" }.map(\.shard)).count == 1)
    #expect(sizes(split) == [3, 3])
  }

  @Test func durationsDecideWhereTheyAreKnown() throws {
    let tests = tests([1, 1, 1, 1])
    let split = try #require(
      TestSplit(tests, into: 2, durations: [tests[0]: 9, tests[1]: 3, tests[2]: 3, tests[3]: 3]))
    #expect(split.tests(of: 1) == [tests[0]])
    // One that is not known counts as the median.
    let unknown = try #require(TestSplit(tests, into: 2, durations: [tests[0]: 3, tests[1]: 1, tests[2]: 1]))
    #expect(unknown.tests(of: 1) == [tests[0]])
    #expect(TestSplit(tests, into: 2, durations: [tests[0]: .infinity, tests[1]: -1, tests[2]: .nan]) != nil)
    #expect(
      TestSplit(tests, into: 2, durations: Dictionary(uniqueKeysWithValues: tests.map { ($0, 0) })) != nil)
  }

  @Test func shardsWithoutATestAreRefused() {
    #expect(TestSplit(tests([2]), into: 3) == nil)
    #expect(TestSplit(tests([3]), into: 3).map(sizes) == [1, 1, 1])
    #expect(TestSplit([], into: 1) == nil)
  }

  @Test func theSplitIsTheSameWhateverTheOrderIsAndHasAHash() throws {
    let tests = tests([3, 8, 2, 30])
    let split = try #require(TestSplit(tests, into: 4))
    #expect(try #require(TestSplit(tests.reversed(), into: 4)) == split)
    #expect(split.hash.count == 16)
    #expect(try #require(TestSplit(tests, into: 3)).hash != split.hash)
    #expect(TestSplit(lines: split.lines, count: 4) == split)
  }

  @Test(arguments: [
    "x M.S/a\n", "1\n", "3 M.S/a\n", "0 M.S/a\n", "1 M.S/b\n1 M.S/a\n", "1 M.S/a\n1 M.S/a\n", "1 nothing\n",
  ])
  func aDamagedSplitIsNone(text: String) {
    #expect(TestSplit(lines: Array(text.utf8), count: 2) == nil)
  }

  @Test func aHundredThousandTestsAreSplitAtOnce() throws {
    let many = tests(Array(repeating: 10, count: 10_000))
    let start = ContinuousClock.now
    let split = try #require(TestSplit(many, into: 100))
    #expect(sizes(split) == Array(repeating: 1000, count: 100))
    #expect(ContinuousClock.now - start < .seconds(60))
  }
}
