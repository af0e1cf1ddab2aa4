import Attach
import ExhibitCSQLite
import Foundation
import Testing

/// Stores of old versions are found by their names, copied for each test, and never touched.
@Suite struct MigrationFixturesTests {
  private func reason(_ body: () throws -> Void) -> MigrationFixtureError.Reason? {
    do {
      try body()
      return nil
    } catch {
      return (error as? MigrationFixtureError)?.reason
    }
  }

  @Test func versionsAreOrderedAsVersions() throws {
    let folder = try FixtureFolder([
      "Folio-1.10.sqlite", "Folio-1.3.5.sqlite", "Folio-1.6.sqlite", "Folio-1.3.sqlite", "v1.4 of Folio2.db",
    ])
    try Data("notes".utf8).write(to: folder.url.appendingPathComponent("README.md"))
    let fixtures = try MigrationFixtures(in: folder.url)
    #expect(fixtures.map(\.description) == ["1.3", "1.3.5", "1.4", "1.6", "1.10"])
    #expect(try fixtures.fixture("1.3.5").name == "Folio-1.3.5.sqlite")
    #expect(reason { _ = try fixtures.fixture("1.5") } == .unknownVersion)
  }

  @Test func versionsAreComparedByTheirNumbers() throws {
    let versions = ["1.3", "1.3.5", "1.4", "1.6", "1.10", "2"].compactMap { StoreVersion($0) }
    #expect(versions.shuffled().sorted() == versions)
    #expect(StoreVersion("1.3") == StoreVersion("1.3.0"))
    #expect(["", "1.", ".3", "1.x", "-1"].allSatisfy { StoreVersion($0) == nil })
  }

  @Test func everyCopyIsAnotherAndTheFixtureStaysAsItIs() throws {
    let folder = try FixtureFolder(["Folio-1.3.sqlite"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o400], ofItemAtPath: folder.path("Folio-1.3.sqlite"))
    let before = try folder.contents
    let fixture = try MigrationFixtures(in: folder.url).fixture("1.3")
    let copies = try (0..<5).map { _ in try fixture.copy() }
    #expect(Set(copies.map(\.path)).count == 5)
    for (index, copy) in copies.enumerated() {
      try run(
        "INSERT INTO note VALUES (\(index + 10), 'new'); PRAGMA journal_mode = WAL; DROP TABLE note",
        copy.path)
    }
    #expect(try folder.contents == before)
  }

  @Test func aWALOfItsOwnIsCopiedWithIt() throws {
    let folder = try FixtureFolder()
    try folder.crash(
      "Folio-1.3.sqlite",
      "PRAGMA journal_mode=WAL;CREATE TABLE note(id INTEGER PRIMARY KEY, body);INSERT INTO note VALUES (1, 'in the WAL')"
    )
    let before = try folder.contents
    #expect(before.keys.contains("Folio-1.3.sqlite-wal"))
    let copy = try MigrationFixtures(in: folder.url).fixture("1.3").copy()
    #expect(try run("SELECT body FROM note", copy.path) == "in the WAL")
    #expect(
      try folder.contents.filter { !$0.key.hasSuffix("-shm") } == before.filter { !$0.key.hasSuffix("-shm") })
  }

  @Test func aForeignWALIsRefused() throws {
    let folder = try FixtureFolder(["Folio-1.4.sqlite"])
    try folder.crash(
      "other.sqlite", "PRAGMA journal_mode=WAL;CREATE TABLE other(id);INSERT INTO other VALUES (1)")
    try FileManager.default.moveItem(
      atPath: folder.path("other.sqlite-wal"), toPath: folder.path("Folio-1.4.sqlite-wal"))
    try FileManager.default.removeItem(atPath: folder.path("other.sqlite"))
    let before = try folder.contents
    let fixture = try MigrationFixtures(in: folder.url).fixture("1.4")
    let error = #expect(throws: MigrationFixtureError.self) { try fixture.copy() }
    #expect(error?.reason == .foreignWAL)
    #expect(error?.description.contains("Folio-1.4.sqlite-wal") == true)
    #expect(try folder.contents == before)
  }

  @Test func mistakesAreNamed() throws {
    let missing = URL(fileURLWithPath: "/nowhere/fixtures")
    #expect(reason { _ = try MigrationFixtures(in: missing) } == .folder)
    let empty = try FixtureFolder()
    #expect(reason { _ = try MigrationFixtures(in: empty.url) } == .noFixtures)
    let unnamed = try FixtureFolder(["Folio.sqlite"])
    #expect(reason { _ = try MigrationFixtures(in: unnamed.url) } == .noVersion)
    let twice = try FixtureFolder(["Folio-1.3.sqlite", "Old-1.3.0.db"])
    #expect(reason { _ = try MigrationFixtures(in: twice.url) } == .repeatedVersion)
    let text = try FixtureFolder()
    try Data("no database".utf8).write(to: text.url.appendingPathComponent("Folio-1.3.sqlite"))
    #expect(reason { _ = try MigrationFixtures(in: text.url) } == .notADatabase)
  }

  /// Runs statements and returns the first column of the last row.
  @discardableResult private func run(_ sql: String, _ path: String) throws -> String {
    try TestConnection(path).text(sql)
  }
}
