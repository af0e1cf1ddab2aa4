import ExhibitCSQLite
import Foundation
import Testing

/// A store's files as they lie on disk.
struct StoreFiles {
  var database: Data
  var wal: Data?
  var journal: Data?

  init(_ path: String) throws {
    database = try Data(contentsOf: URL(fileURLWithPath: path))
    wal = FileManager.default.contents(atPath: path + "-wal")
    journal = FileManager.default.contents(atPath: path + "-journal")
  }

  /// What SQLite makes of them: every page, with WAL and hot journal applied.
  var image: Data {
    get throws {
      let folder = try TemporaryFolder()
      let path = folder("copy.sqlite")
      for (bytes, suffix) in [(database, ""), (wal, "-wal"), (journal, "-journal")] {
        try bytes?.write(to: URL(fileURLWithPath: path + suffix))
      }
      let connection = try TestConnection(path)
      // Serialising alone does not roll a hot journal back.
      try connection.text("SELECT count(*) FROM sqlite_schema")
      var size: sqlite3_int64 = 0
      let start = try #require(sqlite3_serialize(connection.pointer, "main", &size, 0))
      defer { sqlite3_free(start) }
      return Data(bytes: start, count: Int(size))
    }
  }
}

extension Data {
  /// By the database's header.
  var isInWALMode: Bool { count > 20 && self[startIndex + 18] == 2 && self[startIndex + 19] == 2 }
}

extension Notes {
  var files: StoreFiles { get throws { try StoreFiles(path) } }
}
