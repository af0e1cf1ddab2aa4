import ExhibitSQLite
import Testing

/// The files beside a database, and the names of databases.
@Suite struct SideFileTests {
  @Test func aSideFileIsKnownByTheEndOfItsName() {
    #expect(SideFile(endOf: "/tmp/app.db-wal".utf8) == .wal)
    #expect(SideFile(endOf: "/tmp/app.db-shm".utf8) == .sharedMemory)
    #expect(SideFile(endOf: "/tmp/app.db-journal".utf8) == .journal)
    for name in ["/tmp/app.db", "-wal", "app-walk", "app.db-WAL", ""] {
      #expect(SideFile(endOf: name.utf8) == nil, "\(name)")
    }
    for side in SideFile.allCases { #expect(SideFile(endOf: side.path(beside: "app").utf8) == side) }
  }

  @Test(arguments: [".sqlite", ".sqlite3", ".db", ".db3", ".store", ".SQLite"])
  func aDatabaseIsNamedByItsEnding(ending: String) {
    #expect(DatabaseEnding.find(in: "Library é" + ending) == ending[...])
    #expect(DatabaseEnding.find(in: ending + ".zip") == nil)
  }
}
