import Collector
import Foundation

/// Measures archives of a folder against `zip -1` of the same, in turns.
struct ArchiveBenchmark {
  private let folder: String
  private var store: String { folder + "/Store" }

  /// Fills a folder.
  init(megabytes: Int, files: Int) throws {
    folder = NSTemporaryDirectory() + "archive-benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder + "/Store", withIntermediateDirectories: true)
    for number in 0..<files {
      let contents = Self.rows(bytes: megabytes * 1_000_000 / files, seed: UInt64(number))
      try contents.write(to: URL(fileURLWithPath: "\(folder)/Store/\(number)"))
    }
  }

  /// Numbers and words that deflate makes as small as it makes an app's database: to about 0.6.
  private static func rows(bytes: Int, seed: UInt64) -> Data {
    var state = seed &+ 0x9E37_79B9_7F4A_7C15
    var rows = Data(capacity: bytes + 64)
    var number = 0
    while rows.count < bytes {
      // Source: Marsaglia's xorshift64.
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      rows.append(contentsOf: "\(number) \(String(state, radix: 36)) \(state >> 32)\n".utf8)
      number += 1
    }
    return rows
  }

  func remove() {
    // Files that cannot be removed stay in the temporary folder.
    try? FileManager.default.removeItem(atPath: folder)
  }

  struct Measurement {
    var duration: Duration
    /// Milliseconds of CPU time, of all threads.
    var work: Double
    var bytes: Int
  }

  func archive(_ format: ArchiveFormat) throws -> Measurement {
    var archiver = DirectoryArchiver()
    archiver.format = format
    let (start, work) = (ContinuousClock.now, Self.work(of: RUSAGE_SELF))
    let result = try archiver.archive(store, named: "ours", into: folder)
    let duration = ContinuousClock.now - start
    let used = Self.work(of: RUSAGE_SELF) - work
    try FileManager.default.removeItem(atPath: "\(folder)/\(result.file)")
    return Measurement(duration: duration, work: used, bytes: result.bytes)
  }

  func zip() throws -> Measurement {
    try run("zip -1 -q -r ../theirs .", writing: "theirs.zip")
  }

  private func run(_ command: String, writing file: String) throws -> Measurement {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: store)
    let (start, work) = (ContinuousClock.now, Self.work(of: RUSAGE_CHILDREN))
    try process.run()
    process.waitUntilExit()
    let duration = ContinuousClock.now - start
    let used = Self.work(of: RUSAGE_CHILDREN) - work
    let path = "\(folder)/\(file)"
    let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    try FileManager.default.removeItem(atPath: path)
    return Measurement(duration: duration, work: used, bytes: bytes ?? 0)
  }

  private static func work(of whom: __rusage_who) -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(whom.rawValue), &usage)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    let microseconds = Double(user.tv_usec) + Double(system.tv_usec)
    return Double(user.tv_sec + system.tv_sec) * 1000 + microseconds / 1000
  }
}
