import ExhibitSystem

/// What this thread takes of the processor: unlike the time on the clock, it is the same however many others want the
/// processor too.
package enum ProcessorTime {
  /// Since the thread began.
  package static var now: Duration { ThreadDeadline.taken }

  /// For some work of this thread.
  package static func of(_ work: () throws -> Void) rethrows -> Duration {
    let start = now
    try work()
    return now - start
  }
}
