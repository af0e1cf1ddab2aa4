import Collector
import Foundation
import Testing

@testable import ReportTestSupport

/// `reporter test` with a `swift` that is a script: what it is given, and what becomes of what it leaves.
@Suite struct TestCommandTests {
  private let package: ScriptedPackage
  private var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try ScriptedPackage()
  }

  /// A run that goes on in further invocations: whose a process's death is, its earlier logs tell.
  @Test func aRunWhoseLogsCannotBeListedIsNotGoneOnWith() throws {
    try package.makeSwift("touch \"\(folder.path)/has-run\"")
    _ = try package.test(environment: ["EXHIBIT_RUN": "night"])
    try FileManager.default.removeItem(atPath: folder.path + "/has-run")
    // The superuser may read any folder, so what cannot be listed is here no folder.
    try folder.write("", to: "package/test-artifacts/runs/night/logs")
    let result = try package.test(environment: ["EXHIBIT_RUN": "night"])
    #expect(result.status == 73)
    #expect(result.errors.contains("The run's folder cannot be made. Could not list"), "\(result.errors)")
    #expect(result.errors.contains("runs/night/logs"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/has-run"))
  }

  @Test func attachmentsInAFolderOfTheUsersComeIntoTheRun() throws {
    try folder.write("old", to: "package/mine/old.txt")
    try package.makeSwift(
      "mkdir -p \"$attachments\"; echo noted > \"$attachments/note.txt\"; ln -s /etc/hostname \"$attachments/link.txt\"\n"
        + """
        sed "s|\\\\/recorded\\\\/attachments|$attachments|g" "\(Fixture.recording("serial-rich"))/events.jsonl" > "$events"
        """)
    _ = try package.test("--attachments-path", "mine")
    let attachments = try folder.files.filter { $0.hasPrefix(try package.run + "/inputs/attachments/") }
    #expect(attachments.map { $0.split(separator: "/").last } == ["note.txt"])
    #expect(try folder.read("package/mine/note.txt") == "noted\n")
    #expect(folder.files.contains { $0.contains("report/evidence/") && $0.hasSuffix("/note.txt") })
  }

  @Test func whatTheReportNeedsIsAdded() throws {
    try package.makeSwift(package.leave("green") + "\n[ -d \"$attachments\" ] || exit 9")
    #expect(try package.test("--filter", "x y").status == 0)
    let arguments = try folder.read("arguments")
    #expect(arguments.hasPrefix("test --filter x y --xunit-output /"))
    #expect(arguments.contains("--event-stream-version 6.3"))
    #expect(!arguments.contains("--parallel"))
    let environment = try folder.read("environment")
    #expect(environment.contains("SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED=1\n"))
    #expect(environment.contains("EXHIBIT_ARTIFACTS=\(folder.path)/package/test-artifacts\n"))
    #expect(environment.contains("EXHIBIT_RUN=\(try package.run.split(separator: "/").last ?? "")\n"))
  }

  @Test func theRunIsKeptWithItsOutput() throws {
    try package.makeSwift(package.leave("green") + "\necho out; echo err >&2")
    let result = try package.test()
    #expect(result.output.hasPrefix("out\n"))
    #expect(result.errors == "err\n")
    let run = try package.run
    #expect(try Set(folder.read("\(run)/inputs/output.txt").split(separator: "\n")) == ["out", "err"])
    #expect(try folder.read("\(run)/inputs/inputs.json").contains("\"status\" : 0"))
    #expect(try folder.read("\(run)/run.json").contains("\"package\" : \"\(folder.path)/package\""))
    #expect(folder.files.contains("package/test-artifacts/report/report.json"))
  }

  @Test func theExitCodeIsThatOfSwiftTest() throws {
    try package.makeSwift(package.leave("parallel") + "\nexit 1")
    #expect(try package.test().status == 1)
    #expect(folder.files.contains("package/test-artifacts/report/report.json"))
  }

  @Test func aDegradedReportOfASuccessIs3() throws {
    try package.makeSwift("cp '\(Fixture.recording("crash-swift-testing"))/events.jsonl' \"$events\"")
    #expect(try package.test().status == 3)
  }

  @Test func whatCannotBeKeptIsNamedAndTheRestReported() throws {
    try package.makeSwift("mkdir mine.xml; \(package.leave("green"))\nexit 139")
    let result = try package.test("--xunit-output", "mine.xml")
    #expect(result.status == 139)
    #expect(result.errors.contains("of swift test could not be kept"))
    #expect(try package.report("report.json").contains("could not be kept"))
    #expect(try package.report("report.json").contains("\"degraded\":true"))
  }

  @Test func aFailureThatNoTestShowsIsAFault() throws {
    try package.makeSwift(package.leave("green") + "\nexit 1")
    let result = try package.test()
    #expect(result.status == 1)
    #expect(result.errors.contains("swift test returned 1 although no test is known to have failed"))
  }

  @Test func aProcessThatDiedUnseenIsAFault() throws {
    try package.makeSwift(
      package.leave("green") + "\necho \"xerror: Process '/a.xctest' exited with unexpected signal code 11\"")
    let result = try package.test()
    #expect(result.status == 3)
    #expect(result.errors.contains("A test process was ended by signal 11"))
  }

  @Test func xctestsThatNothingRecordedAreAFault() throws {
    try package.makeSwift(
      "cp '\(Fixture.recording("green-serial"))/events.jsonl' \"$events\"\n"
        + "cat '\(Fixture.recording("green-serial"))/output.txt'")
    let result = try package.test()
    #expect(result.status == 3)
    #expect(result.errors.contains("3 XCTests ran and nothing recorded them"))
    #expect(result.errors.contains("Package@swift-6.swift"))
  }

  @Test func filesThatTheUserAskedForAreReadAndLeftAlone() throws {
    try package.makeSwift("cp '\(Fixture.recording("green"))/xunit.xml' \"$xunit\"")
    #expect(try package.test("--xunit-output", "mine.xml").status == 0)
    #expect(try folder.read("arguments").hasPrefix("test --xunit-output mine.xml --event-stream"))
    #expect(try folder.read("package/mine.xml") == folder.read("\(try package.run)/inputs/xunit.xml"))
  }

  @Test func aFileOfAnEarlierRunIsNotThisOnes() throws {
    try package.makeSwift("true")
    try folder.write("<testsuite><testcase classname='M.S' name='old'/></testsuite>", to: "package/mine.xml")
    #expect(try package.test("--xunit-output=mine.xml").status == 66)
  }

  @Test func severalInvocationsOfOneNamedRunAreReadTogether() throws {
    try package.makeSwift(package.leave("green"))
    #expect(try package.test(environment: ["EXHIBIT_RUN": "job 7"]).status == 0)
    try package.makeSwift(package.leave("time-limit") + "\nexit 1")
    let result = try package.test(environment: ["EXHIBIT_RUN": "job 7"])
    #expect(result.output.contains("13 tests"))
    #expect(!result.errors.contains("missing"))
  }

  @Test func aSignalIsPassedOnAndStillReported() throws {
    try package.makeSwift(package.leave("time-limit") + "\necho started; exec sleep 7200")
    let started = try ReporterProcess.start(
      ["test"], in: folder.path + "/package", path: folder.path + "/bin")
    while try !started.output.contains("started") {
      // Asleep, it does not wait for other tests to leave it a thread.
      usleep(20_000)
    }
    started.process.interrupt()
    let result = try started.wait()
    #expect(result.status == 130)
    #expect(result.output.contains("2 tests: 1 failed, 1 passed."))
    #expect(try folder.read("\(try package.run)/inputs/inputs.json").contains("\"signal\" : 2"))
  }

  @Test func whatSwiftTestLeavesRunningIsNotWaitedFor() async throws {
    let sleeper = folder.path + "/sleeper"
    try package.makeSwift(package.leave("green") + "\nsleep 3000 &\necho $! > '\(sleeper)'")
    // Foundation's `Process` would wait for the sleeping one too.
    let started = try ReporterProcess.start(
      ["test"], in: folder.path + "/package", path: folder.path + "/bin")
    while try !started.output.contains("Report: ") {
      try await Task.sleep(for: .milliseconds(20))
    }
    let text = try String(contentsOfFile: sleeper, encoding: .utf8)
    let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(pid, SIGTERM) == 0, "it still ran when the report was there")
  }

  @Test func testsThatACrashKeptFromRunningAreNamed() throws {
    try folder.write(
      "noise [1/2]\nSwiftTestingCases.freePass()\nSwiftTestingCases.lost(of:)\nXCTestCases.A/testUnseen\n",
      to: "list")
    try package.makeSwift(package.leave("time-limit") + "\nexit 1")
    let result = try package.test("-c", "release", "--parallel")
    #expect(result.status == 1)
    // XCTests are not named: nothing recorded any of them.
    #expect(
      result.errors.contains(
        "1 test of the package did not run, or nothing recorded them: SwiftTestingCases.lost(of:)."))
    #expect(try folder.read("list-arguments") == "test list --skip-build -c release\n")
  }

  @Test func aSelectionOfTestsIsNotHeldAgainstTheList() throws {
    try folder.write("SwiftTestingCases.lost(of:)\n", to: "list")
    try package.makeSwift(package.leave("time-limit") + "\nexit 1")
    #expect(try package.test("--filter=slow").status == 1)
    #expect(!folder.files.contains("list-arguments"))
  }
}
