import Collector
import Foundation
import Testing

/// Databases that the app has open through a copy of SQLite of its own, beside the one that Exhibit sees.
@Suite(.enabled(if: StaticSQLite.renamed != nil, "needs libsqlite3.a and objcopy"))
struct SecondSQLiteTests {
  private static let recorded = Task { try await FixturePackage.secondSQLite.test() }
  private func run() async throws -> FixtureRun { try await Self.recorded.value }

  private static let rows = "SELECT group_concat(text) FROM note"

  @Test func aHelperProcessReadsDatabaseAndWAL() async throws {
    let run = try await run()
    let test = "SecondTests.SecondTests/testWAL"
    let evidence = try #require(run.evidence(of: test).first)
    #expect(evidence.database?.method == .helper)
    #expect(evidence.database?.wal == .committed)
    #expect(try run.value(Self.rows, in: evidence) == "one,two")
    let history = try #require(evidence.database?.history)
    #expect(FileManager.default.fileExists(atPath: "\(try run.runs[0])/\(history)/second.sqlite-wal"))
    #expect(run.failures(of: test).isEmpty)
    #expect(run.issues(of: test).count == 1)
  }

  @Test func theAppsLocksStay() async throws {
    let run = try await run()
    let test = "SecondTests.SecondTests/testLocksStayWhereTheyAre"
    #expect(run.output.contains("second.sqlite is locked"))
    #expect(run.issues(of: test).count == 1)
    let evidence = run.evidence(of: test)
    // Registered as a file and in its folder, and not a second time because it is open.
    #expect(evidence.map(\.kind) == [.database, .directory])
    #expect(try run.value(Self.rows, in: evidence[0]) == "one,two")
    #expect(try ArchiveListing(path: run.path(of: evidence[1])).entries.map(\.path) == ["second.sqlite"])
  }

  @Test func aLockThatKeepsEverybodyOutIsNamed() async throws {
    let run = try await run()
    let test = "SecondTests.SecondTests/testExclusiveLock"
    #expect(run.failures(of: test).map(\.reason) == [.busy])
    #expect(run.evidence(of: test).isEmpty)
  }

  @Test func theAppsLastDescriptorsStayItsOwn() async throws {
    let run = try await run()
    let test = "SecondTests.SecondTests/testNoDescriptorsLeft"
    let failures = run.failures(of: test)
    #expect(failures.map(\.reason) == [.io])
    #expect(failures.first?.message.contains("file descriptors") == true)
    #expect(run.issues(of: test).count == 1)
  }

  @Test func theAppsHandlingOfItsChildrenStays() async throws {
    let run = try await run()
    let test = "SecondTests.SignalTests/testOwnHandlingOfChildren"
    #expect(run.issues(of: test).count == 1)
    #expect(run.evidence(of: test).first?.database?.method == .helper)
  }

  @Test func testsThatRunAtOnceNameTheirs() async throws {
    let run = try await run()
    for number in 0..<3 {
      let evidence = run.evidence(of: "SecondTests.SecondTraitTests/atOnce(number:) (\(number))")
      #expect(evidence.map(\.database?.method) == [.helper])
      #expect(try run.value("SELECT text FROM note LIMIT 1 OFFSET 2", in: evidence[0]) == "\(number)")
    }
  }

  @Test func aTestThatPassesHasNothing() async throws {
    let run = try await run()
    #expect(run.end(of: "SecondTests.SecondTests/testPasses")?.outcome == .passed)
    #expect(run.evidence(of: "SecondTests.SecondTests/testPasses").isEmpty)
    // A helper is no process of tests.
    #expect(run.logs.count <= 2)
  }
}
