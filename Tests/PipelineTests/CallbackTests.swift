import Collector
import ExhibitSystem
import Foundation
import Testing

/// Callbacks of the app, its error log and its connections' errors: a capture leaves them as they are.
@Suite struct CallbackTests {
  private static let captured = Task { try await Transcripts(capture: "all") }
  private static let registered = Task { try await Transcripts(capture: "registered") }
  private static let withoutCapture = Task { try await Transcripts(capture: "off") }

  private static let tests = [
    "testMemory", "testMemoryInATransaction", "testFile", "testFileInATransaction",
    "testFileInAnExclusiveTransaction", "testWALInATransaction", "testErrors", "testDamage",
    "testTraceAndProfileInEveryOrder", "testBaseline", "testTemporaryTables", "testClosesAndThrows",
    "testClosesInATransactionAndThrows", "testFreesTheArgumentAndCloses", "testNamedByTheTest",
    "testSession", "testUpdateHook", "testUpdateHookWithAnAuthorizer", "testPreupdateHook",
    "testCommitAndRollbackHooks", "testAuthorizer", "testProgressHandler", "testLegacyTraceAndProfile",
    "testGRDB", "testStatementsOfTheOldPrepare", "testWALHook",
    "testAnalyzeBesideAnAuthorizer", "testExplain", "testRefusedClose", "testProfileIsSetWhileABlobIsOpen",
  ]

  @Test(arguments: tests) func theyHearWhatTheyHeardWithoutUs(test: String) async throws {
    let expected = try await Self.withoutCapture.value[test]
    // Of an argument that is gone the test has nothing to say but that it ended.
    #expect(expected.count > 20 || test == "testFreesTheArgumentAndCloses")
    #expect(try await Self.captured.value[test] == expected)
    #expect(try await Self.registered.value[test] == expected)
  }

  /// What was recorded meanwhile.
  @Test(arguments: [
    ("testSession", "DELETE FROM p"), ("testPreupdateHook", "REPLACE INTO t VALUES(3, 'replaced')"),
    ("testUpdateHookWithAnAuthorizer", "UPDATE t SET y = x WHERE x < 4"),
    ("testGRDB", "INSERT INTO t(y) VALUES(?), (?)"),
  ]) func theStatementsAreRecordedWithTheirRows(test: String, sql: String) async throws {
    let run = try await Self.captured.value.run
    let story = try #require(try run.story(of: "CallbackTests.HookTests/\(test)"))
    let lines = try String(contentsOfFile: story, encoding: .utf8).split(separator: "\n")
    let step = try #require(lines.firstIndex { $0.contains("\"sql\":\"\(sql)\"") })
    #expect(lines[step + 1].contains("\"kind\":\"change\""))
  }

  /// What was captured meanwhile: without it the transcripts would prove nothing.
  @Test(arguments: [
    ("testMemory", ["1"]), ("testMemoryInATransaction", ["1,2"]), ("testFile", ["1"]),
    ("testFileInATransaction", ["1", "1,2"]), ("testFileInAnExclusiveTransaction", ["1", "1,2"]),
    ("testWALInATransaction", ["1", "1,2"]), ("testErrors", Array(repeating: "1,2", count: 6)),
    ("testClosesAndThrows", ["1,2"]), ("testClosesInATransactionAndThrows", ["1,2"]),
    ("testNamedByTheTest", ["1,2"]),
  ]) func theRowsAreCaptured(test: String, rows: [String]) async throws {
    let run = try await Self.captured.value.run
    let evidence = run.evidence(of: "CallbackTests.CallbackTests/\(test)")
      .filter { $0.kind == .database && $0.name != "temp" }
    #expect(try evidence.map { try run.value("SELECT group_concat(x) FROM t", in: $0) } == rows)
    #expect(run.failures(of: "CallbackTests.CallbackTests/\(test)").isEmpty)
  }

  @Test func whatWouldCostTheErrorIsLeftOutWithItsReason() async throws {
    let failures = try await Self.captured.value.run.failures(of: "CallbackTests.CallbackTests/testDamage")
    #expect(failures.map(\.reason) == [.unsupported])
    #expect(failures.first?.message.contains("has the code 11") == true)
  }
}

/// What the suite CallbackTests wrote down, by test.
private struct Transcripts {
  let run: FixtureRun
  private let lines: [String: [String]]

  init(capture: String) async throws {
    let folder = try TemporaryFolder()
    run = try await FixturePackage.recorded.testXCTestsDirectly(
      ["CallbackTests.CallbackTests", "CallbackTests.HookTests"],
      environment: ["EXHIBIT_CAPTURE": capture, "CALLBACK_TRANSCRIPTS": folder.path])
    var lines: [String: [String]] = [:]
    for name in try FileSystem.entries(of: folder.path) {
      lines[name] = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
    self.lines = lines
  }

  /// - Throws: When there is none, as after a crash.
  subscript(test: String) -> [String] {
    get throws { try #require(lines[test]) }
  }
}
