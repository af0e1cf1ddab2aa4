import Collector
import Foundation

/// Measures captures against `cp` of the same bytes, in turns.
///
///     swift run -c release CaptureBenchmark [megabytes] [rounds]
///     swift run -c release CaptureBenchmark archive
///
/// Standard output gets a line of JSON for each bar, as ci/bench reads it; standard error a table of everything.
@main
enum CaptureBenchmark {
  /// One thing that was measured, in the unit of its bar.
  private struct Row: Encodable {
    var what: String
    var measured: Double
  }

  static func main() throws {
    if CommandLine.arguments.dropFirst().first == "archive" { return try measureArchives() }
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let megabytes = arguments.first ?? 93
    let rounds = arguments.dropFirst().first ?? 9
    note("\(megabytes) MB, medians of \(rounds) rounds (smallest in brackets); cp copies database and WAL")
    note("in WAL  history      cp ms  capture ms      ratio")
    let before = try peakMemory()
    for percent in [0, 3, 50, 100] {
      for keepsHistory in [false, true] {
        let ratio = try measure(megabytes, inWAL: percent, rounds: rounds, keepsHistory: keepsHistory)
        // The raw files beside a capture are bytes of their own, for which there is no bar.
        if keepsHistory { continue }
        let what = "capture of \(megabytes) MB, \(percent) % of it in the WAL, to cp"
        try print(Row(what: what, measured: ratio))
      }
    }
    let large = try SampleDatabase(megabytes: 1000, inWAL: 24)
    _ = try large.capture(keepsHistory: false)
    let grown = Double(try peakMemory() - before) / 1024
    try print(Row(what: "memory while capturing all that and 1 GiB", measured: grown))
  }

  private static func measureArchives() throws {
    for (files, name) in [(6, "93 MB in six files"), (1, "93 MB in one file")] {
      let sample = try ArchiveBenchmark(megabytes: 93, files: files)
      defer { sample.remove() }
      try measure(sample, name)
    }
  }

  private static func measure(_ sample: ArchiveBenchmark, _ name: String) throws {
    var (zip, tar, infoZip) = (Series(), Series(), Series())
    for _ in 0..<7 {
      zip.add(try sample.archive(.zip))
      tar.add(try sample.archive(.tarZstandard))
      infoZip.add(try sample.zip())
    }
    note("\(name), ms, CPU ms and bytes: zip \(zip), tar.zst \(tar), zip -1 \(infoZip)")
    try print(Row(what: "zip of \(name), to zip -1", measured: zip / infoZip))
    try print(Row(what: "tar.zst of \(name), to the zip", measured: tar / zip))
  }

  private static func measure(
    _ megabytes: Int, inWAL percent: Int, rounds: Int, keepsHistory: Bool
  ) throws -> Double {
    let inWAL = megabytes * percent / 100
    let sample = try SampleDatabase(megabytes: megabytes - inWAL, inWAL: inWAL)
    var (captures, copies) = (Series(), Series())
    for _ in 0..<rounds {
      captures.add(try sample.capture(keepsHistory: keepsHistory))
      copies.add(try sample.copy())
    }
    let ratio = captures.median / copies.median
    let columns = [
      ("\(percent) %", 6), (keepsHistory ? "kept" : "no", 8), ("\(copies)", 10), ("\(captures)", 11),
    ]
    let text = columns.map { pad($0.0, $0.1) } + [pad(String(format: "%.2f", ratio), 10)]
    note(text.joined(separator: " "))
    return ratio
  }

  private static func print(_ row: Row) throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(row) + Data("\n".utf8))
  }

  private static func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// The most memory that this program has had, in KiB.
  ///
  /// Not `getrusage`, whose `ru_maxrss` keeps that of the program which this process ran before, `swift run`.
  private static func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let peak = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw CocoaError(.fileReadCorruptFile) }
    return peak
  }
}

/// Durations in milliseconds.
private struct Series: CustomStringConvertible {
  private var values: [Double] = []
  /// Milliseconds of CPU time, where that is measured.
  private var work: [Double] = []
  /// The bytes of what was made, where that is measured.
  private var bytes: Int?

  mutating func add(_ measurement: ArchiveBenchmark.Measurement) {
    add(measurement.duration)
    work = (work + [measurement.work]).sorted()
    bytes = measurement.bytes
  }

  mutating func add(_ duration: Duration) {
    values.append(duration / .milliseconds(1))
    values.sort()
  }

  var median: Double { values[values.count / 2] }
  var isMeasured: Bool { !values.isEmpty }
  var description: String {
    let detail = bytes.map { " of \(Int(work[work.count / 2])) CPU, \($0)" }
    return "\(Int(median)) (\(Int(values.first ?? 0)))" + (detail ?? "")
  }

  static func / (one: Series, other: Series) -> Double { one.median / other.median }
}
