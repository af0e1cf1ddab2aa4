import Glibc

/// A limit of what this thread may take of the processor.
///
/// Unlike a time on the clock, it passes no sooner where others want the processor too, so that the same work gets as far.
package struct ThreadDeadline: Sendable {
  private let thread = pthread_self()
  private let end: Duration
  /// Before that it cannot have passed; asking for it is quicker.
  private let earliest: ContinuousClock.Instant

  /// A limit from now on.
  package init(seconds: Double) {
    end = Self.taken + .seconds(seconds)
    earliest = .now + .seconds(seconds)
  }

  /// Whether it has passed; on another thread it passes by the clock.
  package var hasPassed: Bool {
    guard ContinuousClock.now >= earliest else { return false }
    return pthread_equal(thread, pthread_self()) == 0 || Self.taken >= end
  }

  /// What this thread has taken of the processor since it began.
  package static var taken: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
