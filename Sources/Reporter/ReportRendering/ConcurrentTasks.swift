internal import Dispatch
internal import Synchronization

/// Does parts of a work at once, as many as the machine has processors.
///
/// - Parameter note: Is told how many parts are done.
/// - Throws: The first error; what has not begun by then is left.
package func perform<Failure: Error>(
  _ tasks: [@Sendable () throws(Failure) -> Void], note: @Sendable (Int) -> Void = { _ in }
) throws(Failure) {
  let done = Mutex(0)
  let failure = Mutex<Failure?>(nil)
  DispatchQueue.concurrentPerform(iterations: tasks.count) { index in
    guard failure.withLock({ $0 == nil }) else { return }
    do throws(Failure) {
      try tasks[index]()
      note(
        done.withLock { done in
          done += 1
          return done
        })
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
  }
  if let error = failure.withLock({ $0 }) { throw error }
}

/// Files that are kept in memory.
final class CollectedFiles: Sendable {
  private let files = Mutex<[ReportFile]>([])

  var all: [ReportFile] { files.withLock { $0 } }

  @Sendable func take(_ file: ReportFile) {
    files.withLock { $0.append(file) }
  }
}
