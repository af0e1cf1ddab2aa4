/// The serial run of the suites in Recorded that most tests here ask about, made once.
actor RecordedRun {
  static let serial = RecordedRun([])
  static let parallel = RecordedRun(["--parallel"])

  private let options: [String]
  private var running: Task<FixtureRun, any Error>?

  init(_ options: [String]) {
    self.options = options
  }

  func run() async throws -> FixtureRun {
    let task =
      running
      ?? Task { [options] in
        let left = [
          "--skip", "CrashTests", "--skip", "TimeLimitTests", "--skip", "ConfigTests", "--skip",
          "SharedTests", "--skip", "VersionTests", "--skip", "ClosingTests", "--skip", "CallbackTests",
          "--skip",
          "RingTests",
        ]
        return try await FixturePackage.recorded.report(options + left)
      }
    running = task
    return try await task.value
  }
}
