package import ExhibitSystem
import Glibc

/// Identifies a run: processes with the same `swift test` as their parent.
package struct RunIdentity: Sendable, Equatable {
  package var key: String
  /// Seconds since 1970.
  package var start: Double
  /// `swift test`, or this process when something else started it.
  package var owner: ProcessIdentity?
  /// True for a `key` from `$EXHIBIT_RUN`, which is the whole name.
  package var isNamed: Bool

  package init(key: String, start: Double, owner: ProcessIdentity? = nil, isNamed: Bool = false) {
    self.key = key
    self.start = start
    self.owner = owner
    self.isNamed = isNamed
  }

  package static func current(name: String?) -> RunIdentity {
    let parent = getppid()
    let ownerID = ProcessIdentity.isSwiftTest(parent) ? parent : getpid()
    let owner = ProcessIdentity(running: ownerID)
    let start = owner.map(startTime) ?? currentTime()
    if let name, !name.isEmpty {
      return RunIdentity(key: SafeName(name).description, start: start, owner: owner, isNamed: true)
    }
    let boot = readSystemFile("/proc/sys/kernel/random/boot_id") ?? ""
    let text = "\(boot) \(ownerID) \(owner?.startTicks ?? 0)"
    return RunIdentity(
      key: String(StableHash(text).hexadecimal.prefix(8)), start: start, owner: owner)
  }

  package var folderName: String {
    isNamed ? key : "\(Self.timestamp(start))-\(key)"
  }

  package func matches(folderName: String) -> Bool {
    isNamed ? folderName == key : folderName.hasSuffix("-" + key)
  }

  private static func startTime(_ process: ProcessIdentity) -> Double {
    var boot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    let sinceBoot = Double(boot.tv_sec) + Double(boot.tv_nsec) / 1e9
    return currentTime() - sinceBoot + Double(process.startTicks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  static func timestamp(_ time: Double) -> String {
    var seconds = time_t(time)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let date =
      [(parts.tm_year + 1900).padded(to: 4)] + [parts.tm_mon + 1, parts.tm_mday].map { $0.padded(to: 2) }
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.padded(to: 2) }
    return date.joined() + "-" + time.joined()
  }
}

/// Seconds since 1970, to the microsecond.
package func currentTime() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return (Double(now.tv_sec) * 1e6 + Double(now.tv_nsec / 1000)) / 1e6
}
