import GRDB

/// Documents in folders, as version 2.0 keeps them; opening a store migrates it.
package struct FolioStore: Sendable {
  package let database: DatabaseQueue

  package init(at path: String) throws {
    database = try DatabaseQueue(path: path)
    try Self.migrator.migrate(database)
  }

  package func documents() throws -> Int {
    try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM document") ?? 0 }
  }

  package func titles(taggedAs tag: String) throws -> [String] {
    let sql = """
      SELECT title FROM document JOIN document_tag ON document = document.id JOIN tag ON tag = tag.id
      WHERE tag.name = ? ORDER BY title
      """
    return try database.read { try String.fetchAll($0, sql: sql, arguments: [tag]) }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1.3") { db in
      try db.execute(
        sql:
          "CREATE TABLE document(id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, created TEXT NOT NULL)"
      )
    }
    migrator.registerMigration("1.3.5") { db in
      try db.execute(sql: "ALTER TABLE document ADD COLUMN pinned BOOLEAN NOT NULL DEFAULT 0")
    }
    migrator.registerMigration("1.4") { db in
      try db.execute(
        sql: """
          CREATE TABLE folder(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
          ALTER TABLE document ADD COLUMN folder INTEGER REFERENCES folder;
          """)
    }
    migrator.registerMigration("1.6") { db in
      try db.execute(
        sql: """
          CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
          CREATE TABLE document_tag(
            document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, tag INTEGER NOT NULL REFERENCES tag,
            PRIMARY KEY (document, tag)
          ) WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("2.0", migrate: makeTitlesUnique)
    return migrator
  }

  /// The bug: 1.4 allowed two documents of one title in a folder, and the second of them is ignored here.
  private static func makeTitlesUnique(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE new_document(
          id INTEGER PRIMARY KEY,
          title TEXT NOT NULL,
          text TEXT NOT NULL,
          created TEXT NOT NULL,
          pinned BOOLEAN NOT NULL DEFAULT 0,
          folder INTEGER REFERENCES folder,
          UNIQUE (folder, title)
        );
        INSERT OR IGNORE INTO new_document(id, title, text, created, pinned, folder)
          SELECT id, title, text, created, pinned, folder FROM document;
        DROP TABLE document;
        ALTER TABLE new_document RENAME TO document;
        """)
  }
}
