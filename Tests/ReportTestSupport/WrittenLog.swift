import Collector
import Foundation

@testable import ReportReading

/// A log as a test process writes it, line by line.
struct WrittenLog {
  var bytes = Data()
  private var started = 0

  init(
    pid: Int32 = 7, startTicks: UInt64 = 70, format: String = ArtifactsFormat.current,
    executable: String = "Tests.xctest", frameworks: [TestFramework] = [.xctest]
  ) throws {
    try add(
      nil,
      ProcessHeader(
        format: format, pid: pid, startTicks: startTicks, executable: executable, frameworks: frameworks))
  }

  mutating func add(_ test: TestCaseID?, _ event: any LogPayload) throws {
    bytes.append(contentsOf: LogLine.encode(LogRecord(time: 1, test: test, event)))
  }

  mutating func start(_ test: TestCaseID, _ framework: TestFramework = .xctest) throws {
    started += 1
    try add(
      test, TestStart(framework: framework, file: "/package/Tests/A.swift", line: 3, number: started))
  }

  mutating func fail(_ test: TestCaseID, _ message: String) throws {
    try add(test, RecordedIssue(message: message, file: "/package/Tests/A.swift", line: 5))
  }

  mutating func finish(_ test: TestCaseID, _ outcome: TestEnd.Outcome) throws {
    try add(test, TestEnd(outcome: outcome, duration: 0.25))
  }

  /// A test that passes.
  mutating func pass(_ test: TestCaseID, _ framework: TestFramework = .swiftTesting) throws {
    try start(test, framework)
    try finish(test, .passed)
  }

  mutating func end() throws {
    try add(nil, ProcessEnd(tests: 0, failed: 0))
  }

  /// What the reporter makes of it.
  var tests: LogTests {
    LogTests(LogReader.read(bytes, LogTests.kinds), name: "runs/r/logs/7-70.jsonl", runFolder: "/nowhere")
  }
}

extension TestCaseID {
  /// A test of class `Store` in module `M`.
  static func store(_ name: String) -> TestCaseID { TestCaseID(module: "M", suite: ["Store"], name: name) }
}
