/// A run of a fixture that many tests ask about, made when the first one does.
actor RunOnce {
  private let make: @Sendable () async throws -> FixtureRun
  private var running: Task<FixtureRun, any Error>?

  init(_ make: @escaping @Sendable () async throws -> FixtureRun) {
    self.make = make
  }

  func run() async throws -> FixtureRun {
    let task = running ?? Task { [make] in try await make() }
    running = task
    return try await task.value
  }
}
