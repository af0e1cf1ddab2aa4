import ExhibitCSystem
package import ExhibitSystem
import Glibc

/// The log of this process: append-only, one record a line.
///
/// What was written before a crash is on its way to the disk: the kernel has it. Each record is one `write(2)` to the
/// end that the file has then, so that containers which share an artifacts folder, and number their processes alike,
/// can share a log.
package final class LogFile: Sendable {
  private let file: AppendedFile
  /// Whether the last record may have been written in part.
  private let isTorn: Locked<Bool>

  /// Creates the log of a process and writes its header.
  ///
  /// - Throws: `SystemError`, also where a link or another user's file lies in its place.
  package init(for process: ProcessHeader, in run: RunFolder) throws {
    try FileSystem.createFolder(run.logsFolder)
    try FileSystem.checkIsOwnFolder(run.logsFolder)
    let path = run.logsFolder + "/" + Self.fileName(pid: process.pid, startTicks: process.startTicks)
    // The lock says that the run is live, to processes that cannot see this one.
    file = try AppendedFile(at: path, flags: O_CREAT, isLocked: true)
    exhibit_note_process()
    // A program that ran in this process before may have left a log, even half a record.
    isTorn = Locked(!file.isNew)
    try append(process, test: nil)
  }

  /// An absolute path.
  package var path: String { file.path }

  /// Whether the file still lies where it was made: the run's folder may have been removed or moved.
  package var isInPlace: Bool {
    // In the child of a fork it is the parent's, who will see.
    if exhibit_is_forked() { return true }
    var status = stat()
    // Where it cannot be looked at it may well be there.
    guard lstat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
    return FileIdentity(status) == file.identity
  }

  /// Whether a process has the log at a path open, also one that has no number here, in a container of its own.
  package static func isLocked(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Writes what happens now; after a record that failed on a line of its own, so that only that one is lost.
  ///
  /// - Throws: `SystemError` when it was not written, or in part.
  package func append(_ payload: some LogPayload, test: TestCaseID?) throws {
    // The log is the parent's, and so may be the lock.
    guard !exhibit_is_forked() else { return }
    let line = LogLine.text(of: payload, test: test, time: currentTime())
    try line.withBytes { bytes in
      try isTorn.withLock { isTorn in
        // The text begins with a line break, which is left out behind a whole line.
        let record = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.dropFirst(isTorn ? 0 : 1)))
        isTorn = true
        try file.append(record)
        isTorn = false
      }
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
