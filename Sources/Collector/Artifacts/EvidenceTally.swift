import ExhibitSystem
import Glibc

/// The size of a run's evidence or passes, in a file that all its processes share.
///
/// A missing or damaged file is made anew by measuring the folder.
package struct EvidenceTally: Sendable {
  private let path: String
  private let folder: String

  package init(run: RunFolder) {
    (path, folder) = (run.tallyPath, run.evidenceFolder)
  }

  package init(passesOf run: RunFolder) {
    (path, folder) = (run.passesTallyPath, run.passesFolder)
  }

  private static let digits = 20
  private static let patience = Duration.milliseconds(500)

  var current: Int { change { _ in 0 } }

  /// Adds those sizes, in order, for which the limit leaves room.
  package func reserve(_ sizes: [Int], within limit: Int) -> (areReserved: [Bool], room: Int) {
    var (areReserved, room) = ([Bool](), 0)
    _ = change { sum in
      let before = limit - min(sum, limit)
      room = before
      areReserved = sizes.map { size in
        guard size <= room else { return false }
        room -= size
        return true
      }
      return before - room
    }
    return (areReserved, room)
  }

  package func add(_ bytes: Int) {
    if bytes != 0 { _ = change { _ in bytes } }
  }

  /// Returns the former number; measures the folder when the lock fails.
  private func change(_ added: (Int) -> Int) -> Int {
    let descriptor = open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return measured(added) }
    defer { close(descriptor) }
    guard lock(descriptor) else { return measured(added) }
    let sum = read(descriptor) ?? FileSystem.size(of: folder)
    let (changed, isTooLarge) = sum.addingReportingOverflow(added(sum))
    if !write(isTooLarge ? .max : max(0, changed), to: descriptor) { unlink(path) }
    return sum
  }

  private func measured(_ added: (Int) -> Int) -> Int {
    let sum = FileSystem.size(of: folder)
    _ = added(sum)
    return sum
  }

  private func lock(_ descriptor: Int32) -> Bool {
    let deadline = ContinuousClock.now + Self.patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else { return false }
      usleep(50)
    }
    return true
  }

  private func read(_ descriptor: Int32) -> Int? {
    withUnsafeTemporaryAllocation(byteCount: Self.digits + 1, alignment: 1) { buffer in
      guard pread(descriptor, buffer.baseAddress, buffer.count, 0) == buffer.count,
        buffer.last == UInt8(ascii: "\n")
      else { return nil }
      let number = Int(String(decoding: buffer.dropLast(), as: UTF8.self))
      return number.flatMap { $0 >= 0 ? $0 : nil }
    }
  }

  private func write(_ sum: Int, to descriptor: Int32) -> Bool {
    Array((sum.padded(to: Self.digits) + "\n").utf8).withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count
    }
  }
}

package struct EvidenceReservation: Sendable {
  private let tally: EvidenceTally
  private let bytes: Int
  package let room: Int

  init(_ bytes: Int, room: Int, in tally: EvidenceTally) {
    self.tally = tally
    self.bytes = bytes
    self.room = room
  }

  package func settle(_ paths: some Sequence<String>) {
    let paths = Set(paths)
    let outermost = paths.filter { path in
      !paths.contains { path.hasPrefix($0 + "/") }
    }
    tally.add(outermost.reduce(0) { $0 + FileSystem.sizeOfFirstNames(in: $1) } - bytes)
  }
}
