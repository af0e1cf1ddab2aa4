import Collector
import Foundation
import Testing

/// The log on disk: a header, then records in the order of writing, readable while it grows.
@Suite struct LogFileTests {
  @Test func recordsLieInTheOrderOfWriting() throws {
    let folder = try TemporaryFolder()
    let run = RunFolder(path: folder.path)
    let log = try LogFile(for: ProcessHeader(pid: 42, startTicks: 99, executable: "tests"), in: run)
    for number in 0..<3 {
      try log.append(.processFinished(ProcessEnd(tests: number, failed: 0)), test: nil)
    }
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: log.path)))
    #expect(contents.header?.pid == 42)
    #expect(contents.header?.format == ArtifactsFormat.current)
    #expect(
      contents.records.map(\.event) == (0..<3).map { .processFinished(ProcessEnd(tests: $0, failed: 0)) })
    #expect(LogFile.process(ofFile: "42-99.jsonl") == ProcessIdentity(pid: 42, startTicks: 99))
    #expect(log.path.hasSuffix("/logs/42-99.jsonl"))
  }

  @Test func writersAtOnceDoNotMixTheirLines() async throws {
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    let message = String(repeating: "long ", count: 2000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask { try log.append(.issue(RecordedIssue(message: message)), test: nil) }
      }
      try await group.waitForAll()
    }
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: log.path)))
    #expect(contents.problems.isEmpty)
    #expect(contents.records.count == 64)
  }

  @Test(arguments: ["42.jsonl", "a-b.jsonl", "1-2.txt", "1-2-3.jsonl", ""]) func otherFilesAreNoLogs(
    name: String
  ) {
    #expect(LogFile.process(ofFile: name) == nil)
  }
}
