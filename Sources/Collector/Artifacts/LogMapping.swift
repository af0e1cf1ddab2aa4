import ExhibitCSystem
import Glibc

/// A stretch of a log that lies in memory: what is copied there is in the file at once, without a call of the kernel.
///
/// It is what SQLite does with the index of its WAL. The stretch is first written, as line breaks, which every reader
/// of lines passes over: where the disk has no room that write fails, and no access to the memory can. On file
/// systems that take new room for a change of what is written, Btrfs always and XFS after `cp --reflink`, this would
/// not hold, and nothing is mapped.
final class LogMapping {
  /// Bytes that are made ready at least; some two hundred tests that pass.
  static let size = 64 << 10

  private let memory: UnsafeMutableRawPointer
  private let count: Int
  /// The place in the file at which the memory begins.
  private let start: Int

  /// Extends a file and maps what is new.
  ///
  /// - Parameter position: The end of the file.
  /// - Returns: `nil` when the disk is full or the file cannot be mapped; its end is `position` then.
  init?(_ descriptor: Int32, from position: Int) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    start = position / page * page
    // A page more, for what of the first one is taken: pages can be as large as all of it.
    count = Self.size + page
    guard exhibit_changes_in_place(descriptor), Self.extend(descriptor, from: position, to: start + count)
    else { return nil }
    let flags = MAP_SHARED | Int32(MAP_POPULATE)
    guard let memory = mmap(nil, count, PROT_READ | PROT_WRITE, flags, descriptor, start),
      memory != UnsafeMutableRawPointer(bitPattern: -1)
    else {
      _ = ftruncate(descriptor, position)
      return nil
    }
    self.memory = memory
  }

  deinit {
    munmap(memory, count)
  }

  /// Whether so many bytes fit at a place of the file.
  func hasRoom(for bytes: Int, at position: Int) -> Bool { position + bytes <= start + count }

  func copy(_ bytes: UnsafeBufferPointer<UInt8>, to position: Int) {
    guard let first = bytes.baseAddress else { return }
    (memory + (position - start)).copyMemory(from: first, byteCount: bytes.count)
  }

  private static func extend(_ descriptor: Int32, from position: Int, to end: Int) -> Bool {
    let breaks = [UInt8](repeating: UInt8(ascii: "\n"), count: end - position)
    let written = breaks.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, position) }
    if written == breaks.count { return true }
    _ = ftruncate(descriptor, position)
    return false
  }
}
