import ExhibitCSQLite
import Foundation
import StoreMigration
import Testing

/// A migration of a WAL store on a copy, put in its place when it is whole.
@Suite struct StoreMigrationTests {
  let notes: Notes

  init() throws {
    notes = try Notes()
  }

  @Test(arguments: ["WAL", "DELETE"]) func everyRowIsThereAfterwards(mode: String) throws {
    try notes.seed(mode: mode)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: notes.path)
    let outcome = try StoreMigration(of: notes.url).run(to: 2) { connection, version in
      #expect(version == 1)
      #expect(try runSQL(connection, "PRAGMA journal_mode") == "delete")
      try runSQL(connection, titles)
    }
    #expect(outcome == .migrated)
    #expect(try notes.names == ["Notes.sqlite"])
    #expect(try notes.query("PRAGMA journal_mode") == "wal")
    #expect(try notes.state == Notes.after)
    #expect(try notes.isWhole())
    let attributes = try FileManager.default.attributesOfItem(atPath: notes.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func aStoreThatIsNewEnoughIsLeftAlone() throws {
    try notes.query("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = 2")
    let before = try Data(contentsOf: notes.url)
    let outcome = try StoreMigration(of: notes.url).run(to: 2) { _, _ in Issue.record("It was migrated.") }
    #expect(outcome == .notNeeded)
    #expect(try Data(contentsOf: notes.url) == before)
  }

  @Test func aStoreThatDoesNotExistIsNotMade() throws {
    let url = URL(fileURLWithPath: notes.folder + "/other.sqlite")
    let outcome = try StoreMigration(of: url).run(to: 2) { _, _ in Issue.record("It was migrated.") }
    #expect(outcome == .noStore)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func thePredicateDecidesAndSeesTheCopyToo() throws {
    var asked: [String] = []
    let outcome = try StoreMigration(of: notes.url).run { url in
      asked.append(url.path)
      return try !TestConnection(url.path).text("SELECT group_concat(name) FROM pragma_table_info('note')")
        .contains("title")
    } _: { copy in
      try TestConnection(copy.path).text(titles)
    }
    #expect(outcome == .migrated)
    #expect(asked.count == 2 && asked[0] == notes.path && asked[1] != notes.path)
    #expect(try notes.state == "1 id,body,title 300")
  }

  @Test func aLinkToTheStoreStaysALink() throws {
    let link = notes.folder + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "Notes.sqlite")
    try StoreMigration(of: URL(fileURLWithPath: link)).run(to: 2) { connection, _ in
      try runSQL(connection, titles)
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "Notes.sqlite")
    #expect(try notes.state == Notes.after)
  }

  @Test(arguments: ["Bücher.db", "Bu\u{308}cher.db", "日本 %3F?#&.sqlite", "\u{301}.db", "📚.db"])
  func aStoreMayHaveAnyName(name: String) throws {
    let folder = notes.folder + "/Größe"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let path = folder + "/" + name
    for suffix in ["", "-wal"] {
      try FileManager.default.moveItem(atPath: notes.path + suffix, toPath: path + suffix)
    }
    let outcome = try StoreMigration(of: URL(fileURLWithPath: path)).run(to: 2) { connection, _ in
      try runSQL(connection, titles)
    }
    #expect(outcome == .migrated)
    #expect(try TestConnection(path).text("SELECT count(title) FROM note") == "300")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
  }

  @Test func namesThatDifferInTheirCompositionAreTwoStores() throws {
    let (one, other) = (notes.folder + "/B\u{fc}cher.db", notes.folder + "/Bu\u{308}cher.db")
    for path in [one, other] { try FileManager.default.copyItem(atPath: notes.path, toPath: path) }
    let outcome = try StoreMigration(of: URL(fileURLWithPath: one)).run(to: 2) { connection, _ in
      try StoreMigration(of: URL(fileURLWithPath: other)).run(to: 2) { connection, _ in
        try runSQL(connection, titles)
      }
      try runSQL(connection, titles)
    }
    #expect(outcome == .migrated)
    for path in [one, other] {
      #expect(try TestConnection(path).text("SELECT count(title) FROM note") == "200")
    }
  }

  @Test(arguments: ["WAL", "DELETE"]) func ofMigrationsAtOnceOneWaitsForTheOther(mode: String) throws {
    for round in 0..<(LongTests.areAsked ? 60 : 6) {
      try notes.seed(mode: mode)
      let processes = try (0..<2).map { _ in try MigrationProcess.start(notes.path) }
      let outputs = try processes.map { try $0.wait().output }
      #expect(outputs.sorted() == ["migrated 0\n", "notNeeded 0\n"], "round \(round)")
    }
    #expect(try notes.state == Notes.after)
  }

  @Test(arguments: ["WAL", "DELETE"], StoreMigration.Step.allCases)
  func aMigrationThatTakesLongIsWaitedFor(mode: String, step: StoreMigration.Step) throws {
    try notes.seed(mode: mode)
    let first = try HeldMigration(of: notes.path, at: step)
    var migration = StoreMigration(of: notes.url, patience: .milliseconds(50))
    #expect(reasonOfRefusal { try migration.run(to: 2) { _, _ in } } == .storeInUse)
    let isOld = { (url: URL) in
      try TestConnection(url.path).text("SELECT user_version FROM pragma_user_version") == "1"
    }
    #expect(reasonOfRefusal { try migration.run(when: isOld) { _ in } } == .storeInUse)
    migration.patience = .seconds(120)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { first.release() }
    #expect(try migration.run(when: isOld) { _ in Issue.record("It was migrated twice.") } == .notNeeded)
    #expect(try first.end() == "migrated 0\n")
    #expect(try notes.state == Notes.after)
  }

