internal import Dispatch
internal import ExhibitSystem

/// Does parts of a work at once, as many as the machine has processors.
package func perform(_ tasks: [@Sendable () -> Void]) {
  DispatchQueue.concurrentPerform(iterations: tasks.count) { tasks[$0]() }
}

/// The same with parts that can fail.
///
/// - Parameter note: Is told how many parts are done.
/// - Throws: The first error; what has not begun by then is left.
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
