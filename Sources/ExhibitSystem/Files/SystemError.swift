import Glibc

/// A system call that failed on a file.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The `errno` it left.
  package var code: Int32
  /// What was attempted, as a verb phrase: `write`, `create the folder`.
  package var attempt: String
  package var path: String

  /// Takes `errno` as it stands.
  package init(_ attempt: String, _ path: String, code: Int32 = errno) {
    self.code = code
    self.attempt = attempt
    self.path = path
  }

  /// Whether a file could be opened and not read, which may go better another time.
  package var isOfReading: Bool { code == EIO && attempt == "read" }

  package var description: String { "Could not \(attempt) \(path): \(reason)." }

  /// What the operating system says of the code.
  package var reason: String { SystemError.message(for: code) }

  package static func message(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "error \(code)" }
  }
}
