/// The runs of the suites in Recorded that most tests here ask about.
enum RecordedRun {
  static let serial = RunOnce { try await make([]) }
  static let parallel = RunOnce { try await make(["--parallel"]) }

  private static func make(_ options: [String]) async throws -> FixtureRun {
    let left = [
      "CrashTests", "TimeLimitTests", "ConfigTests", "SharedTests", "VersionTests", "ClosingTests",
      "CallbackTests", "RingTests", "DescriptorTests", "AgainTests", "ExplainTests", "PassTests",
      "PassSuite",
    ]
    return try await FixturePackage.recorded.report(options + left.flatMap { ["--skip", $0] })
  }
}
