import ArgumentParser
import Collector
import Foundation
import ReportModel
import ReportReading

/// The shard to run.
struct ShardChoice: Equatable {
  var number: Int
  var count: Int

  /// Reads a text such as `2/4`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      (1...Shard.most).contains(count), (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }
}

/// Options for tests that several machines share.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Run one of several shards of the tests, such as 2/4: by suite, by the durations of a --history that is named, else \
      all tests count alike.
      """, valueName: "number/count"),
    transform: Self.choice)
  var shard: ShardChoice?

  @Flag(help: "With --shard: print how the tests are split, and the tests of that shard, and run none.")
  var list = false

  func validate() throws {
    if list && shard == nil { throw ValidationError("--list needs --shard.") }
  }

  private static func choice(_ text: String) throws -> ShardChoice {
    guard let choice = ShardChoice(text) else {
      throw ValidationError("\(printedLine(text)) is no shard such as 2/4, of at most \(Shard.most).")
    }
    return choice
  }
}

/// Finds out which tests there are, and which of them a shard runs.
struct ShardedTests {
  let choice: ShardChoice
  let arguments: SwiftTestArguments
  let environment: [String: String]
  /// Seconds by test function.
  let durations: [TestCaseID: Double]

  /// Builds the tests, lists and splits them; `nil` where `swift` cannot build or list them, which it has said then.
  ///
  /// - Throws: The exit code for a split that is impossible; the reason is printed.
  func split() throws -> TestSplit? {
    if let option = arguments.choosingOption {
      throw Reporting.refusal(
        "--shard chooses the tests: leave \(option) away, or run without --shard.", ReporterExit.usage)
    }
    guard try run(["build"] + arguments.buildOfShard, isSilent: false) != nil,
      let listed = try run(["test"] + arguments.listingOfAll, isSilent: true)
    else { return nil }
    let skip = try arguments.skips.map(expression(of:))
    let tests = TestListing(bytes: listed).tests.filter { test in
      !skip.contains {
        $0.firstMatch(in: test.line, range: NSRange(test.line.startIndex..., in: test.line)) != nil
      }
    }
    guard !tests.isEmpty else { return nil }
    guard let split = TestSplit(tests.map(\.id), into: choice.count, durations: durations) else {
      throw Reporting.refusal(
        "\(counted(Set(tests.map(\.id)).count, "test")) cannot be split into \(counted(choice.count, "shard")).",
        ReporterExit.usage)
    }
    return split
  }

  private func expression(of skip: String) throws -> NSRegularExpression {
    do {
      return try NSRegularExpression(pattern: skip)
    } catch {
      throw Reporting.refusal("--skip \(skip) is no regular expression.", ReporterExit.usage)
    }
  }

  /// - Returns: The output; `nil` where it failed.
  private func run(_ command: [String], isSilent: Bool) throws -> Data? {
    SignalForwarding.prepare()
    let ran: ChildProcess.Ran
    do throws(ChildProcess.StartingError) {
      ran = try ChildProcess.run(
        "swift", command, environment: environment, keeping: 256 << 20, isSilent: isSilent)
    } catch {
      Reporting.complain("\(error)")
      return nil
    }
    if SignalForwarding.isAskedToEnd { throw ExitCode(ran.end.status) }
    return ran.end == .exited(0) ? Data(ran.output.bytes) : nil
  }

  /// The invocations of `swift test` that run the shard.
  func invocations(of split: TestSplit) -> [SwiftTestArguments] {
    let filters = ShardFilters(split, shard: choice.number, isParallel: arguments.isParallel)
    return filters.invocations.enumerated().map { index, invocation in
      arguments.shard(invocation, isFirst: index == 0)
    }
  }

  /// Lists the split, a line for each shard, then the tests of the chosen one.
  func list(_ split: TestSplit) -> [String] {
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
