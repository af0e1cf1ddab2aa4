import ExhibitSystem
import Glibc

/// Counts the bytes of a run's evidence, or of its passes, as files come and go.
///
/// The number is in a file that all processes of the run share, so that earlier captures do not make a capture
/// slower. Where that file is missing or damaged, what it counts is measured once.
package struct EvidenceTally: Sendable {
  /// The file with the number, and the folder whose bytes it counts.
  private let path: String
  private let folder: String

  /// The tally of a run's evidence.
  package init(run: RunFolder) {
    (path, folder) = (run.tallyPath, run.evidenceFolder)
  }

  /// The tally of a run's passes.
  package init(passesOf run: RunFolder) {
    (path, folder) = (run.passesTallyPath, run.passesFolder)
  }

  /// The number of digits: the file is text, which people can read too, and each write replaces it whole.
  private static let digits = 20
  /// The time that another process may hold the file; it needs a few microseconds.
  private static let patience = Duration.milliseconds(500)

  /// The bytes now.
  var current: Int { change { _ in 0 } }

  /// Adds what there is room for of several, each as far as those before it leave room.
  ///
  /// - Returns: For each whether it was added, and the room that is left.
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

  /// Adds bytes that came, or subtracts bytes that went with a negative number.
  package func add(_ bytes: Int) {
    if bytes != 0 { _ = change { _ in bytes } }
  }

  /// Changes the number under a lock and returns the former one.
  ///
  /// A failure here must cost no evidence: the evidence is measured then, and the next call makes the number anew.
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

/// Room for one capture in a run's evidence, reserved before the capture.
package struct EvidenceReservation: Sendable {
  private let tally: EvidenceTally
  /// The reserved bytes.
  private let bytes: Int
  /// The most bytes that the capture may write, including the reserved ones.
  package let room: Int

  init(_ bytes: Int, room: Int, in tally: EvidenceTally) {
    self.tally = tally
    self.bytes = bytes
    self.room = room
  }

  /// Counts the files that the capture wrote, at absolute paths, instead of the reserved bytes.
  package func settle(_ paths: some Sequence<String>) {
    let paths = Set(paths)
    let outermost = paths.filter { path in
      !paths.contains { path.hasPrefix($0 + "/") }
    }
    tally.add(outermost.reduce(0) { $0 + FileSystem.sizeOfFirstNames(in: $1) } - bytes)
  }
}
