import Collector
import Foundation
import Testing

@testable import ReportTestSupport

@Suite struct ReportCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes an artifacts folder with one run: a failed test with evidence, a passed one, and a dropped capture.
  private func writeRun(named name: String = "first", start: Double = 100, isEnded: Bool = true) throws {
    let test = TestCaseID.store("testFail")
    var log = try WrittenLog()
    try log.start(test)
    try log.fail(test, "not equal")
    try log.add(
      test,
      CapturedEvidence(kind: .text, name: "notes", path: "evidence/M.Store.testFail/notes.txt", bytes: 4))
    try log.finish(test, .failed)
    try log.start(.store("testPass"))
    try log.add(
      .store("testPass"),
      CapturedEvidence(kind: .text, name: "gone", path: "evidence/M.Store.testPass/gone.txt", bytes: 4))
    try log.finish(.store("testPass"), .passed)
    if isEnded { try log.end() }
    let manifest = RunManifest(run: name, start: start, package: "/package", commit: "abc")
    try folder.write(log.bytes, to: "test-artifacts/runs/\(name)/logs/7-70.jsonl")
    try folder.write(try JSONEncoder().encode(manifest), to: "test-artifacts/runs/\(name)/run.json")
    try folder.write("text", to: "test-artifacts/runs/\(name)/evidence/M.Store.testFail/notes.txt")
  }

  private func report(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(["report"] + arguments, in: folder.path)
  }

  private func json() throws -> [String: Any] {
    let text = try folder.read("test-artifacts/report/report.json")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func aRunBecomesAReportThatIsCompleteInItself() throws {
    try writeRun()
    let result = try report()
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.contains("2 tests: 1 failed, 1 passed."))
    #expect(result.output.contains("test-artifacts/report/index.html"))
    let tests = try #require(try json()["tests"] as? [[String: Any]])
    #expect(tests.map { $0["outcome"] as? String } == ["failed", "passed"])
    #expect(
      Set(folder.files).isSuperset(of: ["index.html", "summary.md"].map { "test-artifacts/report/\($0)" }))
    #expect(tests[0]["file"] as? String == "Tests/A.swift")
    #expect((tests[1]["evidence"] as? [Any])?.isEmpty == true)
    try FileManager.default.removeItem(atPath: folder.path + "/test-artifacts/runs")
    #expect(try folder.read("test-artifacts/report/evidence/M.Store.testFail/notes.txt") == "text")
  }

  @Test func aDegradedReportSaysSoInItsExitCode() throws {
    try writeRun(isEnded: false)
    let result = try report()
    #expect(result.status == 3)
    #expect(result.errors.contains("The log stops before its end"))
    #expect(try json()["degraded"] as? Bool == true)
  }

  @Test func nothingToReadIsAnErrorThatSaysWhatToDo() throws {
    let result = try report()
    #expect(result.status == 66)
    #expect(result.errors.contains("There is nothing at test-artifacts"))
    #expect(result.errors.contains("swift test"))
  }

  @Test func noTestIsNoReport() throws {
    try folder.write("<testsuites></testsuites>", to: "x.xml")
    #expect(try report("x.xml").status == 66)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/test-artifacts"))
  }

  @Test func inputsWithoutTestsTakeThePlaceOfAnEarlierReportAndAWrongNameDoesNot() throws {
    try writeRun()
    #expect(try report().status == 0)
    let earlier = try folder.read("test-artifacts/report/report.json")
    let missing = try report("missing.xml")
    #expect(missing.status == 66)
    #expect(
      missing.errors.contains("The report in test-artifacts/report is an earlier one."), "\(missing.errors)")
    #expect(try folder.read("test-artifacts/report/report.json") == earlier)
    try folder.write("<testsuites></testsuites>", to: "x.xml")
    #expect(try report("x.xml").status == 66)
    #expect(try folder.read("test-artifacts/report/summary.md").contains("x.xml"))
    #expect(try folder.read("test-artifacts/report-earlier/report.json") == earlier)
    #expect(try report("--run", "other").status == 66)
    #expect(try report().status == 0)
    #expect(try report("--run", "other").status == 66)
    #expect(try folder.read("test-artifacts/report/report.json") == earlier)
  }

  /// An earlier report that cannot be removed, and what a process left that died: neither stops another report.
  @Test func whatCannotBeRemovedIsNamedAndStopsNoReport() throws {
    try writeRun()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    try makeReadable()
    #expect(try reportAsNobody().status == 0)
    try lock("report/evidence/locked")
    try lock("report.old-1999999999/locked")
    for _ in 0..<3 {
      let result = try reportAsNobody()
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("An older report is left over"))
      #expect(result.errors.contains("report.old-1999999999/locked/file"))
      #expect(!result.errors.contains("unchanged"))
      #expect(!folder.files.contains { $0.hasPrefix("test-artifacts/report/evidence/locked") })
    }
  }

  private func makeReadable() throws {
    for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: folder.path)) {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: folder.path + "/" + name)
    }
  }

  /// Makes a folder with a file in the artifacts folder that only root can remove, or who changes its mode.
  private func lock(_ name: String) throws {
    let path = folder.path + "/test-artifacts/" + name
    try folder.write("", to: "test-artifacts/\(name)/file")
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !name.hasPrefix("report/") {
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: parent)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
  }

  /// Root can remove everything.
  private func reportAsNobody() throws -> CommandResult {
    guard getuid() == 0 else { return try report() }
    let asNobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let reporter = try ReporterProcess.executable
    return try ReporterProcess.command(asNobody + [reporter, "report"], in: folder.path).run()
  }

  @Test func anUnknownFileIsNamed() throws {
    try folder.write("hello", to: "x.txt")
    let result = try report("x.txt")
    #expect(result.status == 66)
    #expect(result.errors.contains("x.txt is no artifacts folder"))
  }

  @Test func theConsoleIsReadFromAPipe() throws {
    let console = Fixture.recording("serial") + "/output.txt"
    let script = "cat '\(console)' | '\(try ReporterProcess.executable)' report - --fail-on failed"
    let result = try ReporterProcess.command(["/bin/sh", "-c", script], in: folder.path).run()
    #expect(result.status == 1, "\(result.errors)")
    let document = try ReportJSON(in: folder.path + "/test-artifacts/report")
    #expect(document.outcome(of: "OrderTests/testFail") == "failed")
    #expect(document.outcome(of: "freePass()") == "passed")
  }

  @Test func aTemplateThatReplacesNothingIsAUsageError() throws {
    try writeRun()
    try folder.write("text", to: "mine/nothing.mustache")
    let result = try report("--templates", "mine")
    #expect(result.status == 64)
    #expect(result.errors.contains("nothing.mustache"))
    #expect(!folder.files.contains { $0.hasPrefix("test-artifacts/report") })
  }

  @Test func anUnknownOptionIsAUsageError() throws {
    #expect(try report("--colour").status == 64)
  }

  @Test func theNewestRunIsRead() throws {
    try writeRun(named: "a-new", start: 200)
    try writeRun(named: "b-old", start: 100, isEnded: false)
    #expect(try report().status == 0)
    #expect(try report("--run", "b-old").status == 3)
    let result = try report("--run", "c")
    #expect(result.status == 66)
    #expect(result.errors.contains("a-new, b-old"))
  }

  @Test func attemptsInSeveralRunsStandSideBySide() throws {
    try writeRun(named: "b-first", start: 100)
    var log = try WrittenLog()
    try log.start(.store("testFail"))
    try log.finish(.store("testFail"), .passed)
    try log.end()
    try folder.write(log.bytes, to: "test-artifacts/runs/a-second/logs/8-80.jsonl")
    try folder.write(
      try JSONEncoder().encode(RunManifest(run: "a-second", start: 200, package: "/package")),
      to: "test-artifacts/runs/a-second/run.json")
    let result = try report("--all-runs")
    #expect(result.status == 0)
    #expect(result.output.contains("2 tests: 2 passed, 1 of them flaky."))
    let tests = try #require(try json()["tests"] as? [[String: Any]])
    #expect(tests.map { $0["flaky"] as? Bool } == [true, false])
    let attempts = try #require(tests[0]["attempts"] as? [[String: Any]])
    #expect(attempts.map { $0["run"] as? String } == ["b-first"])
    #expect(attempts.map { $0["outcome"] as? String } == ["failed"])
    // The evidence is that of the attempt that failed.
    #expect((tests[0]["evidence"] as? [Any])?.count == 1)
  }

  @Test func evidenceOfSeveralRunsIsToldApart() throws {
    try writeRun(named: "a-first", start: 100)
    try writeRun(named: "b-second", start: 200)
    #expect(try report("--all-runs").status == 0)
    let tests = try #require(try json()["tests"] as? [[String: Any]])
    let evidence = try #require(tests[0]["evidence"] as? [[String: Any]])
    #expect(evidence.map { $0["name"] as? String } == ["notes", "notes"])
    #expect(evidence.map { $0["run"] as? String } == ["b-second", "a-first"])
    let page = try #require(folder.files.first { $0.hasPrefix("test-artifacts/report/tests/") })
    for file in ["test-artifacts/report/index.html", page] {
      let headers = try folder.read(file).matches(
        of: /<article class="evidence"[^>]*>\s*<header>(.*?)<\/header>/.dotMatchesNewlines())
      let texts = headers.map { match in
        match.1.replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      #expect(texts == ["Text notes run b-second", "Text notes run a-first"])
    }
    let attempts = try folder.read(page).matches(of: /Run <bdi>(.*?)<\/bdi>/).map { String($0.1) }
    #expect(attempts == ["a-first", "b-second"])
    #expect(try folder.read("test-artifacts/report/summary.md").contains("- Text `notes` of run `a-first`"))
    #expect(try report().status == 0)
    #expect(try !folder.read("test-artifacts/report/index.html").contains("run a-first"))
  }

  @Test func oneRunAndAllRunsExcludeEachOther() throws {
    try writeRun()
    #expect(try report("--all-runs", "--run", "first").status == 64)
  }

  @Test func aDamagedManifestIsAFaultAndTheRunIsRead() throws {
    try writeRun()
    try folder.write("{", to: "test-artifacts/runs/first/run.json")
    let result = try report()
    #expect(result.status == 3)
    #expect(result.errors.contains("run.json cannot be read"))
    #expect(result.output.contains("2 tests"))
  }

  @Test func oneBadInputAmongGoodOnesIsAFault() throws {
    try writeRun()
    let result = try report("test-artifacts", "missing.xml")
    #expect(result.status == 3)
    #expect(result.errors.contains("missing.xml"))
  }

  @Test func aFolderThatIsNoReportIsLeftAlone() throws {
    try writeRun()
    try folder.write("mine", to: "documents/letter.txt")
    let result = try report("--output", "documents")
    #expect(result.status == 73)
    #expect(try folder.read("documents/letter.txt") == "mine")
  }

  @Test func aReportThatCannotBeWrittenLeavesTheEarlierOne() throws {
    try writeRun()
    #expect(try report().status == 0)
    let before = try folder.read("test-artifacts/report/report.json")
    // A file stands where the folder to build in would be made.
    let result = try ReporterProcess.run(
      ["report", "test-artifacts", "--output", "test-artifacts/report/report.json/inside"], in: folder.path)
    #expect(result.status == 73)
    #expect(try folder.read("test-artifacts/report/report.json") == before)
  }

  @Test func aReportReplacesTheEarlierOneWhole() throws {
    try writeRun()
    #expect(try report().status == 0)
    try folder.write("old", to: "test-artifacts/report/tests/old.html")
    #expect(try report().status == 0)
    #expect(!folder.files.contains("test-artifacts/report/tests/old.html"))
    let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/test-artifacts")
    #expect(beside.sorted() == ["report", "runs"])
  }

  @Test func whatAKilledReporterLeftIsRemovedByTheNext() throws {
    try writeRun()
    let dead = try ReporterProcess.start(["--version"], in: folder.path)
    _ = try dead.wait()
    let left = "test-artifacts/report.new-\(dead.process.processIdentifier)/report.json"
    let alive = "test-artifacts/report.new-\(getpid())/report.json"
    let mine = "test-artifacts/report.new-mine/letter.txt"
    for file in [left, alive, mine] { try folder.write("{}", to: file) }
    #expect(try report().status == 0)
    #expect(!folder.files.contains(left))
    #expect(Set(folder.files).isSuperset(of: [alive, mine]))
  }

  @Test(arguments: ["parallel", "serial-rich", "crash-swift-testing"])
  func theSameInputsGiveTheSameBytesInEveryProcess(recording: String) throws {
    for name in ["one", "two"] {
      _ = try ReporterProcess.run(
        ["report", Fixture.recording(recording), "--output", name, "--nonce", "fixed"], in: folder.path)
    }
    let files = folder.files.filter { $0.hasPrefix("one/") }.map { String($0.dropFirst(4)) }
    #expect(Set(files).isSuperset(of: ["index.html", "summary.md", "report.json", "junit.xml"]))
    for file in files {
      let contents = ["one", "two"].map {
        FileManager.default.contents(atPath: "\(folder.path)/\($0)/\(file)")
      }
      #expect(contents[0] != nil && contents[0] == contents[1], "\(file)")
    }
  }
}
