#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of ours that is being written; closed in `deinit`.
final class OutputFile {
  let path: String
  let descriptor: Int32

  /// Creates a file that only its owner can read.
  ///
  /// - Throws: `SystemError`, also when there already is something at `path`.
  init(creating path: String) throws {
    self.path = path
    descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
  }

  deinit {
    // Nothing is buffered: what matters was checked at every write.
    _ = close(descriptor)
  }

  /// Appends all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      #if canImport(Glibc)
        let written = Glibc.write(descriptor, start, rest.count)
      #else
        let written = Darwin.write(descriptor, start, rest.count)
      #endif
      if written < 0 {
        if errno == EINTR { continue }
        throw SystemError("write", path)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
  }
}
