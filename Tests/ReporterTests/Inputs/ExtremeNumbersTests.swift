import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportTestSupport

/// Every number that an input can hold, at its extremes: the report is written, whole, with what could be read.
///
/// In short some extremes of each input, and each somewhere; all with `EXHIBIT_LONG_TESTS=1`.
@Suite struct ExtremeNumbersTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    try folder.write(Array(repeating: UInt8(ascii: "\n"), count: 9), to: "Tests/A.swift")
  }

  /// The text once for every number in it, with an extreme in that number's place; `§` becomes the number of the text.
  private func variants(of text: String, _ extreme: String) -> [String] {
    let numbers = text.matches(of: #/[:=]['"]?(-?[0-9]+(?:\.[0-9]+)?)(?=[,}'"\]])/#).map(\.1)
    return numbers.enumerated().map { index, number in
      let changed = text[..<number.startIndex] + extreme + text[number.endIndex...]
      return String(changed.replacing("§", with: "\(index)"))
    }
  }

  private func expectWhole(_ result: CommandResult, _ extreme: String) throws {
    #expect([0, 1, 3].contains(result.status), "\(extreme): \(result.status) \(result.errors.suffix(2000))")
    let json = try JSONSerialization.jsonObject(with: Data(try folder.read("out/report.json").utf8))
    #expect((json as? [String: Any])?["tests"] is [Any])
    for file in ["index.html", "report.html"] {
      #expect(try folder.read("out/\(file)").hasSuffix("</html>\n"), "\(extreme): \(file)")
    }
    for file in folder.files
    where file.hasPrefix("out/") && (file.hasSuffix(".html") || file.hasSuffix(".md")) {
      // The one file has the report's script at its end, which knows the word.
      let text = try folder.read(file).components(separatedBy: "const codes = ")[0]
      #expect(!text.contains(" inf") && !text.contains("nan "), "\(extreme): \(file)")
    }
  }

  private func report(_ inputs: String..., baseline: String? = nil) throws -> CommandResult {
    try ReporterProcess.run(
      [
        "report", "--output", "out", "--single-file", "--fail-on", "degraded", "--max-duration", "1",
        "--max-failures", "1", "--min-tests", "1", "--all-runs",
      ] + inputs + (baseline.map { ["--baseline", $0] } ?? []), in: folder.path)
  }

  // MARK: - Logs

  /// A log with every kind of record, of a process that ended or died.
  private func log(ended: Bool) throws -> String {
    let test = TestCaseID(
      module: "M", suite: ["S§"], name: "t(a:)", argument: .init(ordinal: 1, description: "1"))
    let this = try #require(ProcessIdentity.current)
    let frames = WALFrames(committed: 2, transactions: 2, uncommitted: 2, isBroken: true)
    let capture = DatabaseCapture(
      method: .readTransaction, view: .uncommitted, wal: .committed, walFrames: frames, databaseBytes: 4096,
      walBytes: 8272)
    let opened = DatabaseOpening(
      connection: 1, path: folder.path + "/app.db", file: FileIdentity(path: folder.path + "/app.db"))
    var events: [any LogPayload] = [
      TestStart(framework: .swiftTesting, file: folder.path + "/Tests/A.swift", line: 3),
      opened, opened, DatabaseUse(connection: 1),
      ExcludedTables(["t"]), TraceInMemory(reason: .io, message: "t"),
      UsedFixture(folder: "/f", file: "1.sqlite", version: "1", listed: ["1.sqlite"]),
      RecordedIssue(message: "m", file: folder.path + "/Tests/A.swift", line: 5),
      CapturedEvidence(
        kind: .database, name: "a", path: "evidence/t/a.sqlite", bytes: 4096, source: "/a", duration: 1,
        database: capture),
      CapturedEvidence(
        kind: .directory, name: "d", path: "evidence/t/d.zip", bytes: 4096,
        archive: DirectoryArchive(entries: 3, skipped: [.init(path: "p", reason: "r")])),
      CaptureFailure(kind: .database, name: "b", reason: .overBudget, message: "too large", bytes: 9),
    ]
    if ended {
      events += [
        TestEnd(outcome: .failed, duration: 1), DatabaseClosing(connection: 1),
      ]
    }
    let header = ProcessHeader(
      pid: this.pid, startTicks: this.startTicks + 1, executable: "T.xctest", boot: currentBoot,
      frameworks: [.xctest, .swiftTesting])
    var records = [LogRecord(time: 1, header)]
    records += events.map { LogRecord(time: currentTime().rounded(), test: test, $0) }
    if ended { records.append(LogRecord(time: 3, ProcessEnd(tests: 1, failed: 1))) }
    return String(decoding: records.flatMap(LogLine.encode), as: UTF8.self)
  }

  @Test(arguments: LongTests.some(of: Mutation.extremes)) func logs(extreme: String) throws {
    _ = try folder.database("app.db", "CREATE TABLE t(a);")
    _ = try folder.database("a.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES(1);")
    let run = "artifacts/runs/r"
    try folder.write(
      try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.sqlite")), to: "\(run)/evidence/t/a.sqlite")
    try folder.write("PK", to: "\(run)/evidence/t/d.zip")
    try folder.writeManifest(to: run)
    var count = 0
    for ended in [true, false] {
      for (index, text) in variants(of: try log(ended: ended), extreme).enumerated() {
        try folder.write(
          text.replacing("\"S\(index)\"", with: "\"S\(index)\(ended)\""),
          to: "\(run)/logs/\(ended)-\(index).jsonl")
        count += 1
      }
    }
    #expect(count > 80, "numbers of all kinds of records")
    try expectWhole(try report("artifacts"), extreme)
    let json = try folder.read("out/report.json")
    #expect(json.contains("\"S0true\"") && json.contains("\"S0false\""), "what could be read is there")
  }

  /// Files with holes can be larger than any disk, and their sum larger than any number.
  @Test(
    .enabled(if: FileSystem.status("/dev/shm") != nil, "needs a file system that takes files of any size"))
  func sizesThatNoNumberHolds() throws {
    let large = "/dev/shm/exhibit-\(UUID().uuidString)"
    try FileSystem.createFolder(large)
    defer { try? FileSystem.remove(large) }
    for name in ["app.db", "app.db-wal", "app.db-journal"] {
      try Data().write(to: URL(fileURLWithPath: "\(large)/\(name)"))
      try #require(truncate("\(large)/\(name)", .max) == 0)
    }
    let log = try log(ended: false).replacing(folder.path + "/app.db", with: large + "/app.db")
    let pattern = #/,"device":[0-9]+,"inode":[0-9]+/#
    try folder.write(log.replacing(pattern, with: ""), to: "artifacts/runs/r/logs/1-1.jsonl")
    let result = try report("artifacts")
    #expect(result.status == 1, "\(result.errors.suffix(2000))")
    #expect(result.errors.contains("9223372036854775807 bytes were left out"), "\(result.errors)")
    #expect(!folder.files.contains { $0.hasPrefix("out/") && $0.hasSuffix("app.sqlite") })
  }

  @Test(arguments: LongTests.some(of: Mutation.extremes, from: 1)) func manifestsAndInvocations(
    extreme: String
  ) throws {
    let manifest = """
      {"format":"1.4","run":"§","start":1,"package":"/","owner":{"pid":1,"startTicks":2}}
      """
    let invocation = """
      {"arguments":[],"attachments":"","format":"1.4","status":1,"signal":2}
      """
    for (name, texts) in [
      "run.json": variants(of: manifest, extreme), "inputs/inputs.json": variants(of: invocation, extreme),
    ] {
      for (index, text) in texts.enumerated() {
        let run = "artifacts/runs/\(index)-\(name.count)"
        try folder.write(manifest, to: "\(run)/run.json")
        try folder.write(
          "<testsuite><testcase classname='M.S' name='a'/></testsuite>", to: "\(run)/inputs/x.xml")
        try folder.write(text, to: "\(run)/\(name)")
      }
    }
    try expectWhole(try report("artifacts"), extreme)
  }

  /// What a test prints can look like the summary of a run, more than once.
  @Test(arguments: LongTests.some(of: Mutation.extremes, from: 2)) func outputs(extreme: String) throws {
    let run = "artifacts/runs/r"
    try folder.writeManifest(to: run)
    try folder.write(
      "<testsuite><testcase classname='M.S' name='a'/></testsuite>", to: "\(run)/inputs/x.xml")
    let summaries = [extreme, "1", extreme].map {
      """
      Test Suite 'All tests' passed at 2026-11-21 07:36:28.000.
      \t Executed \($0) tests, with \($0) failures (0 unexpected) in \($0) (\($0)) seconds
      ✔ Test run with \($0) tests in \($0) suites passed after \($0) seconds.
      M/A.swift:\($0): Fatal error: on purpose
      error: Process 'x' exited with unexpected signal code \($0)

      """
    }
    try folder.write(summaries.joined(), to: "\(run)/inputs/output.txt")
    try folder.write(
      #"{"arguments":["--build-system","swiftbuild"],"attachments":"","format":"1.4","status":1}"#,
      to: "\(run)/inputs/inputs.json")
    try expectWhole(try report("artifacts"), extreme)
  }

  // MARK: - Other inputs

  @Test(arguments: LongTests.some(of: Mutation.extremes, from: 3)) func eventStreams(extreme: String) throws {
    let test = "\"testID\":\"M.S§/f(a:)/F.swift:1:2\",\"_testCase\":{\"id\":\"c\",\"displayName\":\"1\"}"
    let place =
      "\"sourceLocation\":{\"fileID\":\"M/F.swift\",\"filePath\":\"\(folder.path)/Tests/A.swift\",\"line\":3,\"column\":4}"
    func event(_ kind: String, _ more: String = "") -> String {
      """
      {"kind":"event","payload":{"kind":"\(kind)","instant":{"absolute":2.5,"since1970":1795246212.5},\(test)\(more)},\
      "version":6}\n
      """
    }
    let stream = """
      {"kind":"test","payload":{"kind":"function","id":"M.S§/f(a:)/F.swift:1:2","name":"f",\(place)},"version":6}
      {"kind":"event","payload":{"kind":"runStarted","instant":{"absolute":1.5,"since1970":1.5}},"version":6}
      """ + "\n" + event("testCaseStarted")
      + event("issueRecorded", ",\"messages\":[{\"text\":\"m\"}],\"issue\":{\"isKnown\":false,\(place)}")
      + event("testCaseEnded")
      + "{\"kind\":\"event\",\"payload\":{\"kind\":\"runEnded\",\"instant\":{\"absolute\":1.5,\"since1970\":2.5}},\"version\":6}\n"
    let texts = variants(of: stream, extreme)
    #expect(texts.count > 15)
    for (index, text) in texts.enumerated() { try folder.write(text, to: "in/\(index).jsonl") }
    try expectWhole(try report("in"), extreme)
  }

  /// The time between two instants that are as far apart as numbers can be.
  @Test func instantsThatAreFarApart() throws {
    let far = ["1.7976931348623157e308", "-1.7976931348623157e308", "1e300"]
    for (index, (start, end)) in far.flatMap({ start in far.map { (start, $0) } }).enumerated() {
      func event(_ kind: String, _ instant: String) -> String {
        """
        {"kind":"event","payload":{"kind":"\(kind)","instant":{"absolute":\(instant),"since1970":1795246212},\
        "testID":"M.S\(index)/f()/F.swift:1:2"},"version":"6.3"}\n
        """
      }
      let stream =
        event("runStarted", "0") + event("testStarted", start) + event("testEnded", end)
        + event("runEnded", "0")
      try folder.write(stream, to: "in/\(index).jsonl")
    }
    try expectWhole(try report("in"), "far apart")
  }

  @Test(arguments: LongTests.some(of: Mutation.extremes, from: 4)) func xunitFiles(extreme: String) throws {
    let xunit = """
      <testsuites><testsuite name='a' tests='1' failures='1' time='2.5'><testcase classname='M.S§' name='a' time='1.5'
       file='Tests/A.swift' line='3'><failure message='m'/></testcase></testsuite><testsuite name='b' tests='1'>
      <testcase classname='M.T§' name='a' time='1.5'/></testsuite></testsuites>
      """
    for (index, text) in variants(of: xunit, extreme).enumerated() {
      try folder.write(text, to: "in/\(index).xml")
    }
    let both = xunit.replacing("tests='1'", with: "tests='\(extreme)'").replacing(
      "time='1.5'", with: "time='\(extreme)'")
    try folder.write(both.replacing("§", with: "both"), to: "in/both.xml")
    try expectWhole(try report("in"), extreme)
  }

  @Test func aCountThatIsTooLargeToAddUpIsStillTooLarge() throws {
    let suite = "<testsuite tests='9223372036854775807'><testcase classname='M.S' name='a'/></testsuite>"
    try folder.write("<testsuites>\(suite)\(suite.replacing("'a'", with: "'b'"))</testsuites>", to: "a.xml")
    _ = try report("a.xml")
    #expect(try folder.read("out/report.json").contains("\"testCount\""))
  }

  @Test(arguments: LongTests.some(of: Mutation.extremes)) func baselines(extreme: String) throws {
    let tests =
      "<testcase classname='M.S' name='a' time='1.5'/><testcase classname='M.S' name='b' time='1e308'/>"
    try folder.write("<testsuite>\(tests)</testsuite>", to: "a.xml")
    _ = try report("a.xml")
    let earlier = try folder.read("out/report.json")
    let changed = earlier.replacing(#/"duration":[^,]+/#, with: "\"duration\":\(extreme)")
    #expect(changed != earlier)
    try folder.write(changed, to: "earlier.json")
    try expectWhole(try report("a.xml", baseline: "earlier.json"), extreme)
  }
}
