import Attach
import Foundation
import GRDB
import Testing
import XCTest

struct Refused: Error {}

extension Database {
  func createPlayers(_ names: [String]) throws {
    try execute(sql: "CREATE TABLE IF NOT EXISTS player(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    for name in names { try execute(sql: "INSERT INTO player(name) VALUES (?)", arguments: [name]) }
  }
}

private func makeFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("closed-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

/// Databases that are closed, and some deleted, before anybody knows that their test fails.
final class ClosedXCTests: XCTestCase {
  func testThrowsWithALocalDatabaseInMemory() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.createPlayers(["thrown in memory"]) }
    throw Refused()
  }

  func testThrowsAndRemovesItsFolder() throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try DatabasePool(path: folder.appendingPathComponent("removed.sqlite").path)
    try pool.write { try $0.createPlayers(["removed"]) }
    throw Refused()
  }

  func testClosesBeforeItFails() throws {
    try { try DatabaseQueue().write { try $0.createPlayers(["closed early"]) } }()
    XCTFail("after closing")
  }

  func testReopensItsDatabase() throws {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("reopened.sqlite").path
    try DatabasePool(path: path).write { try $0.createPlayers(["first"]) }
    let pool = try DatabasePool(path: path)
    try pool.write { try $0.createPlayers(["second"]) }
    throw Refused()
  }

  func testPassesAndRemovesItsFolder() throws {
    let folder = try makeFolder()
    try DatabasePool(path: folder.appendingPathComponent("passes.sqlite").path)
      .write { try $0.createPlayers(["passes"]) }
    try FileManager.default.removeItem(at: folder)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    XCTAssertLessThan(open.count, 200)
  }
}

/// The suite's `deinit` removes the folder while the pool is still open.
@Suite(.attachOnFailure) final class ClosedTraitTests {
  private let folder: URL
  private let pool: DatabasePool
  private let memory: DatabaseQueue

  init() throws {
    folder = try makeFolder()
    pool = try DatabasePool(path: folder.appendingPathComponent("suite.sqlite").path)
    memory = try DatabaseQueue()
    try memory.write { try $0.createPlayers(["suite memory"]) }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func throwsAtItsEnd() throws {
    try pool.write { try $0.createPlayers(["suite"]) }
    throw Refused()
  }

  @Test(arguments: 0..<10) func throwsInParallel(number: Int) async throws {
    try await pool.write { try $0.createPlayers(["number \(number)"]) }
    await Task.yield()
    if number % 2 == 0 { throw Refused() }
  }
}
