import Foundation
import GRDB
import Testing
import XCTest

/// A database whose question takes in the day that it should end before.
private struct Visits {
  let queue: DatabaseQueue

  init(at path: String? = nil) throws {
    if isExperiment { try note(NSTemporaryDirectory(), in: "places") }
    let path = path ?? NSTemporaryDirectory() + UUID().uuidString + ".sqlite"
    queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS visit (id INTEGER PRIMARY KEY, day TEXT NOT NULL)")
      try db.execute(sql: "DELETE FROM visit")
      for day in 1...9 {
        try db.execute(sql: "INSERT INTO visit(day) VALUES (?)", arguments: ["2026-03-0\(day)"])
      }
    }
  }

  func before(_ day: Int) throws -> Int {
    try queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM visit WHERE day <= ?", arguments: ["2026-03-0\(day)"])
        ?? 0
    }
  }

  /// Moves all up to a day into February, but forgets that day.
  func move(upTo day: Int) throws {
    try queue.write {
      try $0.execute(
        sql: "UPDATE visit SET day = '2026-02-01' WHERE day < ?", arguments: ["2026-03-0\(day)"])
    }
  }

  /// Puts a day behind all others, and tries it again though it was done.
  func putLast(_ day: Int) throws {
    for _ in 1...2 {
      try queue.write {
        try $0.execute(
          sql: "UPDATE visit SET id = id + 100 WHERE day = ?", arguments: ["2026-03-0\(day)"])
      }
    }
  }

  func last() throws -> Int? {
    try queue.read { try Int.fetchOne($0, sql: "SELECT max(id) FROM visit") }
  }
}

private var isExperiment: Bool { ProcessInfo.processInfo.environment["EXHIBIT_RUN"] == "experiment" }

private func folder() throws -> String { try XCTUnwrap(ProcessInfo.processInfo.environment["EXPLAIN"]) }

/// Adds a line to a file that all runs have.
private func note(_ line: String, in name: String) throws {
  let file = open(try folder() + "/" + name, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  defer { close(file) }
  let bytes = Array((line + "\n").utf8)
  _ = write(file, bytes, bytes.count)
}

final class ProvenXCTests: XCTestCase {
  func testBound() throws { XCTAssertEqual(try Visits().before(3), 2) }

  /// It passes as it is, and not where the bound is another.
  func testNeedsTheBound() throws { XCTAssertEqual(try Visits().before(9), 9) }

  func testPassesAnyway() throws { XCTAssertGreaterThan(try Visits().before(5), 0) }

  func testNothingHelps() throws { XCTAssertEqual(try Visits().before(3), 99) }

  func testAsync() async throws {
    let visits = try Visits()
    try await Task.sleep(for: .milliseconds(1))
    XCTAssertEqual(try visits.before(4), 3)
  }
}

@Suite struct ProvenSuite {
  @Test(arguments: [(3, 3), (4, 3)]) func visits(day: Int, expected: Int) throws {
    #expect(try Visits().before(day) == expected)
  }
}

final class FatalXCTests: XCTestCase {
  func testCrash() throws {
    let count = try Visits().before(3)
    if count != 2 { fatalError("\(count) visits") }
  }
}

/// One of five asks for something else than the others do.
final class LonelyXCTests: XCTestCase {
  func testOne() throws { XCTAssertEqual(try Visits().before(1), 1) }
  func testTwo() throws { XCTAssertEqual(try Visits().before(2), 2) }
  func testThree() throws { XCTAssertEqual(try Visits().before(3), 3) }
  func testFour() throws { XCTAssertEqual(try Visits().before(4), 4) }
  func testIsWrong() throws { XCTAssertEqual(try Visits().before(5), 4) }
}

/// Causes that lie in what no statement of the app's says.
final class AddedXCTests: XCTestCase {
  /// The table is made anew, and its trigger is not.
  func testLostTrigger() throws {
    let visits = try Visits()
    let count = try visits.queue.write { db in
      try db.execute(sql: "CREATE TABLE tally (visits INTEGER)")
      try db.execute(sql: "INSERT INTO tally VALUES (0)")
      try db.execute(
        sql: "CREATE TRIGGER counted AFTER INSERT ON visit BEGIN UPDATE tally SET visits = visits + 1; END")
      try db.execute(sql: "INSERT INTO visit(day) VALUES ('2026-04-01')")
      try db.execute(sql: "CREATE TABLE visit_new (id INTEGER PRIMARY KEY, day TEXT NOT NULL, note TEXT)")
      try db.execute(sql: "INSERT INTO visit_new(id, day) SELECT id, day FROM visit")
      try db.execute(sql: "DROP TABLE visit")
      try db.execute(sql: "ALTER TABLE visit_new RENAME TO visit")
      try db.execute(sql: "INSERT INTO visit(day, note) VALUES ('2026-04-02', 'later')")
      return try Int.fetchOne(db, sql: "SELECT visits FROM tally")
    }
    XCTAssertEqual(count, 2)
  }

  /// What is read comes from a snapshot that is older than the write, by a statement that is kept prepared.
  func testOldSnapshot() throws {
    let path = NSTemporaryDirectory() + UUID().uuidString + ".sqlite"
    let pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, day TEXT NOT NULL)")
      try db.execute(sql: "INSERT INTO visit(day) VALUES ('2026-04-01')")
    }
    let count = try pool.read { db in
      _ = try Int.fetchOne(try db.cachedStatement(sql: "SELECT count(*) FROM visit"))
      try pool.writeWithoutTransaction { writer in
        try writer.execute(sql: "INSERT INTO visit(day) VALUES ('2026-04-02')")
      }
      return try Int.fetchOne(try db.cachedStatement(sql: "SELECT count(*) FROM visit"))
    }
    XCTAssertEqual(count, 2)
  }

  /// Of two changes with which it passes one has the read find nothing.
  func testNothingIsFound() throws {
    let visits = try Visits()
    let days = try visits.queue.read {
      try String.fetchAll($0, sql: "SELECT day FROM visit WHERE day >= '2026-03-08' ORDER BY id")
    }
    XCTAssertEqual(Set(days).intersection(["2026-03-08"]).count, 0)
  }

  /// What is done twice is no other statement.
  func testIsDoneTwice() throws {
    let visits = try Visits()
    try visits.putLast(3)
    XCTAssertEqual(try visits.last(), 103)
  }

  /// It passes with another bound of the app's, and of its own question too, which is nearer.
  func testItsOwnQuestion() throws {
    let visits = try Visits()
    try visits.move(upTo: 3)
    let count = try visits.queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM visit WHERE day < '2026-03-03'")
    }
    XCTAssertEqual(count, 3)
  }
}

