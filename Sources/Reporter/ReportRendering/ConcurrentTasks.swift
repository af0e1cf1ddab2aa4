internal import Dispatch
internal import ExhibitSystem

/// Runs tasks concurrently, one per processor.
package func perform(_ tasks: [@Sendable () -> Void]) {
  DispatchQueue.concurrentPerform(iterations: tasks.count) { tasks[$0]() }
}

/// The same for tasks that can fail.
///
/// - Parameter note: Gets the number of finished tasks.
/// - Throws: The first error; tasks not yet begun are skipped.
package func perform(_ tasks: [RenderTask], note: @escaping @Sendable (Int) -> Void) throws {
  let (done, failure) = (Locked(0), Locked<(any Error)?>(nil))
  perform(
    tasks.map { task in
      {
        guard failure.withLock({ $0 == nil }) else { return }
        do {
          try task()
          note(
            done.withLock { done in
              done += 1
              return done
            })
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    })
  if let error = failure.withLock({ $0 }) { throw error }
}
