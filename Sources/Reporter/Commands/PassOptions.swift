import ArgumentParser

/// Options for runs of tests that pass, with which failed ones are compared.
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

  @Flag(help: "Keep the steps of all tests that pass, as EXHIBIT_RECORD_PASSES=on does.")
  var recordPasses = false

  /// A test that fails this often is no flaky one.
  private static let mostRounds = 100

  mutating func validate() throws {
    if let rerunFailed, !(0...Self.mostRounds).contains(rerunFailed) {
      throw ValidationError("--rerun-failed takes a count from 0 to \(Self.mostRounds).")
    }
    if let compareWith, compareWith.isEmpty || compareWith.hasPrefix("-") {
      throw ValidationError("--compare-with takes a commit, branch or tag.")
    }
  }
}
