import ExhibitSystem
import Glibc
import Testing

@testable import ReportModel

/// Programs that `reporter` runs, and what is kept of what they write.
@Suite struct ChildProcessTests {
  private func output(of child: ChildProcess, until deadline: ContinuousClock.Instant? = nil) -> String {
    var relay = OutputRelay(keeping: 1 << 20, isSilent: true)
    return String(decoding: relay.relay(child, until: deadline).bytes, as: UTF8.self)
  }

  @Test func aFileIsItsStandardInput() throws {
    let folder = try TemporaryFolder()
    let file = try InputFile(path: folder.write("one\ntwo\n", to: "input"))
    let child = try ChildProcess("cat", [], environment: [:], input: file.descriptor)
    #expect(output(of: child) == "one\ntwo\n")
    #expect(child.reap() == .exited(0))
  }

  @Test func errorsAreNoOutput() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"], environment: [:])
    #expect(output(of: child) == "out\n")
    #expect(child.reap() == .exited(3))
  }

  @Test func whoDoesNotEndByTheDeadlineIsKilled() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "echo out; sleep 1000"], environment: [:])
    #expect(output(of: child, until: .now + .milliseconds(200)) == "out\n")
    #expect(child.reap() == .signalled(SIGKILL))
  }

  @Test func aProgramThatIsNotThereIsSaid() {
    #expect(throws: ChildProcess.StartingError.self) {
      try ChildProcess("/none/such", [], environment: [:])
    }
  }

  @Test func longOutputKeepsItsBeginningAndItsEnd() {
    var output = BoundedOutput(limit: 10)
    for number in 0..<5 { output.append(Array("\(number)\(number)".utf8)) }
    #expect(output.isWhole)
    for number in 5..<10 { output.append(Array("\(number)\(number)".utf8)) }
    #expect(!output.isWhole)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "00112\n[10 bytes left out]\n78899")
  }
}
