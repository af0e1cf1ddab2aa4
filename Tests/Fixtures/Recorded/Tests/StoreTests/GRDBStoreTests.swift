import Attach
import AttachGRDB
import Foundation
import GRDB
import Testing

/// What a store of GRDB promises; all of these pass.
@Suite(.attachOnFailure) struct GRDBStoreTests {
  static let kinds: [StoreKind] = [.onDisk, .inMemory]

  @Test(arguments: kinds) func aHundredStoresAtOnceSeeTheirOwnRowsOnly(kind: StoreKind) async throws {
    let stores = try (0..<100).map { _ in try GRDBStore(kind) { $0.maximumReaderCount = 1 } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          try await store.writer.write { db in
            try db.execute(sql: "CREATE TABLE number(value INTEGER)")
            try db.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
          }
        }
      }
      try await group.waitForAll()
    }
    for (number, store) in stores.enumerated() {
      let numbers = try await store.writer.read { try Int.fetchAll($0, sql: "SELECT value FROM number") }
      #expect(numbers == [number])
      try store.destroy()
    }
  }

  @Test(arguments: kinds) func aStoreLeavesNothingBehind(kind: StoreKind) throws {
    let store = try GRDBStore(kind)
    try store.write { try $0.execute(sql: "CREATE TABLE number(value INTEGER)") }
    try store.checkpoint()
    try store.destroy()
    try store.destroy()
    #expect(!FileManager.default.fileExists(atPath: store.folder.path))
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() {
    let error = #expect(throws: StoreError.self) {
      try GRDBStore(.onDisk, in: URL(fileURLWithPath: "/nowhere"))
    }
    #expect(error?.reason == .folder && error?.description.contains("/nowhere") == true)
  }

  @Test(arguments: kinds) func aWriteThatThrowsLeavesTheStoreAsItWas(kind: StoreKind) throws {
    let store = try GRDBStore(kind)
    try store.write { try $0.execute(sql: "CREATE TABLE number(value INTEGER)") }
    #expect(throws: Refused.self) {
      try store.write { db in
        try db.execute(sql: "INSERT INTO number VALUES (1)")
        throw Refused()
      }
    }
    #expect(try store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM number") } == 0)
    try store.destroy()
  }

  @Test(arguments: kinds) func aConnectionThatTheAppOpensCountsOn(kind: StoreKind) throws {
    let store = try GRDBStore(kind)
    #expect(
      try store.writer.read { try String.fetchOne($0, sql: "SELECT uuid()") } == UUID.seed(0).uuidString)
    let own = try DatabaseQueue(path: store.writer.path)
    #expect(try own.read { try String.fetchOne($0, sql: "SELECT uuid()") } == UUID.seed(1).uuidString)
    let other = try DatabaseQueue()
    #expect(throws: DatabaseError.self) { try other.read { try String.fetchOne($0, sql: "SELECT uuid()") } }
    try own.close()
    try store.destroy()
  }

  @Test(arguments: kinds) func theAppsOwnFunctionWins(kind: StoreKind) throws {
    let own = DatabaseFunction("uuid", argumentCount: 0) { _ in "the app's" }
    let store = try GRDBStore(kind) { configuration in
      configuration.prepareDatabase { $0.add(function: own) }
    }
    #expect(try store.writer.read { try String.fetchOne($0, sql: "SELECT uuid()") } == "the app's")
    try store.destroy()
  }
}
