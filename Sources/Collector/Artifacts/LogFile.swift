import ExhibitCSystem
package import ExhibitSystem
import Glibc

/// The log of this process: append-only, one record a line.
///
/// The kernel has what was written before a crash. Each record is one `write(2)` at the current end of the file. So
/// containers that share an artifacts folder and give their processes the same numbers can share a log.
package final class LogFile: Sendable {
  private let file: AppendedFile
  /// True when the last record may have been written only in part.
  private let isTorn: Locked<Bool>

  /// Creates the log of a process and writes its header.
  ///
  /// - Throws: `SystemError`, also where a link or another user's file lies in its place.
  package init(for process: ProcessHeader, in run: RunFolder) throws {
    try FileSystem.createFolder(run.logsFolder)
    try FileSystem.checkIsOwnFolder(run.logsFolder)
    let path = run.logsFolder + "/" + Self.fileName(pid: process.pid, startTicks: process.startTicks)
    // The lock tells processes that cannot see this one that the run is live.
    file = try AppendedFile(at: path, flags: O_CREAT, isLocked: true)
    exhibit_note_process()
    // An earlier program in this process may have left a log, even half a record.
    isTorn = Locked(!file.isNew)
    try append(process, test: nil)
  }

  /// An absolute path.
  package var path: String { file.path }

  /// True when the file is still in its place; the run's folder may have been removed or moved.
  package var isInPlace: Bool {
    // In the child of a fork the log is the parent's, which will notice.
    if exhibit_is_forked() { return true }
    var status = stat()
    // If its status cannot be read, it may well be there.
    guard lstat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
    return FileIdentity(status) == file.identity
  }

  /// True when a process has the log at a path open, even one in another container.
  package static func isLocked(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Appends a record with the current time.
  ///
  /// After a record that failed it begins a new line, so that only the failed one is lost.
  ///
  /// - Throws: `SystemError` when it was not written, or only in part.
  package func append(_ payload: some LogPayload, test: TestCaseID?) throws {
    // The log is the parent's, and maybe the lock too.
    guard !exhibit_is_forked() else { return }
    let line = LogLine.text(of: payload, test: test, time: currentTime())
    try line.withBytes { bytes in
      try isTorn.withLock { isTorn in
        // The text begins with a line break, which is left out after a complete line.
        let record = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.dropFirst(isTorn ? 0 : 1)))
        isTorn = true
        try file.append(record)
        isTorn = false
      }
    }
  }

  package static func fileName(pid: Int32, startTicks: UInt64) -> String { "\(pid)-\(startTicks).jsonl" }

  /// The process of a log's file name; `nil` for any other name.
  package static func process(ofFile name: String) -> ProcessIdentity? {
    ProcessIdentity(fileName: name, ending: ".jsonl")
  }
}

extension ProcessIdentity {
  /// Reads the name of a file of a process: its number, a hyphen, and its start.
  init?(fileName name: String, ending: String) {
    guard name.hasSuffix(ending) else { return nil }
    let parts = name.dropLast(ending.count).split(separator: "-")
    guard parts.count == 2, let pid = Int32(parts[0]), let ticks = UInt64(parts[1]) else { return nil }
    self.init(pid: pid, startTicks: ticks)
  }
}
