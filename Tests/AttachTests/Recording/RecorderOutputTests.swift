import Collector
import Foundation
import Testing

@testable import Attach

/// What a process writes into its log, and when.
@Suite struct RecorderOutputTests {
  private let process: RecordedProcess

  init() throws {
    process = try RecordedProcess()
  }

  private func kinds(_ payloads: [any LogPayload]) -> [String] { payloads.map { type(of: $0).kind } }

  @Test func nothingIsMadeBeforeTheFirstTest() throws {
    process.recorder.output.logIfOpen(DatabaseClosing(connection: 1), test: nil)
    #expect(process.recorder.output.run == nil)
    #expect(!FileManager.default.fileExists(atPath: process.path("artifacts")))
    _ = process.begin("a()")
    #expect(process.recorder.output.run != nil)
  }

  @Test func aLogBeginsWithWhatIsOpen() throws {
    _ = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: .nobody)
    let scope = process.begin("a()")
    #expect(kinds(try process.events(of: nil)) == ["databaseOpened"])
    #expect(kinds(try process.events(of: scope.id)) == ["testStarted"])
  }

  @Test func theFirstUseOfWhatATestDidNotOpenIsLogged() throws {
    let connection = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: .nobody)
    let scope = process.begin("a()")
    process.recorder.connectionUsed(connection, by: scope)
    process.recorder.connectionUsed(connection, by: scope)
    #expect(kinds(try process.events(of: scope.id)) == ["testStarted", "databaseUsed"])
  }

  @Test func aRemovedFolderIsBegunAgainWithWhatGoesOn() throws {
    _ = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: .nobody)
    let scope = process.begin("a()")
    process.requests.exclude(Exclusions(tables: ["person"]), for: scope)
    try FileManager.default.removeItem(at: process.folder.appendingPathComponent("artifacts"))
    process.recorder.record(RecordedIssue(severity: .warning, message: "later"), of: scope)
    #expect(kinds(try process.events(of: nil)) == ["captureFailed", "databaseOpened"])
    #expect(kinds(try process.events(of: scope.id)) == ["testStarted", "tablesExcluded", "issue"])
  }

  @Test func theEndCountsTestsAndFailures() throws {
    let (first, second) = (process.begin("a()"), process.begin("b()"))
    #expect(process.recorder.tests.loneSerial == 0)
    process.recorder.finish(first, outcome: .failed, duration: 1)
    #expect(process.recorder.tests.isAlone(second))
    process.recorder.finish(second, outcome: .passed, duration: 1)
    process.recorder.output.finish(ProcessEnd(tests: 2, failed: 1))
    let ends = try process.events(of: nil).compactMap {
      if let end = $0 as? ProcessEnd { end } else { nil }
    }
    #expect(ends.map(\.tests) == [2])
    #expect(ends.map(\.failed) == [1])
  }
}
