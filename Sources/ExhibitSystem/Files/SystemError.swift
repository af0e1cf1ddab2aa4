import Glibc

/// A system call that failed on a file.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The `errno` of the call.
  package var code: Int32
  /// The attempt as a verb phrase: `write`, `create the folder`.
  package var attempt: String
  package var path: String

  /// Takes the current `errno` by default.
  package init(_ attempt: String, _ path: String, code: Int32 = errno) {
    self.code = code
    self.attempt = attempt
    self.path = path
  }

  /// True when a file could be opened but not read; another attempt may succeed.
  package var isOfReading: Bool { code == EIO && attempt == "read" }

  package var description: String { "Could not \(attempt) \(path): \(reason)." }

  /// The operating system's text for the code.
  package var reason: String { SystemError.message(for: code) }

  package static func message(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "error \(code)" }
  }
}
