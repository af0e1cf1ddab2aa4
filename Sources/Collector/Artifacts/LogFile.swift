package import ExhibitSystem
import Foundation
import Glibc
import Synchronization

/// Whether this process is the child of a fork, whose log is its parent's.
private let isForked = Atomic(false)

/// The log of this process: append-only, one record a line.
///
/// What was written before a crash is on its way to the disk: the kernel has it. The first records are each written
/// by one `write(2)`; a process that writes many has the end of the file mapped, which costs a fifth.
package final class LogFile: Sendable {
  /// An absolute path.
  package let path: String
  private let descriptor: Int32
  private let identity: FileIdentity
  private let tail = Locked(Tail())

  /// Records before the file is mapped: a process of `swift test --parallel` ends sooner.
  static let recordsUnmapped = 16

  private struct Tail {
    /// Where the next record goes.
    var position = 0
    var records = 0
    var mapping: LogMapping?
    /// Whether the last record may have been written in part.
    var isTorn = false
    var isMappable = true
  }

  /// Creates the log of a process and writes its header.
  ///
  /// - Throws: `SystemError`, also where a link or another user's file lies in its place.
  package init(for process: ProcessHeader, in run: RunFolder) throws {
    try FileSystem.createFolder(run.logsFolder)
    try FileSystem.checkIsOwnFolder(run.logsFolder)
    path = run.logsFolder + "/" + Self.fileName(pid: process.pid, startTicks: process.startTicks)
    let (descriptor, status) = try Self.open(path)
    self.descriptor = descriptor
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    _ = pthread_atfork(nil, nil) { isForked.store(true, ordering: .relaxed) }
    // A program that ran in this process before may have left a log, even half a record.
    if status.st_size > 0 {
      tail.withLock { tail in
        tail.position = Int(status.st_size)
        tail.isTorn = true
      }
    }
    shareIfWritten()
    try append(.process(process), test: nil)
  }

  private static func open(_ path: String) throws(SystemError) -> (Int32, stat) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      status.st_uid == geteuid()
    else {
      close(descriptor)
      throw SystemError("use as a log what is no file of its own at", path, code: EACCES)
    }
    return (descriptor, status)
  }

  deinit {
    finish()
    close(descriptor)
  }

  /// Whether the file still lies where it was made: the run's folder may have been removed or moved.
  package var isInPlace: Bool {
    // In the child of a fork it is the parent's, who will see.
    if isForked.load(ordering: .relaxed) { return true }
    var status = stat()
    // Where it cannot be looked at it may well be there.
    guard lstat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
    return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) == identity
  }

  /// Whether a process has the log at a path open, also one that has no number here, in a container of its own.
  package static func isLocked(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Writes what happens now; after a record that failed on a line of its own, so that only that one is lost.
  package func append(_ event: LogRecord.Event, test: TestCaseID?) throws {
    // The end of the file is the parent's, and so may be the lock.
    guard !isForked.load(ordering: .relaxed) else { return }
    let line = LogLine.text(of: event, test: test, time: currentTime())
    try line.withBytes { bytes in
      try tail.withLock { tail in
        if !map(&tail, for: bytes.count) { return try write(bytes, at: &tail) }
        tail.mapping?.copy(bytes, to: tail.position)
        tail.position += bytes.count
      }
    }
  }

  /// Cuts off what was made ready for records that did not come; called at the end of the process.
  package func finish() {
    guard !isForked.load(ordering: .relaxed) else { return }
    tail.withLock { tail in
      tail.isMappable = false
      guard tail.mapping != nil else { return }
      tail.mapping = nil
      // What fails leaves line breaks at the end.
      _ = ftruncate(descriptor, tail.position)
    }
  }

  /// Where another process writes the same file, which containers can bring about that share an artifacts folder and
  /// number their processes alike, each record goes to the end that there is.
  private func shareIfWritten() {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
    tail.withLock { $0.isMappable = false }
  }

  /// - Returns: Whether so many bytes can be copied to the end.
  private func map(_ tail: inout Tail, for bytes: Int) -> Bool {
    let last = tail.mapping
    if let last, last.hasRoom(for: bytes, at: tail.position) { return true }
    tail.mapping = nil
    tail.records += 1
    guard tail.isMappable, tail.records > Self.recordsUnmapped, bytes < LogMapping.size / 4 else {
      // The record may end before the line breaks that were made ready do.
      if last != nil { _ = ftruncate(descriptor, tail.position) }
      return false
    }
    tail.mapping = LogMapping(descriptor, from: tail.position)
    tail.isMappable = tail.mapping != nil
    return tail.isMappable
  }

  private func write(_ bytes: UnsafeBufferPointer<UInt8>, at tail: inout Tail) throws {
    do {
      if tail.isTorn {
        try withUnsafeBytes(of: UInt8(ascii: "\n")) { try write($0, to: &tail.position) }
        tail.isTorn = false
      }
      try write(UnsafeRawBufferPointer(bytes), to: &tail.position)
    } catch {
      tail.isTorn = true
      tail.isMappable = false
      throw error
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to position: inout Int) throws(SystemError) {
    try OutputFile.write(bytes, to: descriptor, at: &position, path: path)
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
