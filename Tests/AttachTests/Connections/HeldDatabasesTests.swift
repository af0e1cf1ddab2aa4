import Collector
import Foundation
import Testing

@testable import Attach

/// What is closed is held for the tests that may still fail.
@Suite struct HeldDatabasesTests {
  private func database(_ connection: Int, at path: String) throws -> HeldDatabase {
    let file = try #require(try HeldFile(path: path))
    return HeldDatabase(
      connection: connection, schema: "main", content: .file(path: path, database: file, wal: nil))
  }

  private func file() throws -> String {
    let path = NSTemporaryDirectory() + "held-\(UUID().uuidString)"
    try Data("content".utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func eachTestHasItsOwn() throws {
    let path = try file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let held = HeldDatabases(of: ConnectionRegistry())
    held.hold(try database(7, at: path), for: [1, 2])
    #expect(held.find("main", of: 7, for: 1) != nil)
    #expect(held.find("main", of: 7, for: 3) == nil)
    #expect(held.find("other", of: 7, for: 1) == nil)
    #expect(held.take(1).held.map(\.connection) == [7])
    #expect(held.take(1).held.isEmpty)
    held.drop(2)
    #expect(held.take(2).held.isEmpty)
  }

  @Test func whatIsOpenedAgainIsLetGo() throws {
    let path = try file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let held = HeldDatabases(of: ConnectionRegistry())
    held.hold(try database(7, at: path), for: [1])
    held.letGo(try #require(OpenDatabase.Storage(path: path)))
    #expect(held.take(1).held.isEmpty)
  }

  @Test func whatMayHaveEndedGivesWayAboveTheLimit() throws {
    let path = try file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let held = HeldDatabases(of: ConnectionRegistry())
    for serial in 1...3 { held.noteUntoldEnd(of: serial) }
    held.noteToldEnd(of: 1)
    for number in 0..<HeldDatabases.limit { held.hold(try database(number, at: path), for: [number % 4]) }
    held.hold(try database(1000, at: path), for: [4])
    #expect(held.take(4).held.map(\.connection) == [1000])
    #expect(held.take(1).refused.isEmpty && held.take(0).refused.isEmpty)
    let (taken, refused) = held.take(2)
    #expect(taken.count == HeldDatabases.limit / 4 - 1)
    #expect(refused.map(\.connection) == [2])
  }

  @Test func aboveTheLimitTheyAreRefused() throws {
    let path = try file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let held = HeldDatabases(of: ConnectionRegistry())
    let database = try database(7, at: path)
    for _ in 0..<HeldDatabases.limit { held.hold(database, for: [1]) }
    held.hold(try self.database(8, at: path), for: [1, 2])
    let (taken, refused) = held.take(1)
    #expect(taken.count == HeldDatabases.limit)
    #expect(refused.map(\.connection) == [8])
    guard case .number? = refused.first?.reason else {
      Issue.record("\(refused)")
      return
    }
    #expect(held.take(2).refused.map(\.connection) == [8])
  }

  @Test func aFileIsReadableAfterItWasDeleted() throws {
    let path = try file()
    let held = try #require(try HeldFile(path: path))
    try FileManager.default.removeItem(atPath: path)
    #expect(held.size == 7)
    #expect(try Data(contentsOf: URL(fileURLWithPath: try held.path)) == Data("content".utf8))
    #expect(try HeldFile(path: path) == nil)
  }

  /// The app has closed what held it, and opened a file under the same number; even the same file.
  @Test(arguments: [true, false]) func whatHeldAFileMayBeAnotherFilesByNow(isSameFile: Bool) throws {
    let (path, other) = (try file(), try file())
    defer { for path in [path, other] { try? FileManager.default.removeItem(atPath: path) } }
    var held: HeldFile? = try HeldFile(path: path)
    let link = try #require(try held?.path)
    let number = try #require(link.split(separator: "/").last.flatMap { Int32($0) })
    let opened = open(isSameFile ? path : other, O_RDWR)
    #expect(dup2(opened, number) == number)
    close(opened)
    defer { close(number) }
    #expect(held?.size == 0)
    #expect(throws: CaptureError.self) { try held?.path }
    held = nil
    #expect(fcntl(number, F_GETFD) >= 0, "it stays open")
  }

  @Test func aTestThatEndsNeedsNothingHeld() throws {
    let process = try RecordedProcess()
    let scope = process.begin("a()")
    let other = process.begin("b()")
    try process.close(try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener))
    try process.close(try process.open(":memory:", "CREATE TABLE t(x)", by: scope.opener))
    #expect(process.recorder.held.take(other.serial).held.isEmpty)
    process.recorder.finish(scope, outcome: .passed, duration: 0)
    #expect(process.recorder.held.take(scope.serial).held.isEmpty)
  }

  @Test func theLastConnectionToADatabaseHasItHeld() throws {
    let process = try RecordedProcess()
    let path = process.path("a.sqlite")
    let first = try process.open(
      path, "CREATE TABLE t(x); ATTACH ':memory:' AS side; CREATE TABLE side.t(x)", by: .nobody)
    let second = try process.open(path, by: .nobody)
    let held = process.recorder.held
    held.hold(databasesOf: first, try process.handle(of: first), for: [1, 2])
    #expect(held.find("main", of: first.number, for: 1) == nil)
    #expect(held.find("side", of: first.number, for: 1) != nil)
    #expect(held.find("side", of: first.number, for: 2) != nil)
    try process.close(first)
    held.hold(databasesOf: second, try process.handle(of: second), for: [1])
    #expect(held.find("main", of: second.number, for: 1)?.path == path)
  }

  @Test func whatNobodyNeedsIsNotHeld() throws {
    let process = try RecordedProcess()
    let connection = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: .nobody)
    process.recorder.held.hold(databasesOf: connection, try process.handle(of: connection), for: [])
    #expect(process.recorder.held.find("main", of: connection.number, for: 0) == nil)
  }

  @Test func eachTestIsToldWhatWasRefusedForIt() throws {
    let held = HeldDatabases(of: ConnectionRegistry())
    for number in 1...300 { held.refuse(number, at: nil, for: [number % 3, 7], because: .number) }
    #expect(held.take(0).refused.map(\.connection) == (1...300).filter { $0 % 3 == 0 })
    held.drop(1)
    #expect(held.take(1).refused.isEmpty)
    #expect(held.take(2).refused.count == 100)
    #expect(held.take(7).refused.map(\.connection) == Array(1...300))
  }

  /// As when a suite's `deinit` removes its folder before its stored connections close.
  @Test(arguments: ["WAL", "DELETE"]) func whatWasDeletedBeforeItsCloseIsHeldWithItsWAL(mode: String) throws {
    let process = try RecordedProcess()
    let path = process.path("a.sqlite")
    let connection = try process.open(
      path, "PRAGMA journal_mode = \(mode); CREATE TABLE t(x); INSERT INTO t VALUES (1)", by: .nobody)
    for name in try FileManager.default.contentsOfDirectory(atPath: process.folder.path)
    where name.hasPrefix("a.sqlite") {
      try FileManager.default.removeItem(atPath: process.path(name))
    }
    let held = process.recorder.held
    held.hold(databasesOf: connection, try process.handle(of: connection), for: [1])
    guard case .file(path, let file, let log) = held.find("main", of: connection.number, for: 1)?.content
    else {
      Issue.record("not held")
      return
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).starts(with: Data("SQLite format 3".utf8)))
    #expect((log != nil) == (mode == "WAL"))
    if let log { #expect(log.size > 0) }
  }
}
