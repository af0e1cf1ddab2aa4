/// The first line of a log, with its process and its format.
package struct ProcessHeader: LogPayload {
  package static let kind = "process"

  /// The artifacts format, `major.minor`.
  package var format: String
  package var pid: Int32
  /// Clock ticks after boot at which the process started (field 22 of `/proc/PID/stat`).
  package var startTicks: UInt64
  /// The file name of the test executable.
  package var executable: String
  /// The machine's boot id, which identifies its processes and files.
  package var boot: String?
  /// The frameworks whose tests are all in the log; `nil` before format 1.2.
  package var frameworks: [TestFramework]?

  package init(
    format: String = ArtifactsFormat.current, pid: Int32, startTicks: UInt64, executable: String,
    boot: String? = nil, frameworks: [TestFramework]? = nil
  ) {
    self.format = format
    self.boot = boot
    self.frameworks = frameworks
    self.pid = pid
    self.startTicks = startTicks
    self.executable = executable
  }

  package func write(to text: inout JSONText) {
    text.member("format", format)
    text.member("pid", pid)
    text.member("startTicks", startTicks)
    text.member("executable", executable)
    text.member("boot", boot)
    guard let frameworks else { return }
    text.array("frameworks", frameworks) { $0.element($1.rawValue) }
  }
}
