import Collector
import Foundation

/// Compares capturing a live database with `cp` of its files; prints rows for `ci/bench`, as JSON, one a line.
@main struct CaptureBenchmark {
  static let rounds = 11

  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/exhibit-capture-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }  // it lies in the temporary folder
    let rounds = try Rounds(of: try BenchmarkDatabase(in: folder), in: folder, count: Self.rounds)
    let size = "\(rounds.bytes / 1_000_000) MB"
    for row in [
      Row(what: "capturing a live WAL database of \(size), to cp", measured: rounds.ratio, bar: 3, unit: "×"),
      Row(what: "memory of that process, at most", measured: rounds.peakMemory / 1e6, bar: 32, unit: "MB"),
    ] {
      print(String(decoding: try JSONEncoder().encode(row), as: UTF8.self))
    }
  }

  /// A line of the table that `ci/bench` prints.
  struct Row: Encodable {
    var what: String
    var measured: Double
    var bar: Double
    var unit: String
  }
}

/// A benchmark that could not be run.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String
}
