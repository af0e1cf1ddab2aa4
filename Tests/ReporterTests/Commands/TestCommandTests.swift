import Collector
import Foundation
import Testing

@testable import Reporter

/// `reporter test` with a `swift` that is a script: what it is given, and what becomes of what it leaves.
@Suite struct TestCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "package/Package.swift")
  }

  /// Makes `swift` a script that has the paths it was given in `$xunit`, `$events` and `$attachments`.
  private func makeSwift(_ body: String) throws {
    let script = """
      #!/bin/sh
      if [ "$2" = list ]; then echo "$@" > "\(folder.path)/list-arguments"; exec cat "\(folder.path)/list"; fi
      echo "$@" > "\(folder.path)/arguments"
      env | sort > "\(folder.path)/environment"
      while [ $# -gt 0 ]; do
        case $1 in
          --xunit-output) xunit=$2;;
          --event-stream-output-path) events=$2;;
          --attachments-path) attachments=$2;;
        esac
        shift
      done
      \(body)
      """
    let path = try folder.write(script, to: "bin/swift")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func test(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandResult {
    try ReporterProcess.run(
      ["test", "--"] + arguments, in: folder.path + "/package", environment: environment,
      path: folder.path + "/bin")
  }

  private func leave(_ recording: String) -> String {
    """
    cp "\(Fixture.recording(recording))/events.jsonl" "$events"
    cp "\(Fixture.recording(recording))"/xunit*.xml "$(dirname "$xunit")"
    """
  }

  private var run: String {
    get throws {
      let runs = folder.path + "/package/test-artifacts/runs"
      return try "package/test-artifacts/runs/" + #require(
        FileManager.default.contentsOfDirectory(atPath: runs).first)
    }
  }

  /// A run that goes on in further invocations: whose a process's death is, its earlier logs tell.
  @Test func aRunWhoseLogsCannotBeListedIsNotGoneOnWith() throws {
    try makeSwift("touch \"\(folder.path)/has-run\"")
    _ = try test(environment: ["EXHIBIT_RUN": "night"])
    try FileManager.default.removeItem(atPath: folder.path + "/has-run")
    // The superuser may read any folder, so what cannot be listed is here no folder.
    try folder.write("", to: "package/test-artifacts/runs/night/logs")
    let result = try test(environment: ["EXHIBIT_RUN": "night"])
    #expect(result.status == 73)
    #expect(result.errors.contains("The run's folder cannot be made. Could not list"), "\(result.errors)")
    #expect(result.errors.contains("runs/night/logs"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/has-run"))
  }

  @Test func attachmentsInAFolderOfTheUsersComeIntoTheRun() throws {
    try folder.write("old", to: "package/mine/old.txt")
    try makeSwift(
      "mkdir -p \"$attachments\"; echo noted > \"$attachments/note.txt\"; ln -s /etc/hostname \"$attachments/link.txt\"\n"
        + """
        sed "s|\\\\/recorded\\\\/attachments|$attachments|g" "\(Fixture.recording("serial-rich"))/events.jsonl" > "$events"
        """)
    _ = try test("--attachments-path", "mine")
    let attachments = try folder.files.filter { $0.hasPrefix(try run + "/inputs/attachments/") }
    #expect(attachments.map { $0.split(separator: "/").last } == ["note.txt"])
    #expect(try folder.read("package/mine/note.txt") == "noted\n")
    #expect(folder.files.contains { $0.contains("report/evidence/") && $0.hasSuffix("/note.txt") })
  }

  @Test func whatTheReportNeedsIsAdded() throws {
    try makeSwift(leave("green") + "\n[ -d \"$attachments\" ] || exit 9")
    #expect(try test("--filter", "x y").status == 0)
    let arguments = try folder.read("arguments")
    #expect(arguments.hasPrefix("test --filter x y --xunit-output /"))
    #expect(arguments.contains("--event-stream-version 6.3"))
    #expect(!arguments.contains("--parallel"))
    let environment = try folder.read("environment")
    #expect(environment.contains("SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED=1\n"))
    #expect(environment.contains("EXHIBIT_ARTIFACTS=\(folder.path)/package/test-artifacts\n"))
    #expect(environment.contains("EXHIBIT_RUN=\(try run.split(separator: "/").last ?? "")\n"))
  }

  @Test func theRunIsKeptWithItsOutput() throws {
    try makeSwift(leave("green") + "\necho out; echo err >&2")
    let result = try test()
    #expect(result.output.hasPrefix("out\n"))
    #expect(result.errors == "err\n")
    let run = try run
    #expect(try Set(folder.read("\(run)/inputs/output.txt").split(separator: "\n")) == ["out", "err"])
    #expect(try folder.read("\(run)/inputs/inputs.json").contains("\"status\" : 0"))
    #expect(try folder.read("\(run)/run.json").contains("\"package\" : \"\(folder.path)/package\""))
    #expect(folder.files.contains("package/test-artifacts/report/report.json"))
  }

  @Test func theExitCodeIsThatOfSwiftTest() throws {
    try makeSwift(leave("parallel") + "\nexit 1")
    #expect(try test().status == 1)
    #expect(folder.files.contains("package/test-artifacts/report/report.json"))
  }

  @Test func aDegradedReportOfASuccessIs3() throws {
    try makeSwift("cp '\(Fixture.recording("crash-swift-testing"))/events.jsonl' \"$events\"")
    #expect(try test().status == 3)
  }

  @Test func noTestIs66() throws {
    try makeSwift("true")
    #expect(try test().status == 66)
    try makeSwift("exit 1")
    #expect(try test().status == 1)
  }

  /// Files of the report of the newest run, and of the earlier one that is kept beside it.
  private func report(_ file: String, earlier: Bool = false) throws -> String {
    try folder.read("package/test-artifacts/report\(earlier ? "-earlier" : "")/\(file)")
  }

  @Test(arguments: [("exit 1", 1), ("true", 66)])
  func aRunWithoutTestsTakesThePlaceOfAnEarlierReport(body: String, status: Int32) throws {
    try makeSwift(leave("green"))
    #expect(try test().status == 0)
    let green = try report("report.json")
    try makeSwift(body)
    for _ in 0..<2 {
      let result = try test()
      #expect(result.status == status)
      #expect(result.errors.contains("This run has no tests: swift test returned \(status == 1 ? 1 : 0)"))
      #expect(result.errors.contains("kept beside this one, in report-earlier") == true)
      #expect(result.output.contains("No test was read. The report is degraded."))
      #expect(try report("report.json").contains("\"degraded\":true"))
      for file in ["index.html", "summary.md"] {
        #expect(try report(file).contains("This run has no tests"), "\(file)")
        #expect(try report(file).contains("No test was read"), "\(file)")
      }
      #expect(try report("report.json", earlier: true) == green)
    }
    try makeSwift(leave("green"))
    #expect(try test().status == 0)
    #expect(try !report("index.html").contains("This run has no tests"))
  }

  @Test(arguments: [("exit 1", 1), ("true", 66)])
  func aRunWhoseFolderIsRemovedTakesThePlaceOfAnEarlierReport(end: String, status: Int32) throws {
    try makeSwift(leave("green"))
    #expect(try test().status == 0)
    let green = try report("report.json")
    try makeSwift("rm -rf test-artifacts/runs; \(end)")
    let result = try test()
    #expect(result.status == status)
    #expect(try report("summary.md").contains("This run has no tests"))
    #expect(try report("report.json", earlier: true) == green)
  }

  @Test func whatCannotBeKeptIsNamedAndTheRestReported() throws {
    try makeSwift("mkdir mine.xml; \(leave("green"))\nexit 139")
    let result = try test("--xunit-output", "mine.xml")
    #expect(result.status == 139)
    #expect(result.errors.contains("of swift test could not be kept"))
    #expect(try report("report.json").contains("could not be kept"))
    #expect(try report("report.json").contains("\"degraded\":true"))
  }

  @Test func anEarlierReportThatCannotBeReadIsKept() throws {
    try makeSwift(leave("green"))
    #expect(try test().status == 0)
    // As one without the right to be read, which root always has.
    let json = folder.path + "/package/test-artifacts/report/report.json"
    try FileManager.default.removeItem(atPath: json)
    try FileManager.default.createDirectory(atPath: json, withIntermediateDirectories: false)
    try makeSwift("exit 1")
    #expect(try test().status == 1)
    #expect(
      FileManager.default.fileExists(
        atPath: folder.path + "/package/test-artifacts/report-earlier/index.html"))
  }

  @Test func aRunWithoutTestsSaysSoWithoutAnEarlierReport() throws {
    try makeSwift("exit 1")
    #expect(try test().status == 1)
    #expect(try report("summary.md").contains("This run has no tests"))
    #expect(try !report("summary.md").contains("earlier"))
  }

  @Test func aSwiftThatCannotBeStartedTakesThePlaceOfAnEarlierReport() throws {
    try makeSwift(leave("green"))
    #expect(try test().status == 0)
    let green = try report("report.json")
    let result = try ReporterProcess.run(
      ["test"], in: folder.path + "/package", environment: ["PATH": "/nowhere"])
    #expect(result.status == 66)
    #expect(try report("summary.md").contains("This run has no tests. Cannot start swift"))
    #expect(try report("report.json", earlier: true) == green)
  }

  @Test func whatIsNoReportIsLeftWhereAnEarlierOneWouldBeKept() throws {
    try makeSwift(leave("green"))
    #expect(try test().status == 0)
    try folder.write("mine", to: "package/test-artifacts/report-earlier/notes.txt")
    try makeSwift("exit 1")
    #expect(try test().errors.contains("in report-earlier-2"))
    #expect(try report("notes.txt", earlier: true) == "mine")
    #expect(folder.files.contains("package/test-artifacts/report-earlier-2/index.html"))
  }

  @Test func aFailureThatNoTestShowsIsAFault() throws {
    try makeSwift(leave("green") + "\nexit 1")
    let result = try test()
    #expect(result.status == 1)
    #expect(result.errors.contains("swift test returned 1 although no test is known to have failed"))
  }

  @Test func aProcessThatDiedUnseenIsAFault() throws {
    try makeSwift(
      leave("green") + "\necho \"xerror: Process '/a.xctest' exited with unexpected signal code 11\"")
    let result = try test()
    #expect(result.status == 3)
    #expect(result.errors.contains("A test process was ended by signal 11"))
  }

  @Test func xctestsThatNothingRecordedAreAFault() throws {
    try makeSwift(
      "cp '\(Fixture.recording("green-serial"))/events.jsonl' \"$events\"\n"
        + "cat '\(Fixture.recording("green-serial"))/output.txt'")
    let result = try test()
    #expect(result.status == 3)
    #expect(result.errors.contains("3 XCTests ran and nothing recorded them"))
    #expect(result.errors.contains("Package@swift-6.swift"))
  }

  @Test func filesThatTheUserAskedForAreReadAndLeftAlone() throws {
    try makeSwift("cp '\(Fixture.recording("green"))/xunit.xml' \"$xunit\"")
    #expect(try test("--xunit-output", "mine.xml").status == 0)
    #expect(try folder.read("arguments").hasPrefix("test --xunit-output mine.xml --event-stream"))
    #expect(try folder.read("package/mine.xml") == folder.read("\(try run)/inputs/xunit.xml"))
  }

  @Test func aFileOfAnEarlierRunIsNotThisOnes() throws {
    try makeSwift("true")
    try folder.write("<testsuite><testcase classname='M.S' name='old'/></testsuite>", to: "package/mine.xml")
    #expect(try test("--xunit-output=mine.xml").status == 66)
  }

  @Test func severalInvocationsOfOneNamedRunAreReadTogether() throws {
    try makeSwift(leave("green"))
    #expect(try test(environment: ["EXHIBIT_RUN": "job 7"]).status == 0)
    try makeSwift(leave("time-limit") + "\nexit 1")
    let result = try test(environment: ["EXHIBIT_RUN": "job 7"])
    #expect(result.output.contains("13 tests"))
    #expect(!result.errors.contains("missing"))
  }

  @Test func aSignalIsPassedOnAndStillReported() async throws {
    try makeSwift(leave("time-limit") + "\necho started; sleep 600")
    let started = try ReporterProcess.start(
      ["test"], in: folder.path + "/package", path: folder.path + "/bin")
    while try !started.output.contains("started") {
      try await Task.sleep(for: .milliseconds(20))
    }
    started.process.interrupt()
    let result = try started.wait()
    #expect(result.status == 130)
    #expect(result.output.contains("2 tests: 1 failed, 1 passed."))
    #expect(try folder.read("\(try run)/inputs/inputs.json").contains("\"signal\" : 2"))
  }

  @Test func whatSwiftTestLeavesRunningIsNotWaitedFor() async throws {
    let sleeper = folder.path + "/sleeper"
    try makeSwift(leave("green") + "\nsleep 300 &\necho $! > '\(sleeper)'")
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
    try makeSwift(leave("time-limit") + "\nexit 1")
    let result = try test("-c", "release", "--parallel")
    #expect(result.status == 1)
    // XCTests are not named: nothing recorded any of them.
    #expect(
      result.errors.contains(
        "1 test of the package did not run, or nothing recorded them: SwiftTestingCases.lost(of:)."))
    #expect(try folder.read("list-arguments") == "test list --skip-build -c release\n")
  }

  @Test func aSelectionOfTestsIsNotHeldAgainstTheList() throws {
    try folder.write("SwiftTestingCases.lost(of:)\n", to: "list")
    try makeSwift(leave("time-limit") + "\nexit 1")
    #expect(try test("--filter=slow").status == 1)
    #expect(!folder.files.contains("list-arguments"))
  }

  @Test func longOutputKeepsItsBeginningAndItsEnd() {
    var output = BoundedOutput(limit: 10)
    for number in 0..<10 { output.append(Array("\(number)\(number)".utf8)) }
    #expect(String(decoding: output.bytes, as: UTF8.self) == "00112\n[10 bytes left out]\n78899")
  }
}
