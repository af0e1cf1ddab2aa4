import Collector
import Foundation
import Glibc

/// Captures and copies of one database, in turns.
struct Rounds {
  /// The sizes of database and WAL together.
  let bytes: Int
  private var captures: [Duration] = []
  private var copies: [Duration] = []
  /// The most memory that the process had while it captured, in bytes.
  private(set) var peakMemory = 0.0

  init(of database: BenchmarkDatabase, in folder: String, count: Int) throws {
    bytes = [database.path, database.wal].reduce(0) { $0 + FileSystem.size(of: $1) }
    for _ in 0..<count {
      try Self.inNewFolder(folder) { target in
        let clock = ContinuousClock()
        copies.append(try clock.measure { try Self.copy([database.path, database.wal], to: target) })
      }
      try Self.inNewFolder(folder) { target in try capture(database, to: target) }
    }
  }

  /// Median time of a capture to that of a copy.
  var ratio: Double { Self.median(captures) / Self.median(copies) }

  private mutating func capture(_ database: BenchmarkDatabase, to target: String) throws {
    try Self.resetPeakMemory()
    let start = ContinuousClock.now
    let result = DatabaseCapturer().capture(database.source, named: "store", into: target)
    captures.append(start.duration(to: .now))
    peakMemory = max(peakMemory, try Self.readPeakMemory())
    guard result.failures.isEmpty, result.files.count == 1 else {
      throw BenchmarkError(description: "The database was not captured: \(result.failures)")
    }
  }

  private static func inNewFolder(_ folder: String, _ body: (String) throws -> Void) throws {
    let target = folder + "/target"
    try FileSystem.createFolder(target)
    try body(target)
    try FileSystem.remove(target)
  }

  /// `Process` would not do: it looks for the end of a program only every 50 ms.
  private static func copy(_ files: [String], to folder: String) throws {
    let arguments = ["cp", "--reflink=never"] + files + [folder]
    var argv = arguments.map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    var pid: pid_t = 0
    var status: Int32 = 0
    guard posix_spawn(&pid, "/bin/cp", nil, nil, &argv, environ) == 0, waitpid(pid, &status, 0) == pid,
      status == 0
    else { throw BenchmarkError(description: "cp failed") }
  }

  private static func median(_ durations: [Duration]) -> Double {
    durations.sorted()[durations.count / 2] / .seconds(1)
  }

  // MARK: - Memory

  /// Source: proc(5), `/proc/PID/clear_refs`.
  private static func resetPeakMemory() throws {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// Source: proc(5), `VmHWM` of `/proc/PID/status`, in KiB.
  private static func readPeakMemory() throws -> Double {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let fields = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace)
    guard let fields, fields.count > 1, let kibibytes = Double(fields[1]) else {
      throw BenchmarkError(description: "/proc/self/status does not say how much memory was used.")
    }
    return kibibytes * 1024
  }
}
