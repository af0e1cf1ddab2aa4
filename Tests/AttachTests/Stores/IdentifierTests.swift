import Attach
import ExhibitCSQLite
import Foundation
import Testing

/// Identifiers that a test knows beforehand.
@Suite struct IdentifierTests {
  @Test func numbersAreReadableInThem() {
    #expect(UUID.seed(0).uuidString == "00000000-0000-0000-0000-000000000000")
    #expect(UUID.seed(26).uuidString == "00000000-0000-0000-0000-00000000001A")
    #expect(UUID.seed(-1).uuidString == "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")
    #expect(UUID.seed(-2).uuidString == "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFE")
    #expect(UUID.seed(.max) != UUID.seed(.min))
  }

  @Test(arguments: SQLiteStoreTests.kinds) func everyStoreCountsFromZero(kind: StoreKind) throws {
    for _ in 0..<2 {
      let store = try SQLiteStore(kind)
      try store.write { try $0.execute("CREATE TABLE game(id TEXT PRIMARY KEY DEFAULT (uuid()), name TEXT)") }
      try store.database.execute("INSERT INTO game(name) VALUES ('Go'), ('Skat')")
      let other = try store.connect()
      try other.execute("INSERT INTO game(name) VALUES ('Chess')")
      try other.rows("INSERT INTO game VALUES (?, ?)", .uuid(.seed(-1)), "Seeded")
      let identifiers = try other.rows("SELECT id FROM game ORDER BY rowid").map { $0[0] }
      #expect(identifiers == [.uuid(.seed(0)), .uuid(.seed(1)), .uuid(.seed(2)), .uuid(.seed(-1))])
    }
  }

  @Test(arguments: SQLiteStoreTests.kinds) func aConnectionThatTheAppOpensCountsOn(kind: StoreKind) throws {
    let store = try SQLiteStore(kind)
    try store.database.execute("CREATE TABLE game(id TEXT DEFAULT (uuid()), name TEXT)")
    try store.database.execute("INSERT INTO game(name) VALUES ('Go')")
    let connection = try AppConnection(store.path)
    #expect(connection.text("INSERT INTO game(name) VALUES ('Skat') RETURNING id") == UUID.seed(1).uuidString)
  }

  @Test func otherDatabasesInMemoryAreLeftAlone() throws {
    let stores = try (0..<3).map { _ in try SQLiteStore(.inMemory) }
    for path in [":memory:", "", "file:other-\(UUID().uuidString)?mode=memory&cache=shared"] {
      #expect(try AppConnection(path).text("SELECT uuid()") == nil, "\(path)")
    }
    let second = try AppConnection(stores[1].path)
    #expect(second.text("SELECT uuid()") == UUID.seed(0).uuidString, "each store has its own numbers")
    // After its end nothing that takes its place has its numbers.
    for store in stores { try store.destroy() }
    #expect(try AppConnection(":memory:").text("SELECT uuid()") == nil)
  }

  @Test(arguments: SQLiteStoreTests.kinds) func theAppsOwnFunctionWins(kind: StoreKind) throws {
    let store = try SQLiteStore(kind)
    let connection = try AppConnection(store.path)
    connection.registerOwnFunction()
    #expect(connection.text("SELECT uuid()") == "the app's")
  }
}

/// A connection that nothing of Attach opened.
private final class AppConnection {
  private let db: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    try #require(
      sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, nil)
        == SQLITE_OK)
    db = try #require(opened)
  }

  deinit { sqlite3_close(db) }

  func text(_ sql: String) -> String? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  func registerOwnFunction() {
    sqlite3_create_function(
      db, "uuid", 0, SQLITE_UTF8, nil,
      { context, _, _ in exhibit_result_text(context, "the app's", 9) }, nil, nil)
  }
}
