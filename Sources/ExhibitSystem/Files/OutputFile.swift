import ExhibitCSystem
import Glibc

/// A file opened for writing; `deinit` closes it.
package final class OutputFile {
  package let path: String
  package let descriptor: Int32

  /// Creates a file with mode 0600; throws when something is at `path`.
  package init(creating path: String) throws {
    self.path = path
    descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
  }

  /// Opens a file to read and write it.
  package init(updating path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemError("open", path) }
  }

  deinit {
    _ = close(descriptor)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    try FileSystem.write(bytes, to: descriptor, path: path)
  }

  /// Writes all of `parts` from `offset`, one after the other.
  package func write(_ parts: [UnsafeRawBufferPointer], at offset: Int) throws {
    let vectors = parts.map {
      iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
    }
    let count = pwritev(descriptor, vectors, Int32(vectors.count), off_t(offset))
    if count == parts.reduce(0, { $0 + $1.count }) { return }
    guard count >= 0 || errno == EINTR else { throw SystemError("write", path) }
    // The rest is written, or the reason thrown.
    var offset = offset
    for part in parts { try Self.write(part, to: descriptor, at: &offset, path: path) }
  }

  /// - Parameter offset: Where to write; afterwards, even after an error, the end of the written bytes.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: inout Int, path: String
  ) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", path, code: count == 0 ? EIO : errno) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      offset += count
    }
  }

  package func truncate(to bytes: Int) throws {
    guard ftruncate(descriptor, off_t(bytes)) == 0 else { throw SystemError("set the size of", path) }
  }

  /// Copies the first `bytes` of another file into this empty one, by reflink where the file system can.
  package func clone(_ file: InputFile, bytes: Int) throws {
    let code = exhibit_clone_file(file.descriptor, descriptor, bytes)
    guard code == 0 else { throw SystemError("copy", file.path, code: code) }
  }
}
