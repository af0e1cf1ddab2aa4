import Foundation
import StoreMigration
import Testing

/// A migration that cannot be made whole is refused, and leaves the store as it was.
@Suite struct MigrationRefusalTests {
  let notes: Notes

  init() throws {
    notes = try Notes()
  }

  @Test func aStoreOfANewerAppIsRefused() throws {
    try notes.query("PRAGMA user_version = 7")
    let found = reasonOfRefusal { try StoreMigration(of: notes.url).run(to: 2) { _, _ in } }
    #expect(found == .newerVersion(7))
  }

  @Test(arguments: ["WAL", "DELETE"]) func aMigrationThatThrowsHalfWayLeavesTheStoreAsItWas(mode: String)
    throws
  {
    struct HalfWay: Error {}
    try notes.seed(mode: mode)
    let seeded = try notes.files
    #expect(throws: HalfWay.self) {
      try StoreMigration(of: notes.url).run(to: 2) { connection, _ in
        try runSQL(connection, titles)
        try runSQL(connection, "BEGIN; DELETE FROM note")
        throw HalfWay()
      }
    }
    let files = try notes.files
    #expect(files.database == seeded.database && files.wal == seeded.wal && files.journal == nil)
    #expect(try notes.names.allSatisfy { $0.hasPrefix("Notes.sqlite") })
    #expect(try notes.query("PRAGMA journal_mode") == mode.lowercased())
    #expect(try notes.state == Notes.before)
  }

  @Test(arguments: ["WAL", "DELETE"]) func aStoreThatIsOpenIsRefused(mode: String) throws {
    try notes.seed(mode: mode)
    let other = try TestConnection(notes.path)
    try other.text("SELECT count(*) FROM note")
    var migration = StoreMigration(of: notes.url)
    migration.patience = .milliseconds(50)
    #expect(reasonOfRefusal { try migration.run(to: 2) { _, _ in } } == .storeInUse)
    try other.text("DELETE FROM note WHERE id = 1; INSERT INTO note SELECT 1, hex(randomblob(200))")
    #expect(try notes.state == Notes.before)
  }

  @Test func anotherProcessThatHasTheStoreOpenIsSeen() throws {
    let other = try OtherProcess(notes.path, "SELECT count(*) FROM note;")
    var migration = StoreMigration(of: notes.url)
    migration.patience = .milliseconds(50)
    #expect(reasonOfRefusal { try migration.run(to: 2) { _, _ in } } == .storeInUse)
    other.end()
    #expect(try migration.run(to: 2) { connection, _ in try runSQL(connection, titles) } == .migrated)
  }

  @Test(arguments: ["WAL", "DELETE"]) func aCopyThatIsLeftOpenIsRefused(mode: String) throws {
    var left: TestConnection?
    let found = reasonOfRefusal {
      try StoreMigration(of: notes.url).run(when: { _ in true }) { copy in
        left = try TestConnection(copy.path)
        try left?.text("PRAGMA journal_mode = \(mode); SELECT count(*) FROM note")
      }
    }
    #expect(left != nil && found == .copyInUse)
    #expect(try notes.state == Notes.before)
  }

  @Test func anOpenTransactionAtTheEndIsRefused() throws {
    let found = reasonOfRefusal {
      try StoreMigration(of: notes.url).run(to: 2) { connection, _ in
        try runSQL(connection, "BEGIN; DELETE FROM note")
      }
    }
    #expect(found == .copyInUse)
    #expect(try notes.state == Notes.before)
  }

  @Test(arguments: [
    "CREATE TABLE tag(id INTEGER PRIMARY KEY, note INTEGER REFERENCES note); INSERT INTO tag VALUES (1, 999)",
    """
    CREATE TABLE tag(name TEXT); INSERT INTO tag VALUES (NULL); PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE TABLE tag(name TEXT NOT NULL)' WHERE name = 'tag'
    """,
  ])
  func aCopyThatIsNotWholeIsRefused(change: String) throws {
    let found = reasonOfRefusal {
      try StoreMigration(of: notes.url).run(to: 2) { connection, _ in try runSQL(connection, change) }
    }
    #expect(found == .checkFailed)
    #expect(try notes.names.allSatisfy { $0.hasPrefix("Notes.sqlite") })
    #expect(try notes.state == Notes.before)
  }

  @Test func rowsThatReferToNothingAreAllowedOnRequest() throws {
    let migration = StoreMigration(of: notes.url, checksForeignKeys: false)
    let outcome = try migration.run(to: 2) { connection, _ in
      try runSQL(connection, "CREATE TABLE tag(note INTEGER REFERENCES note); INSERT INTO tag VALUES (999)")
    }
    #expect(outcome == .migrated)
  }

  @Test func aForeignWALIsLeftAsItIs() throws {
    let other = try Notes(mode: "DELETE")
    try FileManager.default.removeItem(atPath: notes.path)
    try FileManager.default.copyItem(atPath: other.path, toPath: notes.path)
    let before = try [notes.path, notes.path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(before[1].count > 10_000)
    #expect(reasonOfRefusal { try StoreMigration(of: notes.url).run(to: 2) { _, _ in } } == .foreignWAL)
    #expect(
      try [notes.path, notes.path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
  }

  @Test(.enabled(if: SomebodyElse.reachesTheCheckout, "somebody else has to reach the checkout"))
  func aFolderThatCannotBeWrittenIsNamed() throws {
    try notes.query("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    let before = try Data(contentsOf: notes.url)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: notes.path)
    let result = try Command(SomebodyElse.launcher + [MigrationProcess.path, notes.path]).run()
    #expect(
      result.output.contains(notes.folder) && result.output.contains("Permission denied"), "\(result.output)")
    #expect(try Data(contentsOf: notes.url) == before)
    #expect(try notes.names == ["Notes.sqlite"])
  }
}
