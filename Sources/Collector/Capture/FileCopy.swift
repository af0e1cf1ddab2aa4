import ExhibitCSystem
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// A copy of one file, made without harm to whoever has the file open in this process.
package struct FileCopy: Sendable {
  package let bytes: Int

  /// Copies a regular file to a path where nothing is yet; a failed copy is removed again.
  ///
  /// - Throws: `CaptureError` for a file that is not regular or cannot be read without harm, else `SystemError`.
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

  /// True when a file begins like a database; false when there is none.
  ///
  /// - Throws: `CaptureError` or `SystemError` when it cannot be read.
  package static func isDatabase(_ path: String) throws -> Bool {
    try start(of: path, DatabaseHeader.magic.count) == DatabaseHeader.magic
  }

  /// The first bytes of a file, at most `count`; empty when there is no file.
  ///
  /// - Throws: `CaptureError` or `SystemError` when they cannot be read without harm.
  package static func start(of path: String, _ count: Int) throws -> [UInt8] {
    guard let status = try FileStatus(path: path), status.kind == .regular else { return [] }
    return try open(path).prefix(count)
  }

  private static func open(_ path: String) throws -> ForeignFile {
    guard let real = FileSystem.realPath(path) else { throw SystemError("open", path) }
    // Without such a thread, files that the process has open are read through its own descriptors.
    return try ForeignFile(path: real, in: try? SeparateDescriptors())
  }
}
