import Glibc
import Synchronization

/// Measures, inside the process, the CPU time from the start of one test's body to the start of the next.
public enum Meter {
  private static let marks = Mutex<[UInt64]>([])

  /// Called first in the body of each test.
  public static func mark() {
    marks.withLock { marks in
      if marks.isEmpty { startPrinting(&marks) }
      marks.append(nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
    }
  }

  private static func startPrinting(_ marks: inout [UInt64]) {
    marks.reserveCapacity(1024)
    atexit { Meter.printTimes() }
  }

  /// Prints the median and the mean in microseconds, for `ci/bench`.
  private static func printTimes() {
    let times = marks.withLock { marks in zip(marks.dropFirst(), marks).map { $0 - $1 }.sorted() }
    guard !times.isEmpty else { return }
    print("MEDIAN \(Double(times[times.count / 2]) / 1000)")
    print("MEAN \(Double(times.reduce(0, +)) / Double(times.count) / 1000)")
  }
}

private func nanoseconds(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
