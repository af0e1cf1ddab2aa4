import Glibc

/// A process of this machine, told apart from a later one with the same number.
package struct ProcessIdentity: Hashable, Sendable, Codable {
  package var pid: Int32
  /// Clock ticks after boot at which it started.
  package var startTicks: UInt64

  package init(pid: Int32, startTicks: UInt64) {
    self.pid = pid
    self.startTicks = startTicks
  }

  /// The process with this number, or `nil` when there is none.
  package init?(running pid: Int32) {
    guard let stat = readSystemFile("/proc/\(pid)/stat"), let ticks = Self.startTicks(inStat: stat) else {
      return nil
    }
    self.init(pid: pid, startTicks: ticks)
  }

  package static var current: ProcessIdentity? { ProcessIdentity(running: getpid()) }

  package var isRunning: Bool { ProcessIdentity(running: pid) == self }

  /// Field 22 of `/proc/PID/stat`; the second field is a name in parentheses that may hold anything.
  private static func startTicks(inStat stat: String) -> UInt64? {
    guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[nameEnd...].split(separator: " ")
    return fields.count > 20 ? UInt64(fields[20]) : nil
  }
}

/// Reads a small file of `/proc` or `/sys`, up to 4 KiB; `nil` when it cannot be read.
package func readSystemFile(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
