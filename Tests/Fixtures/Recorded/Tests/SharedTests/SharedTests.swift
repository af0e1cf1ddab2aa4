import Attach
import Foundation
import GRDB
import Testing

/// Stores that many tests use at once, none of them prepared to wait for a lock.
enum Stores {
  private static let folder: String = {
    let folder = NSTemporaryDirectory() + "shared-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: Stores.folder) }
    return folder
  }()

  /// Many commits, and no disk to wait for.
  private static let configuration: Configuration = {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous=OFF") }
    return configuration
  }()

  static let rollback = try! prepared(
    DatabaseQueue(path: folder + "/rollback.sqlite", configuration: configuration))
  static let wal = try! prepared(DatabasePool(path: folder + "/wal.sqlite", configuration: configuration))
  static let memory = try! prepared(DatabaseQueue())
  static let unchanged = try! prepared(DatabaseQueue(path: folder + "/unchanged.sqlite"))

  private static func prepared<Writer: DatabaseWriter>(_ writer: Writer) throws -> Writer {
    try writer.write { db in
      try db.execute(sql: "CREATE TABLE note(test INTEGER, number INTEGER); CREATE TABLE filler(bytes BLOB)")
      for _ in 0..<100 { try db.execute(sql: "INSERT INTO filler VALUES (randomblob(3000))") }
    }
    return writer
  }
}

/// Half of the tests fail and have what they used captured, while the others write: nobody may notice.
@Suite(.attachOnFailure) struct SharedTests {
  private static let writes = 30

  @Test(arguments: 0..<16) func rollback(number: Int) async throws {
    try await write(number, to: Stores.rollback)
  }

  @Test(arguments: 0..<16) func wal(number: Int) async throws {
    try await write(number, to: Stores.wal)
    if number.isMultiple(of: 4) {
      _ = try await Stores.wal.writeWithoutTransaction { try $0.checkpoint(.passive) }
    }
  }

  @Test(arguments: 0..<8) func memory(number: Int) async throws {
    try await write(number, to: Stores.memory)
  }

  private func write(_ number: Int, to store: any DatabaseWriter) async throws {
    for count in 0..<Self.writes {
      try await store.write {
        try $0.execute(sql: "INSERT INTO note VALUES (?, ?)", arguments: [number, count])
      }
      if count == Self.writes / 2, number.isMultiple(of: 2) { Issue.record("on purpose") }
    }
    let rows = try await store.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM note WHERE test = ?", arguments: [number])
    }
    #expect(rows == Self.writes)
  }
}

/// A store that several failing tests use and none changes.
@Suite(.attachOnFailure) struct UnchangedTests {
  @Test(arguments: 0..<4) func fails(number: Int) async throws {
    let rows = try await Stores.unchanged.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") }
    #expect(rows == -1)
  }
}
