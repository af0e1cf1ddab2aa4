import ExhibitCSQLite
import Foundation
import Testing

/// A store of notes in a folder of its own: version 1 has `note(id, body)`, version 2 a `title` as well.
final class Notes: Sendable {
  let folder: String
  var path: String { folder + "/Notes.sqlite" }
  var url: URL { URL(fileURLWithPath: path) }

  static let rows = 300

  init(mode: String = "WAL") throws {
    folder = NSTemporaryDirectory() + "exhibit-notes-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try seed(mode: mode)
  }

  deinit {
    // What cannot be removed lies in the temporary folder and harms no test.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Version 1, as a process leaves it that was killed: in WAL mode a third of the rows is only in the WAL.
  func seed(mode: String = "WAL") throws {
    for name in try names { try FileManager.default.removeItem(atPath: folder + "/" + name) }
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
    try runTool("python3", "-c", script, path, mode)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

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

/// A connection as an app has it; closed in `deinit`.
final class TestConnection: Sendable {
  private let address: UInt

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
    address = UInt(bitPattern: opened)
    guard code == SQLITE_OK else { throw Refused(message: "open \(path): \(code)") }
  }

  deinit { sqlite3_close_v2(pointer) }

  struct Refused: Error {
    var message: String
  }

  var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// The first column of the last row.
  @discardableResult func text(_ sql: String) throws -> String {
    try runSQL(pointer, sql)
  }
}

/// Runs statements and returns the first column of the last row.
@discardableResult func runSQL(_ connection: OpaquePointer?, _ sql: String) throws -> String {
  var last = ""
  let code = withUnsafeMutablePointer(to: &last) { last in
    sqlite3_exec(
      connection, sql,
      { last, _, values, _ in
        last?.assumingMemoryBound(to: String.self).pointee = values?[0].map { String(cString: $0) } ?? ""
        return 0
      }, last, nil)
  }
  guard code == SQLITE_OK else {
    throw TestConnection.Refused(message: "\(String(cString: sqlite3_errmsg(connection))) (\(code))")
  }
  return last
}

/// Makes version 2 of version 1.
let titles = "ALTER TABLE note ADD COLUMN title TEXT; UPDATE note SET title = 'Note ' || id"

struct ToolResult {
  var status: Int32
  var output: String
}

/// Runs a program to its end.
@discardableResult func runTool(
  _ arguments: String..., environment: [String: String] = [:]
) throws -> ToolResult {
  let process = try startTool(arguments, environment: environment)
  let output = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
  process.waitUntilExit()
  return ToolResult(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
}

func startTool(
  _ arguments: [String], environment: [String: String] = [:], input: Pipe? = nil
) throws -> Process {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  if let input { process.standardInput = input }
  try process.run()
  return process
}
