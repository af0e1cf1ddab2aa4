import Glibc

/// A limit on the processor time of this thread.
///
/// Unlike a time on the clock, it does not pass sooner on a busy machine, so that the same work gets as far.
package struct ThreadDeadline: Sendable {
  private let thread = pthread_self()
  private let end: Duration
  /// It cannot have passed before this moment, and the clock is quicker to read.
  private let earliest: ContinuousClock.Instant

  /// A limit that starts now.
  package init(seconds: Double) {
    end = Self.taken + .seconds(seconds)
    earliest = .now + .seconds(seconds)
  }

  /// True when it has passed; on another thread it passes by the clock.
  package var hasPassed: Bool {
    guard ContinuousClock.now >= earliest else { return false }
    return pthread_equal(thread, pthread_self()) == 0 || Self.taken >= end
  }

  /// The processor time of this thread since it began.
  package static var taken: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
