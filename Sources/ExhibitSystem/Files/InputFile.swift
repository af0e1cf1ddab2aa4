import Glibc

/// A regular file opened for reading; `deinit` closes it.
///
/// Never use it for a file that this process has open through SQLite: closing drops the process's POSIX locks on
/// it.
package final class InputFile {
  package let path: String
  package let descriptor: Int32
  package let status: FileStatus

  /// Opens a regular file; links are refused, and FIFOs, on which opening would block.
  package convenience init(path: UnsafePointer<CChar>) throws {
    try self.init(path, flags: O_NOFOLLOW)
  }

  /// Opens the regular file that a link leads to; a link of `/proc/self/fd` leads to deleted files too.
  package convenience init(link: UnsafePointer<CChar>) throws {
    try self.init(link, flags: 0)
  }

  private init(_ path: UnsafePointer<CChar>, flags: Int32) throws {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags)
    guard descriptor >= 0 else { throw SystemError("open", String(cString: path)) }
    guard let status = FileStatus(descriptor: descriptor), status.kind == .regular else {
      _ = close(descriptor)
      throw SystemError("read as a regular file", String(cString: path), code: EINVAL)
    }
    self.path = String(cString: path)
    self.descriptor = descriptor
    self.status = status
  }

  deinit {
    _ = close(descriptor)
  }

  /// Returns the number of bytes, fewer than asked for only at the end of the file.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    try InputFile.read(descriptor, into: buffer, at: offset, path: path)
  }

  package func prefix(_ count: Int) throws -> [UInt8] {
    try InputFile.bytes(of: descriptor, at: 0, count: count, path: path)
  }

  /// Reads an open file; fewer bytes than `count` only at its end.
  package static func bytes(
    of descriptor: Int32, at offset: Int, count: Int, path: String
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      do throws(SystemError) {
        length = try read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset, path: path)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills `buffer` through a borrowed descriptor; returns the number of bytes.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int, path: String
  ) throws(SystemError) -> Int {
    var length = 0
    while length < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer.dropFirst(length))
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + length))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", path) }
      if count == 0 { break }
      length += count
    }
    return length
  }
}
