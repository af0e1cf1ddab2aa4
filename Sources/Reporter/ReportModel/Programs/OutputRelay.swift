import ExhibitSystem
import Glibc

/// Passes on a program's output and keeps it up to a limit.
package struct OutputRelay {
  private var kept: BoundedOutput
  private let isSilent: Bool
  package private(set) var errors = BoundedOutput(limit: 1 << 16)
  private var closed: Set<Int32> = []

  package init(keeping limit: Int, isSilent: Bool = false) {
    self.isSilent = isSilent
    kept = BoundedOutput(limit: limit)
  }

  /// Passes on the output until a second after the program's end.
  ///
  /// - Parameter deadline: When to kill the program.
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
      if ContinuousClock.now > deadline + .seconds(1) { break }
    }
    return kept
  }

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
      closed.insert(target)
    }
    return true
  }
}

/// The beginning and the end of a long output.
package struct BoundedOutput: Sendable {
  private let limit: Int
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private var omitted = 0

  /// - Parameter limit: Bytes, half of them from the beginning.
  package init(limit: Int) {
    self.limit = limit
  }

  package mutating func append(_ bytes: [UInt8]) {
    let room = max(0, limit / 2 - head.count)
    head.append(contentsOf: bytes.prefix(room))
    tail.append(contentsOf: bytes.dropFirst(room))
    // Waiting for twice the size keeps appending in constant time.
    if tail.count > limit { dropFromTail(tail.count - limit / 2) }
  }

  package var isWhole: Bool { omitted == 0 && tail.count <= limit / 2 }

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
