import ExhibitSystem
import Glibc

/// Passes on a program's output unchanged while it runs, and keeps it up to a limit.
package struct OutputRelay {
  private var kept: BoundedOutput
  /// True to keep output and errors apart without printing them.
  private let isSilent: Bool
  /// The errors of a silent one.
  package private(set) var errors = BoundedOutput(limit: 1 << 16)
  /// Streams whose reader has gone, such as `head`.
  private var closed: Set<Int32> = []

  package init(keeping limit: Int, isSilent: Bool = false) {
    self.isSilent = isSilent
    kept = BoundedOutput(limit: limit)
  }

  /// Passes on the output until the program has ended.
  ///
  /// Processes that it left running may keep its pipes open; one second after its end nobody waits for them.
  ///
  /// - Parameter deadline: The time at which the program is ended if it still runs.
  package mutating func relay(
    _ child: ChildProcess, until deadline: ContinuousClock.Instant? = nil
  ) -> BoundedOutput {
    var streams = [child.output: STDOUT_FILENO, child.errors: STDERR_FILENO]
    var quietRounds = 0
    while !streams.isEmpty {
      var polled = streams.keys.sorted().map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&polled, nfds_t(polled.count), 100)
      for stream in polled where stream.revents != 0 {
        guard let target = streams[stream.fd] else { continue }
        if !pass(stream.fd, to: target) { streams[stream.fd] = nil }
      }
      quietRounds = ready == 0 && child.hasEnded ? quietRounds + 1 : 0
      if quietRounds == 10 { break }
      guard let deadline, ContinuousClock.now > deadline else { continue }
      child.send(SIGKILL)
      // A process in another group may go on writing.
      if ContinuousClock.now > deadline + .seconds(1) { break }
    }
    return kept
  }

  /// - Returns: True when more may come.
  private mutating func pass(_ source: Int32, to target: Int32) -> Bool {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, read(source, buffer.baseAddress, buffer.count))
    }
    if bytes.isEmpty { return false }
    if !isSilent || target == STDOUT_FILENO { kept.append(bytes) } else { errors.append(bytes) }
    guard !isSilent, !closed.contains(target) else { return true }
    do throws(SystemError) {
      try FileSystem.write(bytes, to: target, path: "the terminal")
    } catch {
      // The reader of our output has gone; the tests go on and are reported.
      closed.insert(target)
    }
    return true
  }
}

/// The beginning and the end of an output that is too long to keep.
package struct BoundedOutput: Sendable {
  private let limit: Int
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private var omitted = 0

  /// - Parameter limit: The bytes to keep; half of them from the beginning.
  package init(limit: Int) {
    self.limit = limit
  }

  package mutating func append(_ bytes: [UInt8]) {
    let room = max(0, limit / 2 - head.count)
    head.append(contentsOf: bytes.prefix(room))
    tail.append(contentsOf: bytes.dropFirst(room))
    // Waiting for twice the size before bytes are removed keeps the cost of appending constant.
    if tail.count > limit { dropFromTail(tail.count - limit / 2) }
  }

  /// False when bytes were left out.
  package var isWhole: Bool { omitted == 0 && tail.count <= limit / 2 }

  /// The kept bytes, with a line in place of the others.
  package var bytes: [UInt8] {
    var whole = self
    whole.dropFromTail(max(0, tail.count - limit / 2))
    guard whole.omitted > 0 else { return whole.head + whole.tail }
    return whole.head + Array("\n[\(whole.omitted) bytes left out]\n".utf8) + whole.tail
  }

  private mutating func dropFromTail(_ count: Int) {
    tail.removeFirst(count)
    omitted += count
  }
}
