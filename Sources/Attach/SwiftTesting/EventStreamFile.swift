import Collector
import ExhibitSystem
import Glibc

/// Keeps the event stream of this process alone, where `reporter test` asked for it.
///
/// Runners of several test targets write their streams to one file, each over the previous one's. What cannot be
/// written here is left out, since the log has the tests too.
final class EventStreamFile: Sendable {
  /// The stream's file; `nil` unless `$EXHIBIT_EVENT_STREAMS` names a folder, in which the file is made.
  static let process = EventStreamFile(in: getenv("EXHIBIT_EVENT_STREAMS").map { String(cString: $0) })

  private let file: AppendedFile

  private init?(in folder: String?) {
    guard let folder, folder.hasPrefix("/"), let process = ProcessIdentity.current else { return nil }
    let name = LogFile.fileName(pid: process.pid, startTicks: process.startTicks)
    do throws(SystemError) {
      file = try AppendedFile(at: "\(folder)/\(name)", flags: O_CREAT | O_EXCL)
    } catch {
      // The log has the tests.
      return nil
    }
  }

  /// Writes a record and its line break at once, so that records of several threads do not mix.
  func append(_ record: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(byteCount: record.count + 1, alignment: 1) { line in
      line.copyMemory(from: record)
      line[record.count] = UInt8(ascii: "\n")
      // The log has what is left out here.
      try? file.append(UnsafeRawBufferPointer(line))
    }
  }
}
