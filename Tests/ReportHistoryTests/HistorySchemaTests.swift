import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// The tables of a history, and files of other versions, which are refused and stay as they are.
@Suite struct HistorySchemaTests {
  private let history: WrittenHistory

  init() throws {
    history = try WrittenHistory()
    try history.add(1, .failed)
  }

  /// What reading and adding say, which is the same; the file has not changed.
  private func refusal(_ sql: String) throws -> HistoryError {
    try TestConnection(history.file.path, sql).close()
    let before = try history.bytes
    let reading = try #require(throws: HistoryError.self) {
      try history.past(.failed, in: WrittenHistory.run(9))
    }
    let adding = try #require(throws: HistoryError.self) { try history.add(2, .failed) }
    let pruning = try #require(throws: HistoryError.self) {
      try history.file.prune(keptRuns: 1, keptDays: nil, now: 0)
    }
    #expect(reading == adding && reading == pruning)
    #expect(try history.bytes == before)
    #expect(!reading.isAbsence)
    return reading
  }

  /// With tables of its own, or those of now.
  @Test(arguments: ["", "; DROP TABLE IF EXISTS settings", "; CREATE TABLE IF NOT EXISTS passes (a)"])
  func anEarlierVersionIsRefused(change: String) throws {
    for version in 1..<HistorySchema.version {
      let error = try refusal("PRAGMA user_version = \(version)\(change)")
      #expect(error.problem == .older(version: version))
      #expect("\(error)".contains("Move it away") && "\(error)".contains(history.file.path))
    }
  }

  @Test(arguments: ["", "; CREATE TABLE more (a)"]) func aLaterVersionIsRefused(change: String) throws {
    let error = try refusal("PRAGMA user_version = \(HistorySchema.version + 1)\(change)")
    #expect(error.problem == .newer(version: HistorySchema.version + 1))
  }

  @Test(arguments: [0, -1, -4]) func oneWithoutAVersionIsNoHistory(version: Int) throws {
    #expect(try refusal("PRAGMA user_version = \(version)").problem == .foreign)
  }

  @Test func oneThatIsNotWhatItSaysIsRefused() throws {
    let error = try refusal("CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END")
    #expect(error.problem == .altered)
  }

  @Test func theDocumentHasTheStatements() throws {
    let document = try String(contentsOf: ThisPackage.file("docs/history.md"), encoding: .utf8)
    for entry in try HistorySchema.entries() where entry[0] == "table" || entry[0] == "view" {
      #expect(document.contains("`\(entry[1])`"), "\(entry[1])")
    }
    #expect(document.contains("`user_version` is \(HistorySchema.version)"))
  }
}
