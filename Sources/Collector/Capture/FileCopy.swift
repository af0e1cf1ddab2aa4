import ExhibitCSystem
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// A copy of a file, made without dropping this process's locks on it.
package struct FileCopy: Sendable {
  package let bytes: Int

  /// - Throws: `CaptureError` for no readable regular file, else `SystemError`.
  package init(from source: String, to destination: String) throws {
    guard let status = try FileStatus(path: source) else {
      throw CaptureError(.missing, "There is no file at \(source).")
    }
    guard status.kind == .regular else {
      throw CaptureError(.unsupported, "\(source) is no regular file.")
    }
    do {
      let input = try Self.open(source)
      bytes = input.status.bytes
      try RawFiles.copy(input, bytes: bytes, to: destination)
    } catch {
      unlink(destination)
      throw error
    }
  }

  package static func isDatabase(_ path: String) throws -> Bool {
    try start(of: path, DatabaseHeader.magic.count) == DatabaseHeader.magic
  }

  package static func start(of path: String, _ count: Int) throws -> [UInt8] {
    guard let status = try FileStatus(path: path), status.kind == .regular else { return [] }
    return try open(path).prefix(count)
  }

  private static func open(_ path: String) throws -> ForeignFile {
    guard let real = FileSystem.realPath(path) else { throw SystemError("open", path) }
    return try ForeignFile(path: real, in: try? SeparateDescriptors())
  }
}
