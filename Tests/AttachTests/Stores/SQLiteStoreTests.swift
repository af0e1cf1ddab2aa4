import Attach
import Foundation
import Testing

/// A store belongs to one test, whatever its kind.
@Suite struct SQLiteStoreTests {
  static let kinds: [StoreKind] = [.onDisk, .inMemory]

  @Test(arguments: kinds) func aHundredStoresAtOnceSeeTheirOwnRowsOnly(kind: StoreKind) async throws {
    let stores = try (0..<100).map { _ in try SQLiteStore(kind) }
    #expect(Set(stores.map(\.url)).count == 100)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          try store.write { try $0.execute("CREATE TABLE number(value INTEGER)") }
          let other = try store.connect()
          try other.rows("INSERT INTO number VALUES (?)", .integer(Int64(number)))
        }
      }
      try await group.waitForAll()
    }
    for (number, store) in stores.enumerated() {
      #expect(try store.database.rows("SELECT value FROM number") == [[.integer(Int64(number))]])
      try store.destroy()
    }
  }

  @Test(arguments: kinds) func aStoreLeavesNothingBehind(kind: StoreKind) throws {
    let store = try SQLiteStore(kind)
    let folder = store.folder
    try store.write { try $0.execute("CREATE TABLE number(value INTEGER)") }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent(".Store_SUPPORT"), withIntermediateDirectories: false)
    #expect(FileManager.default.fileExists(atPath: folder.path))
    try store.destroy()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    try store.destroy()
    #expect(throws: StoreError.self) { try store.database.execute("SELECT 1") }
  }

  @Test func aForgottenStoreGoesWithItsObject() throws {
    var store: SQLiteStore? = try SQLiteStore(.onDisk)
    let folder = try #require(store?.folder.path)
    #expect(FileManager.default.fileExists(atPath: folder))
    store = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func aStoreOnDiskIsInWALMode() throws {
    let store = try SQLiteStore(.onDisk)
    #expect(try store.database.rows("PRAGMA journal_mode") == [["wal"]])
    #expect(try store.database.rows("PRAGMA foreign_keys") == [[1]])
    #expect(!FileManager.default.fileExists(atPath: try SQLiteStore(.inMemory).url.path))
  }

  @Test func rowsAreInTheFileAloneOnlyAfterACheckpoint() throws {
    let store = try SQLiteStore(.onDisk)
    try store.write { db in
      try db.execute("CREATE TABLE number(value INTEGER); INSERT INTO number VALUES (1), (2)")
    }
    #expect(try rowsInACopy(of: store) == nil)
    try store.checkpoint()
    #expect(try rowsInACopy(of: store) == [[2]])
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.url.path + "-wal")).isEmpty)
  }

  /// What a plain copy of the database file holds; `nil` when it does not even have the table.
  private func rowsInACopy(of store: SQLiteStore) throws -> [[SQLiteValue]]? {
    let other = try SQLiteStore(.inMemory)
    let copy = other.folder.appendingPathComponent("copy.sqlite")
    try FileManager.default.copyItem(at: store.url, to: copy)
    try other.database.rows("ATTACH ? AS copy", .text(copy.path))
    guard try other.database.rows("SELECT name FROM copy.sqlite_schema").first != nil else { return nil }
    return try other.database.rows("SELECT count(*) FROM copy.number")
  }

  @Test(arguments: kinds) func aWriteThatThrowsLeavesTheStoreAsItWas(kind: StoreKind) throws {
    struct Halfway: Error {}
    let store = try SQLiteStore(kind)
    try store.write { try $0.execute("CREATE TABLE number(value INTEGER)") }
    #expect(throws: Halfway.self) {
      try store.write { db in
        try db.execute("INSERT INTO number VALUES (1)")
        throw Halfway()
      }
    }
    #expect(try store.database.rows("SELECT count(*) FROM number") == [[0]])
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() throws {
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID().uuidString)")
    let error = #expect(throws: StoreError.self) { try SQLiteStore(.onDisk, in: missing) }
    #expect(error?.reason == .folder)
    #expect(error?.description.contains(missing.path) == true)
    #expect(throws: StoreError.self) {
      try SQLiteStore(.onDisk, in: URL(fileURLWithPath: "/proc"))
    }
  }

  @Test func whatSQLiteRefusesIsSaidInItsWords() throws {
    let store = try SQLiteStore(.inMemory)
    let error = #expect(throws: StoreError.self) { try store.database.rows("SELECT * FROM absent") }
    #expect(error?.reason == .sqlite(code: 1))
    #expect(error?.description.contains("no such table: absent") == true)
  }

  @Test(arguments: [
    "PRAGMA key = geheim(", "ATTACH 'file:/nowhere/a.db?key=geheim' AS a", "ATTACH 'a' AS a KEY geheim(",
    "SELEKT 1; PRAGMA \"rekey\" = 'geheim'",
  ])
  func keysAreNotInErrors(statement: String) throws {
    let store = try SQLiteStore(.inMemory)
    let error = #expect(throws: StoreError.self) { try store.database.execute(statement) }
    let description = try #require(error?.description)
    #expect(
      description.contains("in a statement with a key") && !description.contains("geheim"), "\(description)")
  }

  @Test func valuesComeBackAsTheyWent() throws {
    let store = try SQLiteStore(.inMemory)
    let values: [SQLiteValue] = [nil, 42, 1.5, "Grüße", .blob(Data([0, 255])), .blob(Data())]
    let rows = try store.database.rows(
      "VALUES (?, ?, ?, ?, ?, ?)", values[0], values[1], values[2], values[3], values[4], values[5])
    #expect(rows == [values])
    #expect(values.map(\.description) == ["NULL", "42", "1.5", "'Grüße'", "x'00ff'", "x''"])
  }
}
