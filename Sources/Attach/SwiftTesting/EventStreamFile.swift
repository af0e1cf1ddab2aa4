import Collector
import ExhibitSystem
import Glibc

/// The event stream of this process alone, where `reporter test` has asked for it: the runners of several test targets
/// write theirs to one file, each over that of the one before.
///
/// What cannot be written is left out: the log has the tests all the same.
final class EventStreamFile: Sendable {
  /// `nil` unless `$EXHIBIT_EVENT_STREAMS` names a folder, in which the file is made.
  static let process = EventStreamFile(in: getenv("EXHIBIT_EVENT_STREAMS").map { String(cString: $0) })

  private let descriptor: Int32

  private init?(in folder: String?) {
    guard let folder, folder.hasPrefix("/"), let process = ProcessIdentity.current else { return nil }
    let name = LogFile.fileName(pid: process.pid, startTicks: process.startTicks)
    descriptor = open(
      "\(folder)/\(name)", O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Writes a record and its line break at once, so that those of several threads do not mix.
  func append(_ record: UnsafeRawBufferPointer) {
    var newline = UInt8(ascii: "\n")
    withUnsafeMutablePointer(to: &newline) { newline in
      let parts = [
        iovec(iov_base: UnsafeMutableRawPointer(mutating: record.baseAddress), iov_len: record.count),
        iovec(iov_base: newline, iov_len: 1),
      ]
      _ = writev(descriptor, parts, 2)
    }
  }
}
