import Attach
import GRDB
import Testing

/// Tests of Swift Testing that pass, many of them at once.
@Suite struct PassSuite {
  private func add(_ rows: Int, _ table: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE \(table)(x)")
      for row in 0..<rows { try db.execute(sql: "INSERT INTO \(table) VALUES (?)", arguments: [row]) }
    }
  }

  @Test func single() throws { try add(2, "single") }
  @Test(arguments: 1...4) func cases(number: Int) throws { try add(number, "case\(number)") }
  @Test(arguments: 0..<300) func atOnce(number: Int) async throws {
    try add(5, "once\(number)")
    await Task.yield()
  }
}