  /// A predicate may open the store as the app does, which can change its journal mode.
  @Test func aPredicateMayWrite() throws {
    try notes.seed(mode: "DELETE")
    let outcome = try StoreMigration(of: notes.url).run { url in
      let connection = try TestConnection(url.path)
      try connection.text("PRAGMA journal_mode = WAL")
      return try connection.text("SELECT user_version FROM pragma_user_version") == "1"
    } _: { copy in
      try TestConnection(copy.path).text(titles + "; PRAGMA user_version = 2")
    }
    #expect(outcome == .migrated)
    #expect(try notes.state == Notes.after)
  }

  @Test func anotherMigrationThatWasFasterIsSeen() throws {
    let processes = try (0..<4).map { _ in try MigrationProcess.start(notes.path) }
    let outputs = try processes.map { try $0.wait().output }
    #expect(outputs.filter { $0.hasPrefix("migrated") }.count == 1, "\(outputs)")
    #expect(try notes.state == Notes.after)
    #expect(try notes.isWhole())
  }

  @Test func aCopyInWALModeGoesThroughTheSameCheck() throws {
    let outcome = try StoreMigration(of: notes.url).run(when: { _ in true }) { copy in
      let connection = try TestConnection(copy.path)
      try connection.text("PRAGMA journal_mode = WAL")
      try connection.text(titles)
    }
    #expect(outcome == .migrated)
    #expect(try notes.state == "1 id,body,title 300")
  }

  /// What speaks against a WAL without proving anything: a store that is refused for it would never be migrated.
  @Test(arguments: ["PRAGMA auto_vacuum=FULL", "PRAGMA application_id=7"])
  func theStoresOwnWALMayChangeItsHeader(pragma: String) throws {
    let script = """
      import os, sqlite3, sys
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      for sql in ["PRAGMA application_id=5", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", sys.argv[2], "VACUUM"]:
        db.execute(sql).fetchall()
      os._exit(0)
      """
    try run("python3", "-c", script, notes.path, pragma)
    #expect(try Data(contentsOf: URL(fileURLWithPath: notes.path + "-wal")).count > 10_000)
    try StoreMigration(of: notes.url).run(to: 2) { connection, _ in try runSQL(connection, titles) }
    #expect(try notes.state == Notes.after)
  }

  @Test func aStoreMayBeNewerThanItsWAL() throws {
    let copies = notes.folder + "/copies"
    try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: false)
    for suffix in ["-wal", ""] {
      try run("cp", notes.path + suffix, copies + "/Notes.sqlite" + suffix)
      Thread.sleep(forTimeInterval: 0.02)
    }
    let copy = URL(fileURLWithPath: copies + "/Notes.sqlite")
    try StoreMigration(of: copy).run(to: 2) { connection, _ in try runSQL(connection, titles) }
    #expect(try TestConnection(copy.path).text("SELECT count(title) FROM note") == "300")
  }

  /// A connection that was opened meanwhile waits, and then finds the migrated store.
  @Test(arguments: ["WAL", "DELETE"]) func aConnectionThatWaitsFindsTheMigratedStore(mode: String) throws {
    try notes.seed(mode: mode)
    let path = notes.path
    let waiting = Slot()
    var migration = StoreMigration(of: notes.url)
    migration.onStep = { step in
      if step == .copied { waiting.connection = try TestConnection(path) }
      guard [.copied, .checked, .placed].contains(step) else { return }
      #expect(throws: TestConnection.Refused.self) { try waiting.connection?.text("SELECT 1 FROM note") }
    }
    try migration.run(to: 2) { connection, _ in try runSQL(connection, titles) }
    let title =
      "INSERT INTO note(id, body, title) VALUES (301, '', 'Last'); SELECT title FROM note WHERE id = 301"
    #expect(try waiting.connection?.text(title) == "Last")
    #expect(try waiting.connection?.text("DELETE FROM note WHERE id = 301; PRAGMA journal_mode") == "wal")
    waiting.connection = nil
    #expect(try notes.state == Notes.after)
    #expect(try notes.isWhole())
    #expect(try notes.names == ["Notes.sqlite"])
  }

  @Test(arguments: ["WAL", "DELETE"]) func theFileItselfStays(mode: String) throws {
    try notes.seed(mode: mode)
    let link = notes.folder + "/other name"
    try FileManager.default.linkItem(atPath: notes.path, toPath: link)
    try StoreMigration(of: notes.url).run(to: 2) { connection, _ in try runSQL(connection, titles) }
    #expect(try TestConnection(link).text("SELECT title FROM note WHERE id = 7") == "Note 7")
  }

  @Test func aStoreKeepsItsPageSize() throws {
    let outcome = try StoreMigration(of: notes.url).run(to: 2) { connection, _ in
      try runSQL(connection, "PRAGMA page_size = 8192; VACUUM")
      try runSQL(connection, titles)
    }
    #expect(outcome == .migrated)
    #expect(try notes.query("PRAGMA page_size") == "4096")
    #expect(try notes.state == Notes.after)
  }

  private final class Slot: @unchecked Sendable {
    var connection: TestConnection?
  }
}
