import Collector
import Foundation

/// Measures captures against `cp` of the same bytes, in turns, and prints the ratios.
///
///     swift run -c release CaptureBenchmark [megabytes] [rounds]
@main
enum CaptureBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let megabytes = arguments.first ?? 93
    let rounds = arguments.dropFirst().first ?? 9
    print("\(megabytes) MB, medians of \(rounds) rounds (smallest in brackets); cp copies database and WAL")
    print("in WAL  history      cp ms  capture ms      ratio  memory grew by")
    for percent in [0, 3, 50, 100] {
      for keepsHistory in [false, true] {
        try measure(megabytes: megabytes, percentInWAL: percent, rounds: rounds, keepsHistory: keepsHistory)
      }
    }
  }

  private static func measure(
    megabytes: Int, percentInWAL: Int, rounds: Int, keepsHistory: Bool
  ) throws {
    let inWAL = megabytes * percentInWAL / 100
    let sample = try SampleDatabase(megabytes: megabytes - inWAL, inWAL: inWAL)
    let before = peakMemory()
    var (captures, copies) = (Series(), Series())
    for _ in 0..<rounds {
      captures.add(try sample.capture(keepsHistory: keepsHistory))
      copies.add(try sample.copy())
    }
    let grown = (peakMemory() - before) >> 10
    let ratio = captures.median / copies.median
    let columns = [
      pad("\(percentInWAL) %", 6), pad(keepsHistory ? "kept" : "no", 8),
      pad("\(copies)", 10), pad("\(captures)", 11),
      pad("\(ratio.formatted(.number.precision(.fractionLength(2))))", 10),
      pad("\(grown) MB", 15),
    ]
    print(columns.joined(separator: " "))
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// The most memory that this process has had, in KiB.
  private static func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}

/// Durations in milliseconds.
private struct Series: CustomStringConvertible {
  private var values: [Double] = []

  mutating func add(_ duration: Duration) {
    values.append(duration / .milliseconds(1))
    values.sort()
  }

  var median: Double { values[values.count / 2] }
  var description: String { "\(Int(median)) (\(Int(values.first ?? 0)))" }
}
