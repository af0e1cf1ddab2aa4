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
      try log.append(ProcessEnd(tests: number, failed: 0), test: nil)
    }
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: log.path)), .all)
    #expect(contents.header?.pid == 42)
    #expect(contents.header?.format == ArtifactsFormat.current)
    #expect(
      contents.records.map { $0.payload as? ProcessEnd } == (0..<3).map { ProcessEnd(tests: $0, failed: 0) })
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
        group.addTask { try log.append(RecordedIssue(message: message), test: nil) }
      }
      try await group.waitForAll()
    }
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: log.path)), .all)
    #expect(contents.problems.isEmpty)
    #expect(contents.records.count == 64)
  }

  @Test func whatTwoProcessesWriteToOneLogIsAllThere() throws {
    let folder = try TemporaryFolder()
    let run = RunFolder(path: folder.path)
    // Containers that share an artifacts folder can number their processes alike.
    let header = ProcessHeader(pid: 1, startTicks: 1, executable: "tests")
    let (one, other) = (try LogFile(for: header, in: run), try LogFile(for: header, in: run))
    for number in 0..<200 {
      try one.append(RecordedIssue(message: "one \(number)"), test: nil)
      try other.append(RecordedIssue(message: "other \(number)"), test: nil)
    }
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: one.path)), .all)
    #expect(contents.problems.isEmpty)
    #expect(
      contents.messages
        == (0..<200).flatMap { ["one \($0)", "other \($0)"] })
  }

  @Test func recordsGoOnInALogThatSomebodyShortened() throws {
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    for number in 0..<100 { try log.append(RecordedIssue(message: "\(number)"), test: nil) }
    #expect(truncate(log.path, 0) == 0)
    for number in 100..<200 { try log.append(RecordedIssue(message: "\(number)"), test: nil) }
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: log.path)), .all)
    #expect(contents.problems == [.headerMissing])
    #expect(contents.messages == (100..<200).map(String.init))
  }

  @Test func aLogThatSomebodyRemovedTakesRecordsStill() throws {
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    try FileManager.default.removeItem(atPath: log.path)
    for number in 0..<100 { try log.append(RecordedIssue(message: "\(number)"), test: nil) }
    #expect(!FileManager.default.fileExists(atPath: log.path))
  }

  @Test func aRecordBehindHalfOfAnotherStandsOnALineOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let run = RunFolder(path: folder.path)
    let header = ProcessHeader(pid: 1, startTicks: 1, executable: "tests")
    let path = try LogFile(for: header, in: run).path
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"{"kind":"issue","ti"#.utf8))
    // The program was replaced by another one that tests too.
    let log = try LogFile(for: header, in: run)
    try log.append(RecordedIssue(message: "behind"), test: nil)
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: path)), .all)
    #expect(contents.problems == [.unreadableLine(2)])
    #expect(contents.messages == ["behind"])
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
        (try? log.append(RecordedIssue(message: "\(number)"), test: nil)) != nil
      }
    }
    var written = append(0..<100)
    let ballast = folder.path + "/ballast"
    try Data().write(to: URL(fileURLWithPath: ballast))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: ballast))
    while (try? handle.write(contentsOf: Data(count: 512))) != nil {}
    try handle.close()
    written += append(100..<2000)
    try FileManager.default.removeItem(atPath: ballast)
    written += append(2000..<2100)
    #expect(written.count < 2100)
    #expect(Set(0..<100).isSubset(of: written))
    #expect(Set(2000..<2100).isSubset(of: written))
    let contents = LogReader.read(try Data(contentsOf: URL(fileURLWithPath: log.path)), .all)
    #expect(contents.messages == written.map(String.init))
    // What was written of the first one that had no room.
    #expect(contents.problems.count <= 1)
  }

  /// A test that forks leaves the log alone in the child, whose end is not the process's.
  @Test func theChildOfAForkChangesNothing() throws {
    typealias Fork = @convention(c) () -> pid_t
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    for number in 0..<100 { try log.append(RecordedIssue(message: "\(number)"), test: nil) }
    let url = URL(fileURLWithPath: log.path)
    let before = try Data(contentsOf: url)
    let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
    let child = fork()
    if child == 0 {
      // Should another thread have held a lock at the fork.
      alarm(10)
      let isWritten = (try? log.append(ProcessEnd(tests: 1, failed: 0), test: nil)) != nil
      _exit(isWritten ? 0 : 1)
    }
    var status: Int32 = -1
    waitpid(child, &status, 0)
    #expect(status == 0)
    #expect(try Data(contentsOf: url) == before)
    try log.append(RecordedIssue(message: "100"), test: nil)
    #expect(LogReader.read(try Data(contentsOf: url), .all).records.count == 101)
  }

  /// An app that closes descriptors that are not its own opens a file of its own under the log's number.
  @Test func whatIsAnotherFileByNowIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    var log: LogFile? = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    let path = try #require(log?.path)
    let file = try AppsFile(in: folder, inPlaceOf: path)
    try log?.append(RecordedIssue(message: "after it"), test: nil)
    #expect(try file.content == "the app's")
    #expect(LogReader.read(try Data(contentsOf: URL(fileURLWithPath: path)), .all).messages == ["after it"])
    // It is opened again, locked as before, and closed in the end; what became the app's is not.
    #expect(LogFile.isLocked(path))
    log = nil
    waitForUnlocking(of: path)
    #expect(!LogFile.isLocked(path))
    #expect(file.isOpen)
  }

  @Test func aLogThatIsGoneTogetherWithItsDescriptorIsNamed() throws {
    let folder = try TemporaryFolder()
    let log = try LogFile(
      for: ProcessHeader(pid: 1, startTicks: 1, executable: "tests"), in: RunFolder(path: folder.path))
    let file = try AppsFile(in: folder, inPlaceOf: log.path)
    // Or its number could be given to the file below.
    let inode = try #require(FileHandle(forReadingAtPath: log.path))
    defer { withExtendedLifetime(inode) {} }
    try FileSystem.remove(log.path)
    #expect(throws: SystemError.self) { try log.append(RecordedIssue(message: "lost"), test: nil) }
    try folder.write("another's", to: "logs/1-1.jsonl")
    #expect(throws: SystemError.self) { try log.append(RecordedIssue(message: "lost"), test: nil) }
    #expect(try folder.read("logs/1-1.jsonl") == "another's" && file.content == "the app's")
  }

  @Test(arguments: ["42.jsonl", "a-b.jsonl", "1-2.txt", "1-2-3.jsonl", ""]) func otherFilesAreNoLogs(
    name: String
  ) {
    #expect(LogFile.process(ofFile: name) == nil)
  }
}

extension LogContents {
  /// The messages of issues; empty for other records.
  fileprivate var messages: [String] {
    records.map { if let issue = $0.payload as? RecordedIssue { issue.message } else { "" } }
  }
}

/// A file of the app's, under a descriptor that was another file's.
private final class AppsFile {
  private let path: String
  private let number: Int32

  init(in folder: TemporaryFolder, inPlaceOf other: String) throws {
    try folder.write("the app's", to: "app.db")
    path = folder("app.db")
    let identity = try #require(FileIdentity(path: other))
    number = try #require(OpenDescriptors.first(of: identity))
    let descriptor = open(path, O_RDWR)
    // In one step: no other thread gets the number in between.
    #expect(dup2(descriptor, number) == number)
    close(descriptor)
  }

  deinit { close(number) }

  var content: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }
  var isOpen: Bool { FileStatus(descriptor: number)?.identity == FileIdentity(path: path) }
}
