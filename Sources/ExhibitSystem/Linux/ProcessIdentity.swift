import Glibc

/// A process of this machine: its number, which the kernel reuses, and its start.
package struct ProcessIdentity: Hashable, Sendable, Codable {
  package var pid: Int32
  /// Clock ticks after boot.
  package var startTicks: UInt64

  package init(pid: Int32, startTicks: UInt64) {
    self.pid = pid
    self.startTicks = startTicks
  }

  /// `nil` when no process with this number runs; a zombie has ended.
  package init?(running pid: Int32) {
    guard let fields = Self.fields(of: pid), let ticks = UInt64(String(decoding: fields[19], as: UTF8.self)),
      let state = fields[0].first, state != UInt8(ascii: "Z"), state != UInt8(ascii: "X")
    else { return nil }
    self.init(pid: pid, startTicks: ticks)
  }

  package static var current: ProcessIdentity? { ProcessIdentity(running: getpid()) }

  package var isRunning: Bool { ProcessIdentity(running: pid) == self }

  /// True while it runs as a child of `swift test`.
  package var isChildOfSwiftTest: Bool {
    guard isRunning,
      let parent = Self.fields(of: pid).flatMap({ Int32(String(decoding: $0[1], as: UTF8.self)) })
    else {
      return false
    }
    return Self.isSwiftTest(parent)
  }

  /// True for `swift test`: the kernel names it after the link `swift-test` or its target `swift-package`.
  package static func isSwiftTest(_ pid: Int32) -> Bool {
    let name = readSystemFile("/proc/\(pid)/comm")
    return name == "swift-test\n" || name == "swift-package\n"
  }

  /// The fields of `/proc/PID/stat` from the third on; the second is a name with any characters.
  ///
  /// Bytes, because every test process reads its own; characters would cost 0.1 ms.
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

/// Reads up to 4 KiB; `nil` when that fails.
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
