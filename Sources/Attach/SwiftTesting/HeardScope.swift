import Collector
import ExhibitSystem
import Testing

struct HeardScope: Sendable {
  let scope: TestScope
  let recorder: Recorder

  func run(_ body: @Sendable () async throws -> Void) async throws {
    recorder.held.noteToldEnd(of: scope.serial)
    do {
      try await scope.run(body)
    } catch {
      // The error's issue comes later, and no event ends the case.
      keepDuration()
      throw error
    }
    if scope.id.argument == nil || Task.isCancelled { return keepDuration() }
    // There may be many cases.
    EventListener(recorder: recorder).finish(scope, isCancelled: false, duration: scope.age)
  }

  private func keepDuration() {
    let age = scope.age
    scope.state.withLock { $0.duration = age }
  }
}
