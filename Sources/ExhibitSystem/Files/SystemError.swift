import Glibc

/// A failed system call on a file.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package var code: Int32
  /// A verb phrase: `write`, `create the folder`.
  package var attempt: String
  package var path: String

  package init(_ attempt: String, _ path: String, code: Int32 = errno) {
    self.code = code
    self.attempt = attempt
    self.path = path
  }

  /// True when reading failed; another attempt may succeed.
  package var isOfReading: Bool { code == EIO && attempt == "read" }

  package var description: String { "Could not \(attempt) \(path): \(reason)." }

  package var reason: String { SystemError.message(for: code) }

  package static func message(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "error \(code)" }
  }
}
