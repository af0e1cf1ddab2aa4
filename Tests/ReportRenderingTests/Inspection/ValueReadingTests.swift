import Foundation
import Testing

@testable import ReportInspection
@testable import ReportRendering

/// Values of Core Data's and GRDB's databases are shown with what they mean.
@Suite struct ValueReadingTests {
  /// A store after Core Data's layout: two entities, a date, a value in a file and one in the row.
  private static let coreData = """
    CREATE TABLE ZNOTE(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREATED TIMESTAMP, ZTITLE VARCHAR,
      ZPICTURE BLOB);
    CREATE TABLE ZTAG(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE(Z_CONTENT BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 2), (2, 'Tag', 0, 1);
    INSERT INTO Z_METADATA VALUES (1, '3B2C', x'00');
    INSERT INTO ZNOTE VALUES (1, 1, 1, 736243200.5, 'Harbour',
      CAST(x'02' || '0F8B3C5E-1111-4222-8333-444455556666' || x'00' AS BLOB));
    INSERT INTO ZNOTE VALUES (2, 1, 1, 0, 'Ferry', x'0189504E47');
    INSERT INTO ZTAG VALUES (1, 2, 1, 'sea');
    """

  private static let grdb = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('v1'), ('v2 folders');
    CREATE TABLE player(id BLOB PRIMARY KEY, name TEXT, created DATETIME);
    INSERT INTO player VALUES (x'00112233445566778899AABBCCDDEEFF', 'Ada', '2024-05-01 09:30:00.000');
    """

  private func inspect(_ sql: String, rows: Bool = true) throws -> DatabaseInspection {
    let folder = try TemporaryFolder()
    return inspectDatabase(at: try folder.database("a.sqlite", sql), rows: rows)
  }

  private func notes(
    _ database: DatabaseInspection, of source: String? = "/stores/Station.v2.sqlite", table name: String
  ) throws -> [[String?]] {
    let reading = ValueReading(database, of: source)
    let table = try #require(database.tables.first { $0.name == name })
    return table.rows.map { row in
      row.enumerated().map { reading.note(on: $1, column: table.columns[$0], of: name) }
    }
  }

  @Test func coreDataNamesEntitiesDatesAndFiles() throws {
    let notes = try notes(inspect(Self.coreData), table: "ZNOTE")
    #expect(
      notes == [
        [
          nil, "Note", nil, "2024-05-01 08:00:00 UTC", nil,
          "external: .Station.v2_SUPPORT/_EXTERNAL_DATA/0F8B3C5E-1111-4222-8333-444455556666",
        ],
        [nil, "Note", nil, "2001-01-01 00:00:00 UTC", nil, nil],
      ])
    let inMemory = try self.notes(inspect(Self.coreData), of: nil, table: "ZNOTE")
    #expect(inMemory.first?.last??.hasPrefix("external: _SUPPORT/_EXTERNAL_DATA/") == true)
  }

  @Test func grdbNamesIdentifiersAndTimeZone() throws {
    let database = try inspect(Self.grdb)
    #expect(database.migrations == ["v1", "v2 folders"])
    #expect(
      try notes(database, table: "player") == [["00112233-4455-6677-8899-AABBCCDDEEFF", nil, "UTC"]])
  }

  @Test func otherDatabasesAreLeftAsTheyAre() throws {
    let plain =
      "CREATE TABLE t(Z_ENT INTEGER, at TIMESTAMP, id BLOB); INSERT INTO t VALUES (1, 5, randomblob(16))"
    #expect(try notes(inspect(plain), table: "t") == [[nil, nil, nil]])
  }

  @Test func withoutRowsThereIsNothingToRead() throws {
    let database = try inspect(Self.coreData + Self.grdb, rows: false)
    #expect(database.migrations == [])
    #expect(try notes(database, table: "ZNOTE") == [])
  }

  @Test func housekeepingIsCollapsed() throws {
    let values = databaseValues(try inspect(Self.coreData))
    let html = try TemplateLibrary().text(values, with: "database")
    #expect(html.contains("2 tables") && html.contains("3 housekeeping tables"))
  }
}
