package import Collector
import Foundation
import ReportModel
package import ReportReading

package struct ShardChoice: Equatable {
  package let number: Int
  let count: Int

  /// Reads a text such as `2/4`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      (1...Shard.most).contains(count), (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }
}

/// Finds all tests, and those that a shard runs.
package struct ShardedTests {
  let choice: ShardChoice
  let arguments: SwiftTestArguments
  let environment: [String: String]
  let durations: [TestCaseID: Double]
  let say: @Sendable (String) -> Void

  package init(
    choice: ShardChoice, arguments: SwiftTestArguments, environment: [String: String],
    durations: [TestCaseID: Double], say: @escaping @Sendable (String) -> Void
  ) {
    (self.choice, self.arguments, self.environment) = (choice, arguments, environment)
    (self.durations, self.say) = (durations, say)
  }

  /// Builds, lists and splits the tests; `nil` where `swift` fails, which has said why.
  package func split() throws(Refusal) -> TestSplit? {
    if let option = arguments.choosingOption {
      throw .usage("--shard chooses the tests: leave \(option) away, or run without --shard.")
    }
    guard try run(["build"] + arguments.buildOfShard, isSilent: false) != nil,
      let listed = try run(["test"] + arguments.listingOfAll, isSilent: true)
    else { return nil }
    var skip: [NSRegularExpression] = []
    for pattern in arguments.skips { skip.append(try expression(of: pattern)) }
    let tests = TestListing(bytes: listed).tests.filter { test in
      !skip.contains {
        $0.firstMatch(in: test.line, range: NSRange(test.line.startIndex..., in: test.line)) != nil
      }
    }
    guard !tests.isEmpty else { return nil }
    guard let split = TestSplit(tests.map(\.id), into: choice.count, durations: durations) else {
      throw .usage(
        "\(counted(Set(tests.map(\.id)).count, "test")) cannot be split into \(counted(choice.count, "shard"))."
      )
    }
    return split
  }

  private func expression(of skip: String) throws(Refusal) -> NSRegularExpression {
    do {
      return try NSRegularExpression(pattern: skip)
    } catch {
      throw .usage("--skip \(skip) is no regular expression.")
    }
  }

  private func run(_ command: [String], isSilent: Bool) throws(Refusal) -> Data? {
    SignalForwarding.prepare()
    let ran: ChildProcess.Ran
    do throws(ChildProcess.StartingError) {
      ran = try ChildProcess.run(
        "swift", command, environment: environment, keeping: 256 << 20, isSilent: isSilent)
    } catch {
      say("\(error)")
      return nil
    }
    if SignalForwarding.isAskedToEnd { throw .ended(status: ran.end.status) }
    return ran.end == .exited(0) ? Data(ran.output.bytes) : nil
  }

  package func invocations(of split: TestSplit) -> [SwiftTestArguments] {
    let filters = ShardFilters(split, shard: choice.number, isParallel: arguments.isParallel)
    return filters.invocations.enumerated().map { index, invocation in
      arguments.shard(invocation, isFirst: index == 0)
    }
  }

  /// Lists the split: a line for each shard, then the chosen one's tests.
  package func list(_ split: TestSplit) -> [String] {
    let shards = Dictionary(grouping: split.entries, by: \.shard)
    let lines = (1...split.count).map { number in
      let tests = shards[number, default: []]
      let seconds = tests.reduce(0) { $0 + (durations[$1.test] ?? 0) }
      return "shard \(number) of \(split.count): \(counted(tests.count, "test"))"
        + (durations.isEmpty ? "" : ", \(durationText(seconds) ?? "0 s")")
    }
    return lines + ["split \(split.hash)", ""] + split.tests(of: choice.number).map(\.description)
  }
}
