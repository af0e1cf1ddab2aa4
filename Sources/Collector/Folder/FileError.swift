import Glibc

/// A call to the operating system that failed, and the file it was about.
package struct FileError: Error, Equatable, CustomStringConvertible {
  /// What was attempted, as a verb: `create`, `write`, `rename`.
  package var operation: String
  package var path: String
  /// The value of `errno`.
  package var code: Int32

  package init(_ operation: String, _ path: String, code: Int32 = errno) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// What the operating system says of the code.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String {
    "Cannot \(operation) \(path): \(reason)"
  }
}
