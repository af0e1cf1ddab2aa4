import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// What becomes of input that is missing, damaged or hostile.
@Suite struct BadInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func report(_ arguments: String...) throws -> CommandResult {
    try ReporterProcess.run(["report", "--output", "out"] + arguments, in: folder.path)
  }

  /// `reporter` that may take 200 MB of memory and 20 seconds of a processor.
  private func boundedReport(_ input: String) throws -> CommandResult {
    let program = try ReporterProcess.executable
    let script = try folder.write(
      "#!/bin/sh\nulimit -d 200000\nulimit -t 20\nexec '\(program)' \"$@\"\n", to: "bin/bounded")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    return try ReporterProcess.command([script, "report", "--output", "out", input], in: folder.path).run()
  }

  private func json() throws -> [String: Any] {
    let text = try folder.read("out/report.json")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func faultKinds() throws -> [String] {
    try #require(try json()["faults"] as? [[String: Any]]).compactMap { $0["kind"] as? String }
  }

  private let passing = "<testcase classname='M.S' name='a'/>"

  // MARK: - Nothing to read

  @Test func nothingToReadNamesWhatWasLookedForAndWhatToDo() throws {
    try folder.write("", to: "empty/.keep")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/artifacts/runs", withIntermediateDirectories: true)
    try folder.write("", to: "zero.xml")
    try folder.write("<testsuites/>", to: "none.xml")
    for input in ["missing.xml", "empty", "artifacts", "zero.xml", "none.xml"] {
      let result = try report(input)
      #expect(result.status == 66, "\(input)")
      #expect(result.errors.contains(input), "\(input): \(result.errors)")
      #expect(!folder.files.contains { $0.hasPrefix("out") })
    }
  }

  @Test func theStubOfACrashIsNoGreenReport() throws {
    try folder.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", to: "stub.xml")
    let result = try report("stub.xml")
    #expect(result.status == 3)
    #expect(result.errors.contains("stub.xml: The XML stops before its end; 0 tests were read."))
    #expect(result.output.hasPrefix("No test was read. The report is degraded.\n"))
    #expect(try json()["outcome"] as? String == "failed")
    let index = try folder.read("out/index.html")
    #expect(index.contains("<h2>No test was read</h2>"))
    #expect(index.contains("<details class=\"remarks faults\" id=\"faults\" open>"))
    #expect(!index.contains("<rect"), "a bar of nothing")
    #expect(try folder.read("out/summary.md").hasPrefix("## ✗ No test was read\n"))
    try folder.write("<testsuite>\(passing)</testsuite>", to: "whole.xml")
    #expect(try report("whole.xml", "stub.xml").status == 3)
    #expect(try faultKinds() == ["truncatedXML"])
  }

  @Test(arguments: [(String.Encoding.windowsCP1250, "windows-1250", 2), (.isoLatin2, "ISO-8859-2", 2)])
  func whatIsNotUTF8IsNoGreenReportUntilItIsConvertedAsItSays(
    encoding: String.Encoding, name: String, read: Int
  ) throws {
    let text =
      "<?xml version='1.0' encoding='\(name)'?><testsuite><testcase classname='M.S' name='ä'/></testsuite>"
    try folder.write(Array(try #require(text.data(using: encoding))), to: "results/it's.xml")
    try folder.write("<testsuite>\(passing)</testsuite>", to: "results/whole.xml")
    let result = try report("results")
    #expect(result.status == 3)
    #expect(result.output.hasPrefix("\(counted(read, "test")): \(read) passed. The report is degraded.\n"))
    #expect(try faultKinds() == ["malformedXML"])
    let remedy = try #require(result.errors.firstMatch(of: /convert it to UTF-8: (iconv .*)/)?.1)
    #expect(
      try ReporterProcess.command(["/bin/sh", "-c", String(remedy)], in: folder.path).run().status == 0)
    let converted = try report("utf-8.xml")
    #expect(converted.output.hasPrefix("1 test: 1 passed.\n"))
    #expect(converted.status == 0 && converted.errors.isEmpty, "\(converted.errors)")
  }

  // MARK: - Damage

  @Test func aTruncatedFileIsReportedAsFarAsItGoes() throws {
    try folder.write("<testsuite>\(passing)<testcase classname='M.S' name='b'><fail", to: "cut.xml")
    let result = try report("cut.xml")
    #expect(result.status == 3)
    #expect(result.output.contains("2 tests: 1 unfinished, 1 passed."))
  }

  @Test func whatCanBeRepairedIsANoticeOnly() throws {
    let bytes =
      Array("<testsuite><testcase classname='M.S' name='`a <b> & \"c'`' time='1'/>".utf8)
      + Array("<testcase classname='M.S' name='d\u{1B}[31m'/><testcase classname='M.S' name='e".utf8)
      + [0xFF] + Array("'/></testsuite>".utf8)
    try folder.write(bytes, to: "odd.xml")
    #expect(try report("odd.xml").status == 0)
    let notices = try #require(try json()["notices"] as? [[String: Any]])
    #expect(notices.compactMap { $0["kind"] as? String } == ["repairedXML"])
    let tests = try #require(try json()["tests"] as? [[String: Any]])
    #expect(tests.compactMap { $0["name"] as? String } == ["`a <b> & \"c'`", "d[31m", "e\u{FFFD}"])
  }

  @Test func elementsThatDoNotMatchAreAFault() throws {
    try folder.write("<testsuite>\(passing)<testcase name='b'></testsuite></testcase>", to: "odd.xml")
    #expect(try report("odd.xml").status == 3)
    #expect(try faultKinds() == ["malformedXML"])
  }

  @Test func aNewerMajorVersionIsAFaultThatNamesBoth() throws {
    try folder.write("<testsuite>\(passing)</testsuite>", to: "whole.xml")
    let stream = String(decoding: try Fixture.file("green", "events.jsonl").bytes, as: UTF8.self)
    try folder.write(stream.replacing("\"version\":\"6.3", with: "\"version\":\"7.1"), to: "newer.jsonl")
    let result = try report("whole.xml", "newer.jsonl")
    #expect(result.status == 3)
    #expect(result.errors.contains("version 7.1.0, newer than 6.3"))
    try folder.write(stream.replacing("\"version\":\"6.3", with: "\"version\":\"6.9"), to: "newer.jsonl")
    #expect(try report("newer.jsonl").status == 0)
  }

  @Test func aNewerMajorVersionAloneIsToldToo() throws {
    let stream = String(decoding: try Fixture.file("green", "events.jsonl").bytes, as: UTF8.self)
    try folder.write(stream.replacing("\"version\":\"6.3", with: "\"version\":\"7.1"), to: "newer.jsonl")
    let result = try report("newer.jsonl")
    #expect(result.status == 3)
    #expect(result.errors.contains("version 7.1.0, newer than 6.3"))
  }

  @Test func twoInputsThatDisagreeAreBothShown() throws {
    let xunit = String(decoding: try Fixture.file("green", "xunit-swift-testing.xml").bytes, as: UTF8.self)
    let stream = try Fixture.file("green", "events.jsonl").bytes
    try folder.write(stream, to: "in/events.jsonl")
    let failing = xunit.replacing(
      #/(name="freePass\(\)" time="[^"]*") ?/>/#, with: { "\($0.1)><failure message=\"not so\"/></testcase>" }
    )
    #expect(failing != xunit)
    try folder.write(failing, to: "in/xunit.xml")
    #expect(try report("in").status == 3)
    #expect(try faultKinds() == ["disagreement"])
    #expect(try folder.read("out/report.json").contains("not so"))
  }

  // MARK: - Hostile documents

  @Test func anEntityBombExpandsToNothingAndAFileIsNotFetched() throws {
    try folder.write("SECRET", to: "secret.txt")
    var bomb = "<!DOCTYPE t [<!ENTITY l0 'lol'><!ENTITY x SYSTEM 'file://\(folder.path)/secret.txt'>\n"
    for level in 1...20 {
      bomb += "<!ENTITY l\(level) '\(String(repeating: "&l\(level - 1);", count: 10))'>\n"
    }
    bomb +=
      "]><testsuite><testcase classname='M.S' name='a'><failure message='&x;'>&l20;</failure></testcase>"
    try folder.write(bomb + "</testsuite>", to: "bomb.xml")
    let result = try boundedReport("bomb.xml")
    #expect(result.status == 3)
    #expect(try faultKinds() == ["malformedXML"])
    #expect(try !folder.read("out/report.json").contains("SECRET"))
  }

  @Test func anAttributeOfAGigabyteIsCut() throws {
    let head = "<testsuite>\(passing)<testcase classname='M.S' name='b'><failure message='begin "
    let path = try folder.write(head, to: "huge.xml")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 1 << 30)
    try file.seekToEnd()
    try file.write(contentsOf: Data("end'/></testcase></testsuite>".utf8))
    try file.close()
    let result = try boundedReport("huge.xml")
    #expect(result.status == 3, "\(result.errors)")
    #expect(result.output.contains("2 tests: 1 failed, 1 passed."))
    #expect(try faultKinds() == ["limitExceeded"])
  }

  @Test func tenThousandNestedSuitesAreAFault() throws {
    let deep = String(repeating: "<testsuite name='s' tests='1'>", count: 10_000)
    let up = String(repeating: "</testsuite>", count: 10_000)
    try folder.write("<testsuites>\(passing)\(deep)\(passing)\(up)</testsuites>", to: "deep.xml")
    let result = try boundedReport("deep.xml")
    #expect(result.status == 3, "\(result.errors)")
    // The suite at the limit lacks what was left out of it.
    #expect(try faultKinds() == ["limitExceeded", "testCount"])
  }

  // MARK: - Where nothing can be written

  private func withDisk(_ body: (SmallDisk) throws -> Void) throws {
    let path = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let disk = try SmallDisk(at: path, kilobytes: 1024)
    defer { disk.unmount() }
    try body(disk)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting a file system takes root")) func aReadOnlyOutputIs73()
    throws
  {
    try folder.write("<testsuite>\(passing)</testsuite>", to: "a.xml")
    try withDisk { disk in
      #expect(try report("a.xml", "--output", "disk/report").status == 0)
      let before = try folder.read("disk/report/report.json")
      try disk.makeReadOnly()
      #expect(try report("a.xml", "--output", "disk/report").status == 73)
      #expect(try folder.read("disk/report/report.json") == before)
    }
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting a file system takes root"))
  func aFullDiskIs73AndTheEarlierReportIsWhole() throws {
    try folder.write("<testsuite>\(passing)</testsuite>", to: "a.xml")
    let long = String(repeating: "long ", count: 150_000)
    let failure = "<testcase classname='M.S' name='b'><failure message='\(long)'/></testcase>"
    try folder.write("<testsuite>\(failure)</testsuite>", to: "b.xml")
    try withDisk { disk in
      #expect(try report("a.xml", "--output", "disk/report").status == 0)
      let before = try folder.read("disk/report/report.json")
      let result = try report("b.xml", "--output", "disk/report")
      #expect(result.status == 73)
      #expect(result.errors.contains("No space left on device"))
      #expect(try folder.read("disk/report/report.json") == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["report"])
    }
  }

  @Test func theReportIsWholeWheneverTheReporterIsKilled() async throws {
    try folder.write("<testsuite>\(passing)</testsuite>", to: "a.xml")
    #expect(try report("a.xml").status == 0)
    let before = try folder.read("out/report.json")
    let many = (0..<3000).map { "<testcase classname='M.S' name='t\($0)'><failure message='m'/></testcase>" }
    try folder.write("<testsuite>\(many.joined())</testsuite>", to: "b.xml")
    for milliseconds in [20, 80, 150, 250, 400, 600] {
      let started = try ReporterProcess.start(["report", "--output", "out", "b.xml"], in: folder.path)
      try await Task.sleep(for: .milliseconds(milliseconds))
      started.kill()
      let now = try folder.read("out/report.json")
      let isNew = now.contains("t2999") && now.hasSuffix("}\n")
      #expect(now == before || isNew)
      #expect(try folder.read("out/index.html").hasSuffix("</html>\n"))
    }
  }
}
