import ExhibitSystem
import Glibc

/// The bytes of a run's evidence, counted as it comes and goes.
///
/// The number lies in a file that all processes of the run share, so that a capture costs the same however much was
/// captured before it. Where that file is missing or damaged, the evidence is measured once.
package struct EvidenceTally: Sendable {
  let run: RunFolder

  /// The number of a run.
  package init(run: RunFolder) {
    self.run = run
  }

  /// Text, so that people can read it too: 20 digits and a line break, written over each other.
  private static let digits = 20
  /// How long another process may keep the file: it does so for a few microseconds.
  private static let patience = Duration.milliseconds(500)

  /// Bytes.
  var current: Int { change { _ in 0 } }

  /// Adds bytes if there is room for them.
  ///
  /// - Returns: The bytes before, and whether these were added.
  func reserve(_ bytes: Int, within limit: Int) -> (before: Int, isReserved: Bool) {
    var isReserved = false
    let before = change { sum in
      isReserved = bytes <= limit - min(sum, limit)
      return isReserved ? bytes : 0
    }
    return (before, isReserved)
  }

  /// Adds bytes that came, or takes away what went.
  package func add(_ bytes: Int) {
    if bytes != 0 { _ = change { _ in bytes } }
  }

  /// Changes the number while nobody else does, and returns what it was.
  ///
  /// What fails here must cost no evidence: the sum is measured then, and the number is made anew by the next one.
  private func change(_ added: (Int) -> Int) -> Int {
    let descriptor = open(
      run.tallyPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return measured(added) }
    defer { close(descriptor) }
    guard lock(descriptor) else { return measured(added) }
    let sum = read(descriptor) ?? FileSystem.size(of: run.evidenceFolder)
    let (changed, isTooLarge) = sum.addingReportingOverflow(added(sum))
    if !write(isTooLarge ? .max : max(0, changed), to: descriptor) { unlink(run.tallyPath) }
    return sum
  }

  private func measured(_ added: (Int) -> Int) -> Int {
    let sum = FileSystem.size(of: run.evidenceFolder)
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
    let number = String(sum)
    let text = String(repeating: "0", count: max(0, Self.digits - number.utf8.count)) + number + "\n"
    return Array(text.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count }
  }
}

/// Room for one capture in a run's evidence, taken before it is made.
package struct EvidenceReservation: Sendable {
  private let tally: EvidenceTally
  /// Bytes that were reserved.
  private let bytes: Int
  /// Bytes that the capture may bring at most, those that were reserved among them.
  package let room: Int

  init(_ bytes: Int, room: Int, in tally: EvidenceTally) {
    self.tally = tally
    self.bytes = bytes
    self.room = room
  }

  /// Counts what the capture has brought, given by absolute paths, in place of what was reserved.
  package func settle(_ paths: some Sequence<String>) {
    let paths = Set(paths)
    let outermost = paths.filter { path in
      !paths.contains { path.hasPrefix($0 + "/") }
    }
    tally.add(outermost.reduce(0) { $0 + FileSystem.sizeOfFirstNames(in: $1) } - bytes)
  }
}
