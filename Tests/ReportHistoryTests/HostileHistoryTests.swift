import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// Files that are no histories, or are no longer: none is read, and none is changed.
@Suite struct HostileHistoryTests {
  private let history: WrittenHistory

  init() throws {
    history = try WrittenHistory()
    for hour in 1...3 { try history.add(Double(hour), .failed) }
  }

  /// What reading and adding say, which is the same; and the file stays as it is, with nothing beside it.
  private func refusal() throws -> HistoryError.Problem {
    let before = try history.bytes
    let reading = try #require(throws: HistoryError.self) {
      try history.past(.failed, in: WrittenHistory.run(9))
    }
    let adding = try #require(throws: HistoryError.self) { try history.add(9, .failed) }
    let pruning = try #require(throws: HistoryError.self) {
      try history.file.prune(keptRuns: 1, keptDays: nil, now: 0)
    }
    #expect(reading == adding)
    #expect(reading == pruning)
    #expect(try history.bytes == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: history.folder.path) == ["history.sqlite"])
    return reading.problem
  }

  private func change(_ sql: String) throws {
    let connection = try TestConnection(history.file.path, sql)
    connection.close()
  }

  @Test(arguments: ["hello", "SQLite format 4", String(repeating: "x", count: 5000)])
  func aFileThatIsNoDatabase(text: String) throws {
    try history.folder.write(text, to: "history.sqlite")
    #expect(try refusal() == .foreign)
  }

  @Test func anEmptyFileIsAHistoryThatIsNotThereYet() throws {
    try history.folder.write("", to: "history.sqlite")
    let reading = try #require(throws: HistoryError.self) {
      try history.past(.failed, in: WrittenHistory.run(9))
    }
    #expect(reading.problem == .missing)
    try history.add(9, .failed)
    #expect(try history.value("SELECT count(*) FROM runs") == "1")
  }

  @Test func aDatabaseOfAnotherApplication() throws {
    try change("PRAGMA application_id = 7")
    #expect(try refusal() == .foreign)
  }

  @Test func aDatabaseOfAnApplicationThatDoesNotSay() throws {
    try FileManager.default.removeItem(atPath: history.file.path)
    try change("CREATE TABLE person (name)")
    #expect(try refusal() == .foreign)
  }

  @Test func aLaterVersion() throws {
    try change("PRAGMA user_version = 7")
    #expect(try refusal() == .newer(version: 7))
  }

  @Test(arguments: [
    "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM outcomes; END",
    "CREATE VIEW v AS SELECT randomblob(1000000000)",
    "CREATE TABLE other (a)", "CREATE INDEX i ON runs (name)", "DROP VIEW run_counts",
    "DROP TABLE variations", "ALTER TABLE runs ADD COLUMN a DEFAULT 1",
    "DROP VIEW run_counts; CREATE VIEW run_counts AS SELECT load_extension('x')",
  ])
  func aSchemaThatIsNotOurs(sql: String) throws {
    try change(sql)
    #expect(try refusal() == .altered)
  }

  @Test func whatAnalyzeAddsIsAllowed() throws {
    try change("ANALYZE")
    #expect(try history.past(.failed, in: WrittenHistory.run(9))?.outcomes.count == 4)
  }

  @Test func aFileInWALMode() throws {
    try change("PRAGMA journal_mode = WAL")
    for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: history.file.path + end) }
    #expect(try refusal() == .walMode)
  }

  @Test(arguments: [1, 50, 99, 100, 3000, 4096, 9000])
  func aFileThatIsCutOff(count: Int) throws {
    try history.bytes.prefix(count).write(to: URL(fileURLWithPath: history.file.path))
    let problem = try refusal()
    guard case .damaged = problem else {
      #expect(problem == .foreign && count < 16)
      return
    }
  }

  @Test func pagesOfNoise() throws {
    var bytes = try history.bytes
    for index in 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31 + 7) }
    try bytes.write(to: URL(fileURLWithPath: history.file.path))
    guard case .damaged = try refusal() else {
      Issue.record("It was not found to be damaged.")
      return
    }
  }

  @Test func hugeTextsAreReadCut() throws {
    try change(
      "UPDATE runs SET branch = replace(hex(zeroblob(4000000)), '00', 'ab'), commit_hash = 'a; rm -rf /'")
    let past = try #require(try history.past(.failed, in: WrittenHistory.run(9)))
    #expect(past.outcomes.allSatisfy { ($0.run.branch?.utf8.count ?? 0) <= HistoryFile.mostTextBytes })
    #expect(past.outcomes.dropLast().allSatisfy { $0.run.commit == nil })
  }

  @Test func valuesBeyondTheLimitAreRefused() throws {
    try change("UPDATE runs SET branch = replace(hex(zeroblob(20000000)), '00', 'ab')")
    #expect(throws: HistoryError.self) { try history.past(.failed, in: WrittenHistory.run(9)) }
  }

  @Test func outcomesThatAreNoWordsAreLeftOut() throws {
    try change("UPDATE outcomes SET outcome = 'exploded', duration = 'long', message = -4")
    #expect(try history.past(.failed, in: WrittenHistory.run(9))?.outcomes.count == 1)
  }

  @Test func aLockedFile() throws {
    let other = try TestConnection(history.file.path, "BEGIN EXCLUSIVE")
    defer { other.close() }
    let adding = try #require(throws: HistoryError.self) { try history.add(9, .failed) }
    let reading = try #require(throws: HistoryError.self) {
      try history.past(.failed, in: WrittenHistory.run(9))
    }
    #expect(adding.problem == .locked)
    #expect(reading.problem == .locked)
  }

  /// A report asks several times, and waits as long as for one question.
  @Test func aLockedFileIsWaitedForOnce() throws {
    let other = try TestConnection(history.file.path, "BEGIN EXCLUSIVE")
    defer { other.close() }
    var file = history.file
    file.patience = 1
    func wait(for file: HistoryFile) -> Duration {
      ContinuousClock().measure {
        #expect(throws: HistoryError(file.path, .locked)) { try file.identities() }
      }
    }
    // SQLite's pauses end early where a signal reaches their thread.
    #expect(wait(for: file) > .seconds(0.6))
    #expect(wait(for: file) < .seconds(0.5))
    #expect(wait(for: file.renewed) > .seconds(0.6))
  }

  @Test func aFolderInItsPlace() throws {
    try FileManager.default.removeItem(atPath: history.file.path)
    _ = try history.folder.makeFolder("history.sqlite")
    let error = try #require(throws: HistoryError.self) { try history.add(9, .failed) }
    #expect(error.problem == .foreign)
  }

  @Test func aJournalThatIsLeftIsRolledBackByTheNextRun() throws {
    let before = try history.value("SELECT count(*) FROM outcomes")
    let file = try history.leaveInterrupted()
    let reading = try #require(throws: HistoryError.self) {
      try file.past(of: [WrittenHistory.result(WrittenHistory.first, .failed)], in: WrittenHistory.run(9))
    }
    #expect(reading.problem == .interrupted)
    try file.add(
      KeptRun(run: WrittenHistory.run(9), tests: [WrittenHistory.result(WrittenHistory.first, .failed)]))
    #expect(try TestConnection(file.path, "SELECT 1").text("SELECT count(*) - 1 FROM outcomes") == before)
    #expect(try TestConnection(file.path, "SELECT 1").text("SELECT count(*) FROM messages") == "1")
  }

  @Test func everyProblemSaysWhatToDo() {
    let problems: [HistoryError.Problem] = [
      .foreign, .altered, .older(version: 1), .newer(version: 9), .walMode, .tooLarge, .interrupted, .locked,
      .damaged("x"),
      .slow,
    ]
    for problem in problems {
      let (text, whenAdding) = (
        "\(HistoryError("/a/h.sqlite", problem))", HistoryError("/a/h.sqlite", problem).whenAdding
      )
      #expect(
        whenAdding.contains("--history") || text.contains("`") || text.contains("Move it away"), "\(text)")
      #expect(whenAdding.hasPrefix(text))
      #expect(!text.contains("reporter report"), "said of a run that is to be added: \(text)")
      // Each label keeps its newest runs, of which there may be thousands with one each.
      #expect(!text.contains("prune") || text.contains("prune --keep-days"), "\(text)")
    }
  }
}
