import Collector
import ExhibitSystem
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

  @Test func manyRecordsLieInOrderAndNothingFollowsThem() throws {
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    let events = (0..<3000).map { number in
      let message = number % 500 == 499 ? String(repeating: "long ", count: 40_000) : "number \(number)"
      return LogRecord.Event.issue(RecordedIssue(message: message))
    }
    for event in events { try log.append(event, test: nil) }
    let url = URL(fileURLWithPath: log.path)
    let running = LogReader.read(try Data(contentsOf: url))
    #expect(running.problems.isEmpty)
    #expect(running.records.map(\.event) == events)

    log.finish()
    try log.append(.processFinished(ProcessEnd(tests: 1, failed: 0)), test: nil)
    let bytes = try Data(contentsOf: url)
    #expect(
      LogReader.read(bytes).records.map(\.event) == events + [
        .processFinished(ProcessEnd(tests: 1, failed: 0))
      ])
    #expect(bytes.suffix(3) == Data("}}\n".utf8))
    #expect(bytes.firstRange(of: Data("\n\n".utf8)) == nil)
  }

  @Test func aRecordThatWasNotFinishedBeforeTheRoomForMoreIsPartial() throws {
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    for number in 0..<100 { try log.append(.issue(RecordedIssue(message: "\(number)")), test: nil) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: log.path))
    #expect(bytes.suffix(2) == Data("\n\n".utf8))
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
    bytes.replaceSubrange(end - 5...end, with: Data("\n\n\n\n\n\n".utf8))
    let contents = LogReader.read(bytes)
    #expect(contents.problems == [.partialLastLine])
    #expect(contents.records.count == 99)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount"))
  func aFullDiskLosesOnlyWhatItHasNoRoomFor() throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(at: folder.path)
    defer { disk.unmount() }
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    func append(_ numbers: Range<Int>) -> [Int] {
      numbers.filter { number in
        (try? log.append(.issue(RecordedIssue(message: "\(number)")), test: nil)) != nil
      }
    }
    var written = append(0..<100)
    // All but what the log has made ready.
    let ballast = folder.path + "/ballast"
    try Data().write(to: URL(fileURLWithPath: ballast))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: ballast))
    while (try? handle.write(contentsOf: Data(count: 512))) != nil {}
    try handle.close()
    written += append(100..<2000)
    try FileManager.default.removeItem(atPath: ballast)
    written += append(2000..<2100)
    #expect(written.count < 2100)
    #expect(Set(0..<200).isSubset(of: written))
    #expect(Set(2000..<2100).isSubset(of: written))
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: log.path)))
    let read = contents.records.map { record -> Int? in
      if case .issue(let issue) = record.event { Int(issue.message) } else { nil }
    }
    #expect(read == written)
  }

  /// A test that forks leaves the log alone in the child, whose end is not the process's.
  @Test func theChildOfAForkChangesNothing() throws {
    typealias Fork = @convention(c) () -> pid_t
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    for number in 0..<100 { try log.append(.issue(RecordedIssue(message: "\(number)")), test: nil) }
    let url = URL(fileURLWithPath: log.path)
    let before = try Data(contentsOf: url)
    let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
    let child = fork()
    if child == 0 {
      // Should another thread have held a lock at the fork.
      alarm(10)
      let isWritten = (try? log.append(.processFinished(ProcessEnd(tests: 1, failed: 0)), test: nil)) != nil
      log.finish()
      _exit(isWritten ? 0 : 1)
    }
    var status: Int32 = -1
    waitpid(child, &status, 0)
    #expect(status == 0)
    #expect(try Data(contentsOf: url) == before)
    try log.append(.issue(RecordedIssue(message: "100")), test: nil)
    #expect(LogReader.read(try Data(contentsOf: url)).records.count == 101)
  }

  @Test(arguments: ["42.jsonl", "a-b.jsonl", "1-2.txt", "1-2-3.jsonl", ""]) func otherFilesAreNoLogs(
    name: String
  ) {
    #expect(LogFile.process(ofFile: name) == nil)
  }
}
