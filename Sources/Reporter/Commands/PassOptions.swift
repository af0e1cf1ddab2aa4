import ArgumentParser

/// Options for passes with which failed tests are compared.
struct PassOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Run failed tests again, up to this many times, and those that pass once more; one that passes is flaky, and the \
      exit code stays.
      """, valueName: "count"))
  var rerunFailed: Int?

  @Option(
    help: ArgumentHelp(
      """
      Run failed tests with the code of a commit, branch or tag too, to tell what was different; last-pass takes the \
      last commit that passed.
      """, valueName: "commit"))
  var compareWith: String?

  @Flag(help: "With --compare-with: only tests of which the history has no pass.")
  var onlyWithoutPass = false

  // By the usual strategy swift-argument-parser 1.8.2 drops a value behind = where another option follows. A text, as a
  // number that cannot be read would count as none.
  @Option(
    name: .customLong("explain"), defaultAsFlag: "\(ExplainOptions.usualBudget)", parsing: .next,
    help: ArgumentHelp(
      """
      Run failed tests again with one thing changed at a time, for so many seconds in all, and tell what they pass with.
      """, valueName: "seconds"))
  var explainSeconds: String?

  @Flag(help: "With --explain: also run tests again whose databases lie outside of temporary folders.")
  var explainAnywhere = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      """
      Record what tests do that pass, to compare later failures with (default: record, unless EXHIBIT_RECORD_PASSES or \
      the history says off, or --no-rows is given).
      """))
  var recordPasses: Bool?

  /// The seconds for experiments, if they are wanted.
  var explain: Int? { explainSeconds.flatMap { Int($0) } }

  /// A test that fails this often is no flaky one.
  private static let mostRounds = 100

  /// What `EXHIBIT_RECORD_PASSES` is for the tests.
  ///
  /// - Parameters:
  ///   - given: The user's own value.
  ///   - isWanted: False where recorded steps would be kept nowhere.
  func recording(_ given: String?, isWanted: @autoclosure () -> Bool) -> String {
    if let recordPasses { return recordPasses ? "on" : "off" }
    if let given, !given.isEmpty, given != "on" { return given }
    return isWanted() ? "on" : "off"
  }

  mutating func validate() throws {
    if let rerunFailed, !(0...Self.mostRounds).contains(rerunFailed) {
      throw ValidationError("--rerun-failed takes a count from 0 to \(Self.mostRounds).")
    }
    if let explainSeconds { try ExplainOptions.check(budget: Int(explainSeconds) ?? 0, of: "--explain") }
    if explainAnywhere, explainSeconds == nil {
      throw ValidationError("--explain-anywhere is for --explain.")
    }
    if onlyWithoutPass, compareWith == nil {
      throw ValidationError("--only-without-pass is for --compare-with.")
    }
    if let compareWith, compareWith.isEmpty || compareWith.hasPrefix("-") {
      throw ValidationError("--compare-with takes a commit, branch or tag.")
    }
  }
}
