import Collector
import ExhibitSystem
import Glibc

/// The file whose Markdown GitHub shows on the page of a job: `$GITHUB_STEP_SUMMARY`.
struct StepSummary {
  /// GitHub drops a summary that is larger as a whole.
  static let limit = 1 << 20

  /// An absolute path.
  var path: String

  /// What came of appending.
  enum Result: Equatable {
    case appended
    /// The very same summary stands there already.
    case alreadyThere
    /// It would make the file larger than GitHub takes.
    case tooLarge
  }

  /// Appends a summary once.
  func append(_ summary: [UInt8]) throws(SystemError) -> Result {
    let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    defer { close(descriptor) }
    let present = try contents(descriptor)
    if present.firstRange(of: summary) != nil { return .alreadyThere }
    let separator: [UInt8] = present.isEmpty ? [] : [UInt8(ascii: "\n")]
    guard present.count + separator.count + summary.count <= Self.limit else { return .tooLarge }
    try FileSystem.write(separator + summary, to: descriptor, path: path)
    return .appended
  }

  /// No more than what decides.
  private func contents(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.limit + 1) { buffer, count in
      while count < buffer.count {
        let rest = buffer.baseAddress?.advanced(by: count)
        let read = pread(descriptor, rest, buffer.count - count, off_t(count))
        if read < 0 && errno == EINTR { continue }
        if read < 0 { failure = SystemError("read", path) }
        guard read > 0 else { return }
        count += read
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