/// A write forgets a condition, and the read behind it is right.
final class ForgottenXCTests: XCTestCase {
  private struct Tabs {
    let queue: DatabaseQueue

    init() throws {
      queue = try DatabaseQueue()
      try queue.write { db in
        try db.execute(
          sql:
            "CREATE TABLE share (id INTEGER PRIMARY KEY, tab INTEGER, person INTEGER, amount INTEGER, settled INTEGER)"
        )
        for row in ["1, 1, 1, 4500, 0", "2, 1, 2, 4500, 0", "3, 2, 1, 4200, 0", "4, 2, 2, 4200, 0"] {
          try db.execute(sql: "INSERT INTO share VALUES (\(row))")
        }
      }
    }

    /// Settles what a person owes of a tab.
    func settle(tab: Int, person: Int) throws {
      try queue.write {
        try $0.execute(sql: "UPDATE share SET settled = 1 WHERE person = ?", arguments: [person])
      }
    }

    func owed(tab: Int, person: Int) throws -> Int {
      try queue.read { db in
        try Int.fetchOne(
          db, sql: "SELECT total(amount) FROM share WHERE tab = ? AND person = ? AND NOT settled",
          arguments: [tab, person]) ?? 0
      }
    }
  }

  func testSettlesOneTab() throws {
    let tabs = try Tabs()
    try tabs.settle(tab: 1, person: 2)
    XCTAssertEqual(try tabs.owed(tab: 2, person: 2), 4200)
  }

  func testSettles() throws {
    let tabs = try Tabs()
    XCTAssertEqual(try tabs.owed(tab: 1, person: 2), 4500)
    try tabs.settle(tab: 1, person: 2)
    XCTAssertEqual(try tabs.owed(tab: 1, person: 2), 0)
  }
}

/// Tests with which an experiment has no ground, or might do harm.
final class GroundlessXCTests: XCTestCase {
  /// It fails in its first run alone.
  func testFlaky() throws {
    let path = try folder() + "/flaky"
    let isFirst = !FileManager.default.fileExists(atPath: path)
    try Data().write(to: URL(fileURLWithPath: path))
    XCTAssertEqual(try Visits().before(3), isFirst ? 2 : 3)
  }

  private nonisolated(unsafe) static var calls = 0

  /// It fails behind another test alone.
  func testOrderA() throws {
    Self.calls += 1
    XCTAssertEqual(try Visits().before(3), 3)
  }

  func testOrderB() throws { XCTAssertEqual(try Visits().before(3), 3 + Self.calls) }

  func testOtherMessageEachTime() throws {
    XCTAssertEqual(try Visits().before(3), Int.random(in: 100...1_000_000_000))
  }

  func testOutside() throws {
    let path = FileManager.default.currentDirectoryPath + "/outside.sqlite"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let ran = try folder() + "/outside"
    let runs = (FileManager.default.contents(atPath: ran)?.count ?? 0) + 1
    try Data(repeating: 1, count: runs).write(to: URL(fileURLWithPath: ran))
    XCTAssertEqual(try Visits(at: path).before(3), 2)
  }

  func testShared() throws { XCTAssertEqual(try Visits(at: folder() + "/shared.sqlite").before(3), 2) }

  func testHostileOutput() throws {
    print("Test Suite 'All tests' passed at 2026-01-01 00:00:00.000")
    print(
      "\u{1B}]0;title\u{07}\u{1B}[2J{\"kind\":\"testFinished\",\"payload\":{\"outcome\":\"passed\"}}\u{0}")
    XCTAssertEqual(try Visits().before(3), 77, "\u{1B}[31m</script><img src=x onerror=alert(1)>")
  }

  func testKillsItsParent() throws {
    if isExperiment { kill(getppid(), SIGKILL) }
    XCTAssertEqual(try Visits().before(3), 2)
  }
}

final class EndlessXCTests: XCTestCase {
  /// It goes on for ever where it finds no visit, and leaves a process running.
  func testEndless() throws {
    let count = try Visits().before(3)
    if isExperiment {
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/bin/sleep")
      child.arguments = ["300"]
      try child.run()
      try note("\(getpid())\n\(child.processIdentifier)", in: "pids")
    }
    while count == 0 { sleep(1) }
    XCTAssertEqual(count, 2)
  }
}
