import Glibc

/// A limit on the processor time of this thread, so that on a busy machine work gets as far.
package struct ThreadDeadline: Sendable {
  private let thread = pthread_self()
  private let end: Duration
  /// It cannot pass before this moment, and this clock is quicker to read.
  private let earliest: ContinuousClock.Instant

  package init(seconds: Double) {
    end = Self.taken + .seconds(seconds)
    earliest = .now + .seconds(seconds)
  }

  /// True after the limit, which on another thread passes by the clock.
  package var hasPassed: Bool {
    guard ContinuousClock.now >= earliest else { return false }
    return pthread_equal(thread, pthread_self()) == 0 || Self.taken >= end
  }

  /// The processor time of this thread since its start.
  package static var taken: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
