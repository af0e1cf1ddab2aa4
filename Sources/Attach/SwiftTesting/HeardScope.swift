import Collector
import ExhibitSystem
import Testing

/// Runs one test case whose issues are heard from Swift Testing itself.
struct HeardScope: Sendable {
  let scope: TestScope
  let recorder: Recorder

  func run(_ body: @Sendable () async throws -> Void) async throws {
    recorder.held.noteToldEnd(of: scope.serial)
    do {
      try await scope.run(body)
    } catch {
      // The issue of an error comes after this, and no event says that it was the case's last.
      keepDuration()
      throw error
    }
    if scope.id.argument == nil || Task.isCancelled { return keepDuration() }
    // Its function may have many cases; what it holds can go.
    EventListener(recorder: recorder).finish(scope, isCancelled: false, duration: scope.age)
  }

  private func keepDuration() {
    let age = scope.age
    scope.state.withLock { $0.duration = age }
  }
}
