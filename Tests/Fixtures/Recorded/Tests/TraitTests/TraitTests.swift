import Attach
import Foundation
import GRDB
import Testing

extension Database {
  func createPlayers(_ names: [String]) throws {
    try execute(sql: "CREATE TABLE IF NOT EXISTS player(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    for name in names { try execute(sql: "INSERT INTO player(name) VALUES (?)", arguments: [name]) }
  }
}

struct Refused: Error {}

@Suite(.attachOnFailure) struct TraitTests {
  let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.write { try $0.createPlayers(["initial"]) }
  }

  @Test func passes() throws {
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") } == 1)
  }

  @Test func expectation() throws {
    try queue.write { try $0.createPlayers(["expectation"]) }
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") } == 1)
  }

  @Test func requirement() throws {
    try queue.write { try $0.createPlayers(["requirement"]) }
    _ = try #require(Int("not a number"))
  }

  @Test func thrown() throws {
    try queue.write { try $0.createPlayers(["thrown"]) }
    throw Refused()
  }

  @Test func recorded() throws {
    try queue.write { try $0.createPlayers(["recorded"]) }
    Issue.record("recorded by hand")
  }

  @Test func confirmed() async throws {
    try await queue.write { try $0.createPlayers(["confirmed"]) }
    await confirmation("never happens") { _ in }
  }

  @Test func exits() async throws {
    try await queue.write { try $0.createPlayers(["exits"]) }
    await #expect(processExitsWith: .success) { exit(3) }
  }

  @Test func known() throws {
    try queue.write { try $0.createPlayers(["known"]) }
    withKnownIssue("a known bug") { #expect(1 == 2) }
  }

  @Test func warned() throws {
    Issue.record("only a warning", severity: .warning)
  }

  @Test func cancelled() throws {
    try Test.cancel("not today")
  }

  @Test func detached() async {
    await Task.detached { _ = Issue.record("from a detached task") }.value
  }

  @Test(.timeLimit(.minutes(1))) func cancelledWithTimeLimit() throws {
    try Test.cancel("not today")
  }

  @Test(arguments: [1, 2, 3]) func parameterised(number: Int) throws {
    try queue.write { try $0.createPlayers(["argument \(number)"]) }
    #expect(number == 2)
  }

  @Test(arguments: ["same", "same"]) func repeated(word: String) throws {
    try queue.write { try $0.createPlayers([word]) }
    #expect(word == "other")
  }

  @Suite struct Nested {
    @Test func nestedFails() throws {
      let queue = try DatabaseQueue()
      try queue.write { try $0.createPlayers(["nested"]) }
      #expect(1 == 2)
    }

    @Test(.attachOnFailure(.text("{\"a\": 1}", named: "response.json"))) func `raw name / with: marks`() {
      #expect(1 == 3)
    }
  }
}
