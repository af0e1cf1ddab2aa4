/// A run of the Swift Testing suites in Verdicts that have no trait of ours, made once.
actor PlainRun {
  static let serial = PlainRun(["--no-parallel"])
  static let parallel = PlainRun(["--parallel"])
  static let repeated = PlainRun(["--no-parallel", "--repetitions", "3"])

  private let options: [String]
  private var running: Task<FixtureRun, any Error>?

  init(_ options: [String]) {
    self.options = options
  }

  func run() async throws -> FixtureRun {
    let task =
      running
      ?? Task { [options] in
        try await FixturePackage.verdicts.testDirectly(options + ["--filter", "^PlainTests\\."])
      }
    running = task
    return try await task.value
  }
}
