/// The first line of a log.
package struct ProcessHeader: LogPayload {
  package static let kind = "process"

  package var format: String
  package var pid: Int32
  /// Clock ticks after boot (field 22 of `/proc/PID/stat`).
  package var startTicks: UInt64
  package var executable: String
  package var boot: String?
  package var frameworks: [TestFramework]

  package init(
    format: String = ArtifactsFormat.current, pid: Int32, startTicks: UInt64, executable: String,
    boot: String? = nil, frameworks: [TestFramework] = []
  ) {
    self.format = format
    self.boot = boot
    self.frameworks = frameworks
    self.pid = pid
    self.startTicks = startTicks
    self.executable = executable
  }

  private enum CodingKeys: String, CodingKey {
    case format, pid, startTicks, executable, boot, frameworks
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    format = try container.decode(String.self, forKey: .format)
    try ArtifactsFormat.check(format)
    pid = try container.decode(Int32.self, forKey: .pid)
    startTicks = try container.decode(UInt64.self, forKey: .startTicks)
    executable = try container.decode(String.self, forKey: .executable)
    boot = try container.decodeIfPresent(String.self, forKey: .boot)
    frameworks = try container.decode([TestFramework].self, forKey: .frameworks)
  }

  package func write(to text: inout JSONText) {
    text.member("format", format)
    text.member("pid", pid)
    text.member("startTicks", startTicks)
    text.member("executable", executable)
    text.member("boot", boot)
    text.array("frameworks", frameworks) { $0.element($1.rawValue) }
  }
}
