import Collector
import Foundation

/// Measures captures against `cp` of the same bytes, in turns; prints rows for `ci/bench`, as JSON, one a line.
///
///     swift run -c release CaptureBenchmark [megabytes] [rounds]
@main
enum CaptureBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let megabytes = arguments.first ?? 93
    let rounds = arguments.dropFirst().first ?? 9
    for percent in [0, 3, 50, 100] {
      let ratio = try measure(
        megabytes: megabytes, percentInWAL: percent, rounds: rounds, keepsHistory: false)
      let what = "capturing a WAL database of \(megabytes) MB, \(percent) % in the WAL, to cp"
      try Row(what: what, measured: ratio, bar: 3, unit: "×").print()
    }
    let ratio = try measure(megabytes: megabytes, percentInWAL: 50, rounds: rounds, keepsHistory: true)
    try Row(what: "the same, half in the WAL, with the raw pair kept", measured: ratio, bar: 4, unit: "×")
      .print()
    try Row(what: "memory of that process, at most", measured: peakMemory(), bar: 32, unit: "MB").print()
  }

  /// - Returns: How many times as long as `cp` the capture takes, by medians.
  private static func measure(
    megabytes: Int, percentInWAL: Int, rounds: Int, keepsHistory: Bool
  ) throws -> Double {
    let inWAL = megabytes * percentInWAL / 100
    let sample = try SampleDatabase(megabytes: megabytes - inWAL, inWAL: inWAL)
    var (captures, copies) = (Series(), Series())
    for _ in 0..<rounds {
      captures.add(try sample.capture(keepsHistory: keepsHistory))
      copies.add(try sample.copy())
    }
    return captures.median / copies.median
  }

  /// The most memory that this process has had, in MB.
  private static func peakMemory() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) * 1024 / 1e6
  }
}

/// A line of the table that `ci/bench` prints.
private struct Row: Encodable {
  var what: String
  var measured: Double
  var bar: Double
  var unit: String

  func print() throws {
    Swift.print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
  }
}

/// Durations in milliseconds.
private struct Series {
  private var values: [Double] = []

  mutating func add(_ duration: Duration) {
    values.append(duration / .milliseconds(1))
    values.sort()
  }

  var median: Double { values[values.count / 2] }
}
