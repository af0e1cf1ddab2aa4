import Foundation
import Glibc
import Synchronization

/// The log of this process: append-only, one record a line, each line written by one `write(2)`.
///
/// What was written before a crash is on its way to the disk: the kernel has it.
package final class LogFile: Sendable {
  /// An absolute path.
  package let path: String
  private let descriptor: Int32
  /// Whether the last record may have been written in part.
  private let isTorn = Atomic(false)

  /// Creates the log of a process and writes its header.
  package init(for process: ProcessHeader, in run: RunFolder) throws {
    try FileSystem.createFolder(run.logsFolder)
    path = run.logsFolder + "/" + Self.fileName(pid: process.pid, startTicks: process.startTicks)
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
    try append(.process(process), test: nil)
  }

  deinit {
    close(descriptor)
  }

  /// Writes what happens now; after a record that failed on a line of its own, so that only that one is lost.
  package func append(_ event: LogRecord.Event, test: TestCaseID?) throws {
    var line = LogLine.encode(event, test: test, time: currentTime())
    if isTorn.exchange(false, ordering: .relaxed) { line.insert(UInt8(ascii: "\n"), at: 0) }
    do {
      try FileSystem.write(line, to: descriptor, path: path)
    } catch {
      isTorn.store(true, ordering: .relaxed)
      throw error
    }
  }

  package static func fileName(pid: Int32, startTicks: UInt64) -> String { "\(pid)-\(startTicks).jsonl" }

  /// The process whose log has this file name; `nil` for any other name.
  package static func process(ofFile name: String) -> ProcessIdentity? {
    guard name.hasSuffix(".jsonl") else { return nil }
    let parts = name.dropLast(".jsonl".count).split(separator: "-")
    guard parts.count == 2, let pid = Int32(parts[0]), let ticks = UInt64(parts[1]) else { return nil }
    return ProcessIdentity(pid: pid, startTicks: ticks)
  }
}
