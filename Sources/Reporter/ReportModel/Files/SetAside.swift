package import ExhibitSystem
import Glibc
internal import Synchronization

/// A temporary file without a name, for parts of a report that would take memory.
package final class SetAside: Sendable {
  package struct Piece: Sendable {
    fileprivate let file: SetAside
    fileprivate let offset: Int
    fileprivate let count: Int

    package func bytes() throws(SystemError) -> [UInt8] { try file.read(count, at: offset) }
  }

  private let descriptor: Int32
  private let path: String
  private let end = Mutex(0)

  package init(in folder: String) throws(SystemError) {
    path = folder + "/.aside"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
    guard unlink(path) == 0 else {
      let error = SystemError("remove", path)
      close(descriptor)
      throw error
    }
  }

  deinit {
    close(descriptor)
  }

  package func put(_ bytes: UnsafeBufferPointer<UInt8>) throws(SystemError) -> Piece {
    try end.withLock { end throws(SystemError) in
      let start = end
      try OutputFile.write(UnsafeRawBufferPointer(bytes), to: descriptor, at: &end, path: path)
      return Piece(file: self, offset: start, count: end - start)
    }
  }

  private func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    let bytes = try InputFile.bytes(of: descriptor, at: offset, count: count, path: path)
    guard bytes.count == count else { throw SystemError("read", path, code: EIO) }
    return bytes
  }
}
