import Foundation
import Synchronization
import Testing

/// A store of notes in a folder of its own: version 1 has `note(id, body)`, version 2 a `title` as well.
final class Notes: Sendable {
  private let temporary: TemporaryFolder
  var folder: String { temporary.path }
  var path: String { folder + "/Notes.sqlite" }
  var url: URL { URL(fileURLWithPath: path) }

  static let rows = 300

  init(mode: String = "WAL") throws {
    temporary = try TemporaryFolder()
    try seed(mode: mode)
  }

  /// Version 1, as a process leaves it that was killed: in WAL mode a third of the rows is only in the WAL.
  func seed(mode: String = "WAL") throws {
    for name in try names { try FileManager.default.removeItem(atPath: folder + "/" + name) }
    for (name, bytes) in try Self.seed(mode) {
      try bytes.write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  /// Files by name, of a process that wrote them once by mode.
  private static let seeds = Mutex<[String: [String: Data]]>([:])

  private static func seed(_ mode: String) throws -> [String: Data] {
    try seeds.withLock { seeds in
      if let seed = seeds[mode] { return seed }
      let folder = try TemporaryFolder()
      try write(folder("Notes.sqlite"), mode)
      let seed = try Dictionary(
        uniqueKeysWithValues: folder.names.map {
          ($0, try Data(contentsOf: URL(fileURLWithPath: folder($0))))
        })
      seeds[mode] = seed
      return seed
    }
  }

  private static func write(_ path: String, _ mode: String) throws {
    let script = """
      import os, sqlite3, sys
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      db.execute("PRAGMA journal_mode=" + sys.argv[2])
      db.execute("PRAGMA user_version=1")
      db.execute("CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
      insert = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<%d) INSERT INTO note(body) SELECT hex(randomblob(200)) FROM n"
      db.execute(insert % 200)
      db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
      db.execute(insert % 100)
      os._exit(0)
      """
    try run("python3", "-c", script, path, mode)
  }

  var names: [String] { get throws { try temporary.names } }

  @discardableResult func query(_ sql: String) throws -> String {
    try TestConnection(path).text(sql)
  }

  /// What the store holds: its version, its columns and its rows.
  var state: String {
    get throws {
      let connection = try TestConnection(path)
      return try connection.text(
        """
        SELECT (SELECT user_version FROM pragma_user_version) || ' ' || (SELECT group_concat(name) FROM
        pragma_table_info('note')) || ' ' || count(*) FROM note
        """)
    }
  }

  static let before = "1 id,body 300"
  static let after = "2 id,body,title 300"

  /// Whether SQLite finds nothing wrong, every row is whole, and no WAL lies beside a database that is not in WAL mode.
  func isWhole() throws -> Bool {
    let header = try Data(contentsOf: url).prefix(20)
    let walBytes = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
    if walBytes > 0 && header[18] != 2 { return false }
    let connection = try TestConnection(path)
    return try connection.text("PRAGMA integrity_check") == "ok"
      && connection.text("SELECT count(*) FROM note WHERE length(body) = 400") == "300"
  }
}

/// Makes version 2 of version 1.
let titles = "ALTER TABLE note ADD COLUMN title TEXT; UPDATE note SET title = 'Note ' || id"
