import Collector
import ExhibitSystem
import Glibc

/// This process's event stream for `reporter test`: the next test target overwrites Swift Testing's own file.
final class EventStreamFile: Sendable {
  static let process = EventStreamFile(in: getenv("EXHIBIT_EVENT_STREAMS").map { String(cString: $0) })

  private let file: AppendedFile

  private init?(in folder: String?) {
    guard let folder, folder.hasPrefix("/"), let process = ProcessIdentity.current else { return nil }
    let name = LogFile.fileName(pid: process.pid, startTicks: process.startTicks)
    do throws(SystemError) {
      file = try AppendedFile(at: "\(folder)/\(name)", flags: O_CREAT | O_EXCL)
    } catch {
      return nil
    }
  }

  /// In one write, so that threads do not mix.
  func append(_ record: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(byteCount: record.count + 1, alignment: 1) { line in
      line.copyMemory(from: record)
      line[record.count] = UInt8(ascii: "\n")
      try? file.append(UnsafeRawBufferPointer(line))
    }
  }
}
