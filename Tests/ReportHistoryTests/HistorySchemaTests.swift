import Collector
import ExhibitSQLite
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// Histories of earlier versions become those of the newest.
@Suite struct HistorySchemaTests {
  private let history: WrittenHistory
  /// A version before the first one, made up: without what later came to be.
  private let earlier: HistorySchema
  /// The same, and then what was missing.
  private let later: HistorySchema
  /// All that there are.
  private static let versions = HistorySchema.current.versions

  init() throws {
    history = try WrittenHistory()
    let statements = try #require(HistorySchema.current.versions.first)
    let isLater = { (sql: String) in sql.contains("TABLE passes") || sql.contains("VIEW flaky_tests") }
    earlier = HistorySchema(versions: [statements.filter { !isLater($0) }])
    later = HistorySchema(
      versions: earlier.versions + [statements.filter(isLater)] + Self.versions.dropFirst())
  }

  /// A file of the earlier version with three runs.
  private func writeEarlier() throws -> HistoryFile {
    var file = history.file
    try history.write(earlier, "failed", "failed", "failed")
    file.schema = later
    return file
  }

  private func past(_ file: HistoryFile) throws -> [Outcome]? {
    try file.past(of: [WrittenHistory.result(WrittenHistory.first, .failed)], in: WrittenHistory.run(9))[
      WrittenHistory.first]?.outcomes.map(\.outcome)
  }

  @Test func anEarlierVersionIsReadAndStaysAsItIs() throws {
    let file = try writeEarlier()
    let before = try history.bytes
    #expect(try past(file) == [.failed, .failed, .failed, .failed])
    #expect(try history.bytes == before)
  }

  @Test func anEarlierVersionIsBroughtUpToDateByTheNextRun() throws {
    let file = try writeEarlier()
    var run = KeptRun(
      run: WrittenHistory.run(4), tests: [WrittenHistory.result(WrittenHistory.first, .passed)])
    run.add(pass: [1, 2, 3], of: WrittenHistory.first, began: nil)
    try file.add(run)
    #expect(try history.value("PRAGMA user_version") == "\(later.version)")
    #expect(try history.value("SELECT count(*) FROM outcomes") == "4")
    #expect(try history.value("SELECT count(*) FROM recorded_passes") == "1")
    #expect(try history.value("SELECT count(*) FROM flaky_tests") == "1")
    #expect(try past(file) == [.failed, .failed, .failed, .passed, .failed])
  }

  /// Each version that was written is read, and brought up to date with its passes.
  @Test(arguments: 1..<versions.count) func passesOfEachVersionStay(version: Int) throws {
    try history.write(HistorySchema(versions: Array(Self.versions.prefix(version))), "passed")
    try TestConnection(
      history.file.path,
      """
      INSERT INTO \(version < 4 ? "passes" : "recorded_passes") (test, label, run, began, story) SELECT id, '\(WrittenHistory.label)', 1, 7, x'1F8B' FROM tests;
      INSERT INTO variations (test, label, varied) SELECT id, '\(WrittenHistory.label)', '' FROM tests
      """
    ).close()
    func check() throws {
      let found = try history.file.passes(of: [WrittenHistory.first], label: WrittenHistory.label)
      let pass = try #require(found[WrittenHistory.first]?.first)
      #expect(pass.packed == [0x1F, 0x8B] && pass.began == 7 && pass.varied.isEmpty)
      #expect(try history.file.places(ofRun: pass.run) == nil)
    }
    let before = try history.bytes
    try check()
    #expect(try history.bytes == before)
    try history.add(2, .failed)
    #expect(try history.value("PRAGMA user_version") == "\(Self.versions.count)")
    try check()
  }

  @Test func anEarlierVersionThatIsNotWhatItSaysIsRefused() throws {
    let file = try writeEarlier()
    try TestConnection(file.path, "CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END").close()
    let error = try #require(throws: HistoryError.self) { try past(file) }
    #expect(error.problem == .altered)
  }

  @Test func aMigrationThatFailsLeavesTheFileAsItWas() throws {
    var file = try writeEarlier()
    file.schema = HistorySchema(
      versions: earlier.versions + [["CREATE TABLE fresh (a)", "CREATE TABLE runs (a)"]])
    let before = try history.bytes
    #expect(throws: HistoryError.self) {
      try file.add(KeptRun(run: WrittenHistory.run(4), tests: []))
    }
    #expect(try history.bytes == before)
  }

  @Test func theDocumentHasTheStatementsOfTheNewestVersion() throws {
    let document = try String(contentsOf: ThisPackage.file("docs/history.md"), encoding: .utf8)
    for entry in try HistorySchema.current.entries(ofVersion: HistorySchema.current.version)
    where entry[0] == "table" || entry[0] == "view" {
      #expect(document.contains("`\(entry[1])`"), "\(entry[1])")
    }
    #expect(document.contains("`user_version` is \(HistorySchema.current.version)"))
  }
}
