package import ExhibitSystem
import Glibc

/// A file that is only appended to.
///
/// An app may close the descriptor and reuse its number, so each write checks where it leads.
package final class AppendedFile: Sendable {
  package let path: String
  package let identity: FileIdentity
  private let isLocked: Bool
  private let descriptor: Locked<Int32>

  /// Opens or creates a file with mode 0600; refuses links and other users' files.
  ///
  /// - Parameter isLocked: True to show others by a lock of `flock(2)` that the file is in use.
  package init(at path: String, flags: Int32, isLocked: Bool = false) throws(SystemError) {
    let (descriptor, status) = try Self.open(path, flags: flags, isLocked: isLocked)
    self.path = path
    self.isLocked = isLocked
    self.descriptor = Locked(descriptor)
    identity = FileIdentity(status)
    isNew = status.st_size == 0
  }

  package let isNew: Bool

  private static func open(_ path: String, flags: Int32, isLocked: Bool) throws(SystemError) -> (Int32, stat)
  {
    let descriptor = Glibc.open(
      path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      status.st_uid == geteuid()
    else {
      close(descriptor)
      throw SystemError("append to what is no file of its own at", path, code: EACCES)
    }
    if isLocked { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
    return (descriptor, status)
  }

  deinit {
    descriptor.withLock { if isOurs($0) { close($0) } }
  }

  private func isOurs(_ descriptor: Int32) -> Bool {
    FileStatus(descriptor: descriptor)?.identity == identity
  }

  /// Appends in one call, so that writers do not mix.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    let result = descriptor.withLock { descriptor in
      Result { () throws(SystemError) in
        if !isOurs(descriptor) { descriptor = try openAgain() }
        try write(bytes, to: descriptor)
      }
    }
    try result.get()
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
    var count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    while count < 0, errno == EINTR { count = Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    guard count == bytes.count else { throw SystemError("write", path, code: count < 0 ? errno : ENOSPC) }
  }

  private func openAgain() throws(SystemError) -> Int32 {
    let (descriptor, status) = try Self.open(path, flags: 0, isLocked: isLocked)
    if FileIdentity(status) == identity { return descriptor }
    close(descriptor)
    throw SystemError("write on in the file that was at", path, code: ESTALE)
  }
}
