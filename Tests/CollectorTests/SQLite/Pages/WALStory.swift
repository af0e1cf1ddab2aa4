import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import TestSupport

/// Random transactions on a database in WAL mode, with what SQLite reads after each.
final class WALStory {
  let connection: TestConnection
  private var numbers: SeededNumbers
  /// By the number of frames in the WAL.
  private(set) var truths: [Int: StateTruth] = [:]
  private(set) var statements: [Int: String] = [:]
  private var made = 0

  /// - Parameter path: of a database that is made.
  init(_ path: String, seed: UInt64) throws {
    numbers = SeededNumbers(seed: seed)
    let page = [512, 1024, 4096][numbers.below(3)]
    let vacuum = ["NONE", "FULL", "INCREMENTAL"][numbers.below(3)]
    let encoding = ["UTF-8", "UTF-16le"][numbers.below(2)]
    connection = try TestConnection(
      path,
      """
      PRAGMA page_size=\(page); PRAGMA auto_vacuum=\(vacuum); PRAGMA encoding='\(encoding)';
      PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA secure_delete=\(numbers.below(2));
      CREATE TABLE t0(a, b, c); CREATE TABLE w0(a, b, c, PRIMARY KEY(a, b)) WITHOUT ROWID;
      CREATE TABLE big(a, b); CREATE INDEX t0_b ON t0(b); CREATE INDEX big_a ON big(a);
      """)
    for _ in 0..<8 { try connection.execute(rows(30)) }
    try connection.execute("PRAGMA wal_checkpoint(RESTART)")
    truths[0] = try StateTruth(connection)
  }

  /// Runs so many transactions.
  func run(_ count: Int) throws {
    for _ in 0..<count {
      let statement = numbers.below(12) == 0 ? try writeInPlace() : try transaction()
      var (frames, written): (Int32, Int32) = (0, 0)
      // A passive checkpoint of an open reader's WAL tells how many frames are committed, and keeps them.
      sqlite3_wal_checkpoint_v2(connection.pointer, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, &written)
      truths[Int(frames)] = try StateTruth(connection)
      statements[Int(frames)] = statement
    }
  }

  private func tables(_ pattern: String) throws -> [String] {
    try connection.text(
      "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '\(pattern)' ORDER BY name)"
    ).split(separator: ",").map(String.init)
  }

  private func any(_ pattern: String) throws -> String? {
    let tables = try tables(pattern)
    return tables.isEmpty ? nil : tables[numbers.below(tables.count)]
  }

  private func transaction() throws -> String {
    var statements = try (0...numbers.below(3)).map { _ in try statement() }
    if numbers.below(5) == 0 {
      let undone = try rows(20)
      statements.insert("SAVEPOINT s; \(undone); ROLLBACK TO s; RELEASE s", at: 0)
    }
    let whole =
      numbers.below(14) == 0 ? "VACUUM" : "BEGIN; " + statements.joined(separator: "; ") + "; COMMIT"
    do { try connection.execute(whole) } catch {
      // A table that one statement drops the next one may want: none of it happened.
      _ = try? connection.execute("ROLLBACK")
    }
    return whole
  }

  private func rows(_ most: Int) throws -> String {
    let table = try any("[tw]*") ?? "big"
    return (0...numbers.below(most)).map { _ in
      switch table.first {
      case "t":
        "INSERT INTO \(table)(a, b, c) VALUES(\(numbers.literal()), \(numbers.literal()), \(numbers.below(99)))"
      case "w":
        "INSERT OR REPLACE INTO \(table)(a, b, c) VALUES('k\(numbers.below(60))', \(numbers.below(9)), \(numbers.literal()))"
      default: "INSERT INTO big VALUES('row', zeroblob(\(numbers.below(20_000))))"
      }
    }.joined(separator: "; ")
  }

  private func statement() throws -> String {
    made += 1
    let (t, w) = (try any("t*") ?? "big", try any("w*") ?? "big")
    let part = "WHERE abs(rowid) % \(numbers.below(30) + 1) = 0"
    switch numbers.below(22) {
    case 0: return "CREATE TABLE t\(made)(a, b, c); \(try rows(5))"
    case 1: return "CREATE TABLE w\(made)(a, b, c, PRIMARY KEY(a, b)) WITHOUT ROWID"
    case 2: return try tables("t*").count > 1 ? "DROP TABLE \(t)" : "DELETE FROM \(t)"
    case 3: return "DELETE FROM \(w)"
    case 4: return "DELETE FROM \(t)"
    case 5: return "ALTER TABLE \(t) RENAME TO t\(made)x"
    case 6: return "ALTER TABLE \(t) ADD COLUMN n\(made)"
    case 7: return "PRAGMA incremental_vacuum(\(numbers.below(20)))"
    case 8:
      return "DROP TABLE \(t); CREATE TABLE \(t)(a, b, c); INSERT INTO \(t)(a, b, c) SELECT a, b, 1 FROM big"
    case 9: return "CREATE INDEX i\(made) ON \(t)(c, a)"
    case 10: return "DELETE FROM \(w) WHERE b = \(numbers.below(9))"
    case 11: return "UPDATE OR REPLACE \(w) SET b = b + 1 \("WHERE b = \(numbers.below(9))")"
    case 12: return "UPDATE \(w) SET c = \(numbers.literal()) WHERE a = 'k\(numbers.below(60))'"
    case 13: return "UPDATE big SET b = CAST(replace(hex(b), '0', '\(numbers.below(9))') AS BLOB) \(part)"
    case 14: return "INSERT INTO big VALUES('row', zeroblob(\(numbers.below(20_000))))"
    case 15: return "DELETE FROM big \(part)"
    case 16: return "DELETE FROM \(t) \(part)"
    case 17: return "UPDATE \(t) SET a = \(numbers.literal()) \(part)"
    case 18: return "UPDATE \(t) SET rowid = rowid + 1000 \(part)"
    case 19: return "UPDATE \(t) SET c = c + 1 \(part)"
    default: return try rows(30)
    }
  }

  /// Writes over some bytes of a value, which leaves its row's page as it is.
  private func writeInPlace() throws -> String {
    guard try any("big") != nil,
      let rowid = try connection.integer("SELECT rowid FROM big ORDER BY length(b) DESC LIMIT 1")
    else {
      return ""
    }
    var blob: OpaquePointer?
    guard
      sqlite3_blob_open(connection.pointer, "main", "big", "b", sqlite3_int64(rowid), 1, &blob) == SQLITE_OK
    else { return "" }
    defer { sqlite3_blob_close(blob) }
    let size = Int(sqlite3_blob_bytes(blob))
    let bytes = (0..<min(size, 10)).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    sqlite3_blob_write(blob, bytes, Int32(bytes.count), Int32(numbers.below(size - bytes.count)))
    return "blob \(rowid)"
  }
}
