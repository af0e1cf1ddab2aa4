import ExhibitCSQLite
import ExhibitSQLite
import Testing

/// What SQL and SQLite's URIs are made of, read by SQLite.
@Suite struct SQLTextTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// With quotation marks, alone and under a combining accent, which makes them another `Character`.
  private static let names = [
    "plain", "a\"b", "a'b", "\"\"", "''", "a\"\u{301}b", "a'\u{301}b", "%?#&", "ß 🗄",
  ]

  @Test(arguments: names) func aNameIsOneName(name: String) throws {
    let database = try TestConnection(folder("app.db"))
    try database.execute("CREATE TABLE \(SQLText.name(name))(x); INSERT INTO \(SQLText.name(name)) VALUES(7)")
    #expect(try database.integer("SELECT x FROM \(SQLText.name(name))") == 7)
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = \(SQLText.text(name))"
    #expect(try database.integer(sql) == 1)
  }

  @Test(arguments: names + ["a%41"]) func aPathIsThatOfItsFile(name: String) throws {
    for slashes in ["", "/", "//"] {
      let path = slashes + folder(name)
      try TestConnection(path, "CREATE TABLE IF NOT EXISTS t(x); PRAGMA user_version = 9").close()
      let connection = try SQLiteConnection(immutable: path, named: path, vfs: nil, image: .linked)
      #expect(try connection.handle.integer("PRAGMA user_version") == 9)
    }
  }

  @Test(arguments: ["WAL", "DELETE"]) func aHeaderLeavesWALMode(mode: String) throws {
    let path = folder("app.db")
    try TestConnection(path, "PRAGMA journal_mode=\(mode); CREATE TABLE t(x)").close()
    var header = Array(try #require(bytes(of: path)))
    DatabaseHeader.leaveWALMode(&header)
    #expect(DatabaseHeader(header)?.isWAL == false)
    var short = Array(header.prefix(19))
    DatabaseHeader.leaveWALMode(&short)
    #expect(short == Array(header.prefix(19)))
  }
}
