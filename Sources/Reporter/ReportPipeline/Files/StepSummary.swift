import Collector
package import ExhibitSystem
import Glibc

/// The file of Markdown that GitHub shows on a job's page: `$GITHUB_STEP_SUMMARY`.
package struct StepSummary {
  /// Bytes; GitHub drops a larger summary completely.
  static let limit = 1 << 20

  let path: String

  package init(path: String) { self.path = path }

  /// Appends a summary unless the file has it; returns false beyond GitHub's limit.
  package func append(_ summary: [UInt8]) throws(SystemError) -> Bool {
    let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    defer { close(descriptor) }
    let present = try InputFile.bytes(of: descriptor, at: 0, count: Self.limit + 1, path: path)
    if present.firstRange(of: summary) != nil { return true }
    let separator: [UInt8] = present.isEmpty ? [] : [UInt8(ascii: "\n")]
    guard present.count + separator.count + summary.count <= Self.limit else { return false }
    try FileSystem.write(separator + summary, to: descriptor, path: path)
    return true
  }
}
