import Collector
import Foundation
import Testing

/// SQLite in the test executable: its open and close cannot be replaced, and connections may have no mutex.
@Suite(.enabled(if: StaticSQLite.path != nil, "needs libsqlite3.a"))
struct OwnSQLiteTests {
  private static let recorded = Task { try await FixturePackage.ownSQLite.test() }
  private func run() async throws -> FixtureRun { try await Self.recorded.value }

  private static let rows = "SELECT group_concat(text) FROM note"

  @Test(arguments: [
    ("testFileWithoutMutex", DatabaseCapture.Method.readTransaction), ("testMemoryWithMutex", .serialize),
    ("testMemoryOnAQueue", .serialize), ("testThrowsAfterClosing", .held),
  ])
  func databasesAreCapturedAtTheFailure(test: String, method: DatabaseCapture.Method) async throws {
    let run = try await run()
    let evidence = run.evidence(of: "OwnTests.OwnTests/\(test)")
    #expect(evidence.map(\.database?.method) == [method])
    #expect(try run.value(Self.rows, in: evidence[0]) == "one,two")
    #expect(evidence[0].database?.note == nil)
  }

  @Test(arguments: ["testMemoryThatIsUsedAgain", "testMemoryThatIsClosed"])
  func withoutMutexMemoryIsReadWhereItIsUsedNextAndSaysSo(test: String) async throws {
    let run = try await run()
    let evidence = run.evidence(of: "OwnTests.OwnTests/\(test)")
    #expect(evidence.count == 1)
    #expect(try run.value(Self.rows, in: evidence[0]) == "one,two")
    #expect(evidence[0].database?.note?.contains("after the failure") == true)
  }

  @Test func withoutMutexMemoryThatNobodyUsesAgainIsNamed() async throws {
    let run = try await run()
    let test = "OwnTests.OwnTests/testMemoryThatIsKept"
    #expect(run.evidence(of: test).isEmpty)
    #expect(run.failures(of: test).map(\.reason) == [.busy])
  }

  @Test(arguments: [nil, "sqlite3_serialize", "sqlite3_txn_state"])
  func twoCopiesThatAreMixedAreFound(missing: String?) throws {
    #expect(try StaticSQLite.foreignFunction(missing: missing) == missing ?? "none")
  }

  /// The app's authorizer is out of reach, so a statement of ours would call it.
  @Test func whatIsNotCommittedIsLeftOutWithItsReason() async throws {
    let run = try await run()
    let test = "OwnTests.OwnTests/testTransactionOnAQueue"
    let evidence = run.evidence(of: test)
    #expect(evidence.map(\.database?.uncommitted) == [false])
    #expect(try evidence.map { try run.value(Self.rows, in: $0) } == ["one,two"])
    #expect(run.failures(of: test).map(\.reason) == [.unsupported])
    #expect(run.failures(of: test).first?.message.contains("carries its own SQLite") == true)
  }

  @Test func testsThatRunAtOnceFindTheirOwn() async throws {
    let run = try await run()
    for number in 0..<8 {
      let evidence = run.evidence(of: "OwnTests.OwnTraitTests/atOnce(number:) (\(number))")
      #expect(try evidence.map { try run.value(Self.rows, in: $0) } == ["\(number)"])
    }
  }
}
