import Glibc

/// A copy of one file, made without harm to whoever has the file open in this process.
package struct FileCopy: Sendable {
  package let bytes: Int

  /// Copies a regular file to a path that must not exist yet; removes the copy again when that fails.
  ///
  /// - Throws: `CaptureError` for what is no regular file or is locked by this process, else `FileError`.
  package init(from source: String, to destination: String) throws {
    guard let status = FileSystem.targetStatus(source) else {
      throw CaptureError(.missing, "There is no file at \(source).")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CaptureError(.unsupported, "\(source) is no regular file.")
    }
    guard !Self.isLocked(status) else {
      throw CaptureError(
        .foreignHandle,
        "This process holds a lock on \(source), which reading the file here would drop.")
    }
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard input >= 0 else { throw FileError("open", source) }
    defer { close(input) }
    let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw FileError("create", destination) }
    do throws(FileError) {
      bytes = try Self.copy(input, source, to: output, destination)
      guard close(output) == 0 else { throw FileError("write", destination) }
    } catch {
      close(output)
      unlink(destination)
      throw error
    }
  }

  private static func copy(
    _ input: Int32, _ source: String, to output: Int32, _ destination: String
  ) throws(FileError) -> Int {
    var total = 0
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read", source) }
      guard count > 0 else { return total }
      try FileSystem.write(Array(buffer[..<count]), to: output, path: destination)
      total += count
    }
  }

  /// Whether this process holds a POSIX lock on a file; closing any descriptor of it would drop the lock.
  ///
  /// Source: proc(5), `/proc/locks`.
  private static func isLocked(_ status: stat) -> Bool {
    guard let locks = readWholeSystemFile("/proc/locks") else { return false }
    return locks.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      return fields.contains(Substring(String(getpid()))) && line.contains(":\(status.st_ino) ")
    }
  }
}
