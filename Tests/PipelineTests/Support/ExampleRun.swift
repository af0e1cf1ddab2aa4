/// One run of tests of Examples with its report, for all tests that look at it.
actor ExampleRun {
  private let filter: String
  private var running: Task<FixtureRun, any Error>?

  /// - Parameter filter: As `swift test --filter` takes it.
  init(of filter: String) {
    self.filter = filter
  }

  /// The run, made at the first call.
  func run() async throws -> FixtureRun {
    let task = running ?? Task { try await FixturePackage.examples.report(["--filter", filter]) }
    running = task
    return try await task.value
  }
}
