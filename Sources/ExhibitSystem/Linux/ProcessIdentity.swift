import Glibc

/// Identifies a process of this machine; a later one with the same number is another.
package struct ProcessIdentity: Hashable, Sendable, Codable {
  package var pid: Int32
  /// The start in clock ticks after boot.
  package var startTicks: UInt64

  package init(pid: Int32, startTicks: UInt64) {
    self.pid = pid
    self.startTicks = startTicks
  }

  /// The running process with this number; `nil` when there is none or it has ended, even as a zombie.
  package init?(running pid: Int32) {
    guard let fields = Self.fields(of: pid), let ticks = UInt64(String(decoding: fields[19], as: UTF8.self)),
      let state = fields[0].first, state != UInt8(ascii: "Z"), state != UInt8(ascii: "X")
    else { return nil }
    self.init(pid: pid, startTicks: ticks)
  }

  package static var current: ProcessIdentity? { ProcessIdentity(running: getpid()) }

  package var isRunning: Bool { ProcessIdentity(running: pid) == self }

  /// True when `swift test` started it and still runs.
  package var isChildOfSwiftTest: Bool {
    guard isRunning,
      let parent = Self.fields(of: pid).flatMap({ Int32(String(decoding: $0[1], as: UTF8.self)) })
    else {
      return false
    }
    return Self.isSwiftTest(parent)
  }

  /// True for a process of `swift test`: the link `swift-test` to `swift-package`, which the kernel names after the
  /// link.
  package static func isSwiftTest(_ pid: Int32) -> Bool {
    let name = readSystemFile("/proc/\(pid)/comm")
    return name == "swift-test\n" || name == "swift-package\n"
  }

  /// The fields of `/proc/PID/stat` from the third on; the second is a name in parentheses that may hold anything.
  ///
  /// They are bytes, because every test process reads its own, and characters would cost it 0.1 ms.
  private static func fields(of pid: Int32) -> [ArraySlice<UInt8>]? {
    guard let stat = readSystemBytes("/proc/\(pid)/stat"),
      let nameEnd = stat.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = stat[nameEnd...].split(separator: UInt8(ascii: " ")).dropFirst()
    return fields.count > 19 ? Array(fields) : nil
  }
}

/// The id of the machine's boot; `nil` when it cannot be read.
package var currentBoot: String? {
  readSystemFile("/proc/sys/kernel/random/boot_id").flatMap { text in
    let id = text.utf8.prefix { $0 != UInt8(ascii: "\n") }
    return id.isEmpty ? nil : String(Substring(id))
  }
}

/// Reads a small file of `/proc` or `/sys`, up to 4 KiB; `nil` when it cannot be read.
package func readSystemFile(_ path: String) -> String? {
  readSystemBytes(path).map { String(decoding: $0, as: UTF8.self) }
}

private func readSystemBytes(_ path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    return count < 0 ? nil : Array(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }
}
