import Foundation
import GRDB

/// A store as Core Data lays it out: a database, and large values in a hidden folder beside it.
package struct PhotoLibrary: Sendable {
  /// Larger pictures are files of their own.
  static let largestInline = 4096

  package let folder: URL
  package let database: DatabasePool

  package init(in folder: URL) throws {
    self.folder = folder
    let external = folder.appendingPathComponent(".Photos_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
    database = try DatabasePool(path: folder.appendingPathComponent("Photos.sqlite").path)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS photo(
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, taken TEXT NOT NULL, picture BLOB, file TEXT
          );
          CREATE TABLE IF NOT EXISTS album(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
          CREATE TABLE IF NOT EXISTS placement(
            album INTEGER NOT NULL REFERENCES album ON DELETE CASCADE,
            photo INTEGER NOT NULL REFERENCES photo ON DELETE CASCADE,
            PRIMARY KEY (album, photo)
          ) WITHOUT ROWID;
          """)
    }
  }

  private func externalFile(_ name: String) -> URL {
    folder.appendingPathComponent(".Photos_SUPPORT/_EXTERNAL_DATA").appendingPathComponent(name)
  }
}

// MARK: - Changing

extension PhotoLibrary {
  package func add(_ title: String, taken: String, picture: Data, to albums: [String]) throws {
    let file = picture.count > Self.largestInline ? UUID().uuidString : nil
    if let file { try picture.write(to: externalFile(file)) }
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO photo(title, taken, picture, file) VALUES (?, ?, ?, ?)",
        arguments: [title, taken, file == nil ? picture : nil, file])
      let photo = db.lastInsertedRowID
      for album in albums {
        try db.execute(sql: "INSERT OR IGNORE INTO album(name) VALUES (?)", arguments: [album])
        try db.execute(
          sql: "INSERT INTO placement SELECT id, ? FROM album WHERE name = ?", arguments: [photo, album])
      }
    }
  }

  /// Removes an album, and the photos that are in no other.
  package func remove(album: String) throws {
    try database.write { db in
      try db.execute(
        sql: """
          DELETE FROM photo WHERE id IN
            (SELECT photo FROM placement JOIN album ON album.id = album WHERE name = ?)
          """, arguments: [album])
      try db.execute(sql: "DELETE FROM album WHERE name = ?", arguments: [album])
    }
  }
}

// MARK: - Reading

extension PhotoLibrary {
  package func titles(in album: String) throws -> [String] {
    let sql = """
      SELECT title FROM photo JOIN placement ON photo = photo.id JOIN album ON album = album.id
      WHERE name = ? ORDER BY taken
      """
    return try database.read { try String.fetchAll($0, sql: sql, arguments: [album]) }
  }

  package func picture(_ title: String) throws -> Data? {
    let row = try database.read { db in
      try Row.fetchOne(db, sql: "SELECT picture, file FROM photo WHERE title = ?", arguments: [title])
    }
    guard let row else { return nil }
    if let file: String = row["file"] { return try Data(contentsOf: externalFile(file)) }
    return row["picture"]
  }

  /// Files that no photo names.
  package func orphans() throws -> [String] {
    let known = try database.read {
      try Set(String.fetchAll($0, sql: "SELECT file FROM photo WHERE file NOT NULL"))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: externalFile("").path)
    return files.filter { !known.contains($0) }.sorted()
  }
}
