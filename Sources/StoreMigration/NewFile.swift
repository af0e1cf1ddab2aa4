#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is being written; closed in `deinit`.
final class NewFile {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws(StoreMigrationError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreMigrationError(errno: errno, path, "make it") }
  }

  deinit {
    // Whether the bytes are on disk is found out by fsync, later.
    close(descriptor)
  }

  func write(_ bytes: [UInt8]) throws(StoreMigrationError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw StoreMigrationError(errno: errno, path, "write to it") }
      done += count
    }
  }

  /// Gives it the mode and, where that is allowed, the owner of another file.
  func takePermissions(of other: String) throws(StoreMigrationError) {
    guard let status = try Files.status(other) else { return }
    // Only root may give files away; for anyone else the owner is the same already.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else {
      throw StoreMigrationError(errno: errno, path, "set its mode")
    }
  }
}

private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
