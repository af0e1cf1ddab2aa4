import ExhibitArchive
import Glibc

/// A copy of one file, made without harm to whoever has the file open in this process.
package struct FileCopy: Sendable {
  package let bytes: Int

  /// Copies a regular file to a path at which nothing is yet; a copy that fails is removed again.
  ///
  /// - Throws: `CaptureError` for what is no regular file or is locked by this process, else `SystemError`.
  package init(from source: String, to destination: String) throws {
    guard let status = try FileStatus(path: source) else {
      throw CaptureError(.missing, "There is no file at \(source).")
    }
    guard status.kind == .regular else {
      throw CaptureError(.unsupported, "\(source) is no regular file.")
    }
    if let descriptor = OpenDescriptors.first(of: status.identity), exhibit_is_locked(descriptor) {
      throw CaptureError(
        .foreignHandle, "\(source) is locked by the test process, and reading it here could break the lock.")
    }
    do {
      let input = try InputFile(path: try Self.resolve(source))
      bytes = input.status.bytes
      try PrivateCopy.copy(input, bytes: bytes, to: destination)
    } catch {
      unlink(destination)
      throw error
    }
  }

  /// Whether a file begins as a database does; `false` for what cannot be read.
  package static func isDatabase(_ path: String) -> Bool {
    guard let status = try? FileStatus(path: path), status.kind == .regular else { return false }
    if let descriptor = OpenDescriptors.first(of: status.identity) {
      return OpenDescriptors.isDatabase(descriptor)
    }
    guard
      // What cannot be opened is reported when it is copied.
      let input = try? InputFile(path: try resolve(path)),
      let prefix = try? input.prefix(DatabaseHeader.magic.count)
    else { return false }
    return prefix == DatabaseHeader.magic
  }

  private static func resolve(_ path: String) throws -> String {
    guard let real = realpath(path, nil) else { throw SystemError("open", path) }
    defer { free(real) }
    return String(cString: real)
  }
}
