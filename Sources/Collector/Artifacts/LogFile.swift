import ExhibitCSystem
package import ExhibitSystem
import Glibc

/// The append-only log of this process, one record a line.
///
/// Each record is one `write(2)`, so the kernel has it after a crash, and two containers can share a log.
package final class LogFile: Sendable {
  private let file: AppendedFile
  private let isTorn: Locked<Bool>

  /// - Throws: `SystemError`, also for a link or another user's file.
  package init(for process: ProcessHeader, in run: RunFolder) throws {
    try FileSystem.createFolder(run.logsFolder)
    try FileSystem.checkIsOwnFolder(run.logsFolder)
    let path = run.logsFolder + "/" + Self.fileName(pid: process.pid, startTicks: process.startTicks)
    // Other containers see the lock, but not the process.
    file = try AppendedFile(at: path, flags: O_CREAT, isLocked: true)
    exhibit_note_process()
    // An earlier program in this process may have left half a record.
    isTorn = Locked(!file.isNew)
    try append(process, test: nil)
  }

  package var path: String { file.path }

  package var isInPlace: Bool {
    if exhibit_is_forked() { return true }
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
    return FileIdentity(status) == file.identity
  }

  /// True also for a process in another container.
  package static func isLocked(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// A record after one that failed begins a new line.
  package func append(_ payload: some LogPayload, test: TestCaseID?) throws {
    // After a fork the log is the parent's, maybe with its lock held.
    guard !exhibit_is_forked() else { return }
    let line = LogLine.text(of: payload, test: test, time: currentTime())
    try line.withBytes { bytes in
      try isTorn.withLock { isTorn in
        let record = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.dropFirst(isTorn ? 0 : 1)))
        isTorn = true
        try file.append(record)
        isTorn = false
      }
    }
  }

  package static func fileName(pid: Int32, startTicks: UInt64) -> String { "\(pid)-\(startTicks).jsonl" }

  package static func process(ofFile name: String) -> ProcessIdentity? {
    ProcessIdentity(fileName: name, ending: ".jsonl")
  }
}

extension ProcessIdentity {
  init?(fileName name: String, ending: String) {
    guard name.hasSuffix(ending) else { return nil }
    let parts = name.dropLast(ending.count).split(separator: "-")
    guard parts.count == 2, let pid = Int32(parts[0]), let ticks = UInt64(parts[1]) else { return nil }
    self.init(pid: pid, startTicks: ticks)
  }
}
