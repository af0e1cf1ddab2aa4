import Attach
import Foundation
import GRDB
import GRDBSQLite
import Testing

/// Prints nanoseconds of CPU time of each thing as ci/bench reads them, and fails, so that what was recorded can be
/// looked at.
@Suite(.attachOnFailure) struct TracingTests {
  /// A record type as GRDB's users write it.
  struct Player: Codable, PersistableRecord {
    var id: Int64
    var name: String
    var score: Double
  }

  @Test func records() throws {
    let queue = try DatabaseQueue()
    try queue.write {
      try $0.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score REAL)")
    }
    let count = 20_000
    let start = processorTime()
    try queue.write { db in
      for id in 0..<count {
        try Player(id: Int64(id), name: "Player \(id)", score: Double(id) / 4).insert(db)
      }
    }
    report("records", (processorTime() - start) / Double(count))
    Issue.record("to be looked at")
  }

  @Test func rows() {
    let db = RawDatabase()
    report("rows", db.insert(200_000))
    Issue.record("to be looked at")
  }

  /// Two at once, each with a connection of its own.
  @Test(arguments: 0..<2) func rowsAtOnce(number: Int) async {
    let db = RawDatabase()
    await Meeting.of2.arrive()
    report("rowsAtOnce", db.insert(200_000))
    Issue.record("to be looked at")
  }

  @Test func lookups() {
    let db = RawDatabase()
    db.fill()
    report("lookups", db.lookUp(200_000))
    Issue.record("to be looked at")
  }

  @Test func updates() {
    let db = RawDatabase()
    db.fill()
    report("updates", db.update(200_000))
    Issue.record("to be looked at")
  }

  @Test func deletion() {
    let db = RawDatabase()
    let times = (0..<5).map { _ in
      _ = db.insert(10_000)
      let start = processorTime()
      db.run("DELETE FROM t")
      return processorTime() - start
    }
    report("deletion", times.sorted()[2])
    db.run("BEGIN")
    for _ in 0..<100 { db.run("INSERT INTO t VALUES(1, 'behind', 2)") }
    Issue.record("to be looked at")
  }

  private func report(_ what: String, _ nanoseconds: Double) { print("TRACING \(what) \(nanoseconds)") }
}

/// A table in memory.
private struct RawDatabase {
  private let db: OpaquePointer

  init() {
    var db: OpaquePointer?
    guard sqlite3_open(":memory:", &db) == SQLITE_OK, let db else {
      preconditionFailure("It cannot be opened.")
    }
    self.db = db
    run("CREATE TABLE t(a, b, c)")
  }

  func run(_ sql: String) { precondition(sqlite3_exec(db, sql, nil, nil, nil) == SQLITE_OK) }

  /// Nanoseconds for each of so many rows, inserted by one prepared statement in one transaction.
  func insert(_ count: Int) -> Double {
    run("BEGIN")
    var statement: OpaquePointer?
    precondition(sqlite3_prepare_v2(db, "INSERT INTO t VALUES(?, ?, ?)", -1, &statement, nil) == SQLITE_OK)
    let text = strdup("some text")
    defer { free(text) }
    let start = processorTime()
    for row in 0..<count {
      sqlite3_bind_int64(statement, 1, Int64(row))
      sqlite3_bind_text(statement, 2, text, 9, nil)
      sqlite3_bind_double(statement, 3, Double(row) / 4)
      precondition(sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK)
    }
    let time = processorTime() - start
    sqlite3_finalize(statement)
    run("COMMIT")
    return time / Double(count)
  }

  /// A thousand rows with a key.
  func fill() {
    run("CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score REAL)")
    run(
      """
      WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 1000)
      INSERT INTO player SELECT value, 'player ' || value, value / 4.0 FROM number
      """)
  }

  /// Nanoseconds for each of so many rows, read by their keys in one transaction.
  func lookUp(_ count: Int) -> Double {
    repeated(count, "SELECT id, name, score FROM player WHERE id = ?") { statement, number in
      sqlite3_bind_int64(statement, 1, Int64(1 + number % 1000))
      precondition(sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int64(statement, 0) > 0)
      precondition(sqlite3_column_text(statement, 1) != nil && sqlite3_column_double(statement, 2) > 0)
    }
  }

  /// Nanoseconds for each of so many rows, updated by their keys in one transaction.
  func update(_ count: Int) -> Double {
    repeated(count, "UPDATE player SET score = ? WHERE id = ?") { statement, number in
      sqlite3_bind_double(statement, 1, Double(number) / 8)
      sqlite3_bind_int64(statement, 2, Int64(1 + number % 1000))
    }
  }

  private func repeated(_ count: Int, _ sql: String, _ begin: (OpaquePointer?, Int) -> Void) -> Double {
    run("BEGIN")
    var statement: OpaquePointer?
    precondition(sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK)
    let start = processorTime()
    for number in 0..<count {
      begin(statement, number)
      precondition(sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK)
    }
    let time = processorTime() - start
    sqlite3_finalize(statement)
    run("COMMIT")
    return time / Double(count)
  }
}

/// Waits until both are there.
private actor Meeting {
  static let of2 = Meeting()
  private var waiting: CheckedContinuation<Void, Never>?

  func arrive() async {
    if let other = waiting {
      waiting = nil
      other.resume()
    } else {
      await withCheckedContinuation { waiting = $0 }
    }
  }
}

/// Nanoseconds of this thread.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
