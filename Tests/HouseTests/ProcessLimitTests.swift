import Foundation
import Testing

/// A program that a test runs ends some time, with all that it started.
@Suite struct ProcessLimitTests {
  @Test func whatTakesTooLongIsEndedWithAllThatItStarted() throws {
    let folder = try TemporaryFolder()
    // One in a group of its own, as SwiftPM starts tests, one whose parent has ended, and one that is waited for.
    let script = """
      echo begun
      setsid sh -c 'echo $$ > group; sleep 600; echo after' &
      sh -c 'sleep 600 & echo $! > orphan'
      sleep 600
      """
    let error = #expect(throws: Command.Overdue.self) {
      try Command(["sh", "-c", script], in: folder.path, limit: 1).run()
    }
    #expect(error?.output == "begun\n")
    #expect(error?.processes.filter { $0.hasSuffix(": sleep 600") }.count == 3)
    for name in ["group", "orphan"] {
      let id = try folder.read(name).trimmingCharacters(in: .whitespacesAndNewlines)
      let state = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
      #expect(state == nil || state?.contains(") Z ") == true, "\(name)")
    }
  }

  @Test func whatPrintsNothingIsEndedEarlierWhereThatIsAsked() throws {
    var silent = Command(["sleep", "600"])
    silent.silence = 1
    #expect(throws: Command.Overdue.self) { try silent.run() }
    var speaking = Command(["sh", "-c", "echo begun; sleep 3"])
    speaking.silence = 1
    #expect(try speaking.run().output == "begun\n")
    speaking = Command(["sh", "-c", "echo begun >&2; sleep 3"], separatesErrors: true)
    speaking.silence = 1
    #expect(try speaking.run().errors == "begun\n")
  }

  @Test func whatEndsInTimeIsLeftAlone() throws {
    let result = try Command(["sh", "-c", "sleep 0.2; exit 3"], limit: 30).run()
    #expect(result.status == 3)
  }
}
