/// The runs of the Swift Testing suites in Verdicts that have no trait of ours.
enum PlainRun {
  static let serial = RunOnce { try await make(["--no-parallel"]) }
  static let parallel = RunOnce { try await make(["--parallel"]) }
  static let repeated = RunOnce { try await make(["--no-parallel", "--repetitions", "3"]) }

  private static func make(_ options: [String]) async throws -> FixtureRun {
    try await FixturePackage.verdicts.testDirectly(options + ["--filter", "^PlainTests\\."])
  }
}
