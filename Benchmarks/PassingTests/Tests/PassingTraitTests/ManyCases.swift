import Foundation
import GRDB
import Testing

/// As many cases as `CASES` says, which run in parallel, each with a database file, deleted before it is closed, as by a
/// suite that removes its folder at its end.
private let numbers = 0..<(ProcessInfo.processInfo.environment["CASES"].flatMap(Int.init) ?? 1)

@Test(arguments: numbers) func manyCases(number: Int) async throws { try await keepPlayers(number) }

func keepPlayers(_ number: Int) async throws {
  let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  let queue = try DatabaseQueue(path: path)
  defer { withExtendedLifetime(queue) { try? FileManager.default.removeItem(atPath: path) } }
  try await queue.write { try $0.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT)") }
  for player in 0..<10 {
    try await queue.write {
      try $0.execute(sql: "INSERT INTO player(name) VALUES (?)", arguments: ["player \(number) \(player)"])
    }
  }
  let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") }
  #expect(count == 10)
}
