import ExhibitSQLite
import ExhibitSystem
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// Random transactions, each of which a second connection reads: the history of the WAL tells the same.
@Suite struct WALTruthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let setups = [
    "", "PRAGMA auto_vacuum = FULL;", "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA page_size = 512;",
    "PRAGMA encoding = 'UTF-16le'; PRAGMA page_size = 1024;", "PRAGMA encoding = 'UTF-16be';",
  ]

  @Test(arguments: 0..<20) func everyTransactionIsToldAsSQLiteReadsIt(seed: Int) throws {
    let writer = try TestConnection(
      folder("live.db"),
      Self.setups[seed % Self.setups.count] + "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    var random = Random(seed: UInt64(seed))
    try writer.execute(
      """
      CREATE TABLE a(id INTEGER PRIMARY KEY, x, y REAL, z TEXT);
      CREATE TABLE b(k TEXT, v, w, PRIMARY KEY(v, k)) WITHOUT ROWID;
      CREATE TABLE c(x UNIQUE, y);
      CREATE INDEX ax ON a(x);
      CREATE TRIGGER t AFTER INSERT ON a WHEN new.id % 5 = 0 BEGIN INSERT INTO c VALUES (new.id + 0.5, 'by trigger'); END;
      """)
    if seed % 2 == 0 { try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let reader = try TestConnection(folder("live.db"))
    var snapshots = [try Snapshot(reader)]
    var transactions: Set<Int> = []
    for _ in 0..<60 {
      let before = try frames()
      try writer.execute(
        "BEGIN; \((0...random.below(4)).map { _ in random.statement() }.joined(separator: ";")); COMMIT")
      guard try frames() != before else { continue }
      snapshots.append(try Snapshot(reader))
      transactions.insert(snapshots.count)
    }
    let (database, wal) = try copies()
    try folder.fold("live.db", to: "folded.db")
    var limits = WALHistoryLimits()
    (limits.rows, limits.netRows, limits.groups, limits.rowBytes) = (.max, .max, .max, .max)
    let history = readWALHistory(
      of: database, wal: wal, captured: folder("folded.db"), rows: true, limits: limits)
    #expect(history.problems == [] && history.contradiction == nil && history.checkpointed == 0)
    let told = Array(history.transactions.suffix(snapshots.count - 1))
    try #require(told.count == snapshots.count - 1)
    for (index, transaction) in told.enumerated() {
      let expected = snapshots[index + 1].changes(since: snapshots[index])
      #expect(
        Snapshot.changes(told: transaction) == expected, "seed \(seed), transaction \(transaction.number)")
    }
    if seed % 2 == 0 {
      #expect(
        Snapshot.changes(told: history.net) == snapshots[snapshots.count - 1].changes(since: snapshots[0]))
    }
  }

  /// A reader lets a checkpoint go only so far, and so the file has some pages of later transactions than others.
  @Test(arguments: 0..<60) func whatACheckpointHasOverwrittenIsNotTold(seed: Int) throws {
    let writer = try TestConnection(
      folder("live.db"),
      Self.setups[seed % Self.setups.count] + "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
        + """
        CREATE TABLE a(id INTEGER PRIMARY KEY, x, y REAL, z TEXT);
        CREATE TABLE b(k TEXT, v, w, PRIMARY KEY(v, k)) WITHOUT ROWID;
        CREATE TABLE c(x UNIQUE, y);
        """)
    var random = Random(seed: UInt64(seed))
    for _ in 0..<random.below(40) { try writer.execute(random.statement()) }
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let (reader, pin) = (try TestConnection(folder("live.db")), try TestConnection(folder("live.db")))
    var (snapshots, last, isPinned) = ([try Snapshot(reader)], try index(), false)
    for _ in 0..<(4 + random.below(30)) {
      // One that was read before comes back at times: a page can hold again what it held.
      let sql = random.below(3) == 0 ? random.smallStatement() : random.statement()
      try writer.execute("BEGIN; \(sql); COMMIT")
      let new = try index()
      if new?.header.salt1 != last?.header.salt1 { snapshots.removeFirst(snapshots.count - 1) }
      if new?.header.salt1 != last?.header.salt1 || new?.frames != last?.frames {
        snapshots.append(try Snapshot(reader))
      }
      last = new
      switch random.below(8) {
      case 0, 1:
        try pin.execute(isPinned ? "COMMIT" : "BEGIN; SELECT count(*) FROM a")
        isPinned.toggle()
      case 2 where seed % 6 > 0: try writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
      default: break
      }
    }
    let (database, wal) = try copies()
    try folder.fold("copy.db", to: "folded.db")
    var limits = WALHistoryLimits()
    (limits.rows, limits.netRows, limits.groups, limits.rowBytes) = (.max, .max, .max, .max)
    let history = readWALHistory(
      of: database, wal: wal, captured: folder("folded.db"), rows: true, limits: limits)
    #expect(history.contradiction == nil && history.problems.count == (history.checkpointed > 0 ? 1 : 0))
    try #require(history.count == snapshots.count - 1)
    try #require(history.transactions.count == history.count - history.checkpointed)
    for transaction in history.transactions {
      let expected = snapshots[transaction.number].changes(since: snapshots[transaction.number - 1])
      #expect(
        Snapshot.changes(told: transaction) == expected, "seed \(seed), transaction \(transaction.number)")
    }
    if !history.transactions.isEmpty {
      let expected = snapshots[history.count].changes(since: snapshots[history.checkpointed])
      #expect(Snapshot.changes(told: history.net) == expected, "seed \(seed)")
    }
  }

  private func index() throws -> WALIndex? {
    let wal = try InputFile(path: folder("live.db-wal"))
    return try WALIndex(of: wal, bytes: try wal.size())
  }

  private func frames() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: folder("live.db-wal"))[.size] as? Int ?? 0
  }

  private func copies() throws -> (String, String) {
    for end in ["", "-wal"] { try folder.copy("live.db" + end, to: "copy.db" + end) }
    return (folder("copy.db"), folder("copy.db-wal"))
  }
}

/// Every row of a database, as text.
private struct Snapshot {
  private var rows: [String: [String: String]] = [:]

  init(_ connection: TestConnection) throws {
    let tables = try connection.text(
      "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for table in tables.split(separator: ",").map(String.init) {
      let columns = try connection.text("SELECT group_concat(name) FROM pragma_table_info('\(table)')").split(
        separator: ",")
      let key = table == "b" ? "v || '/' || k" : "rowid"
      let values = columns.map { column in
        """
        CASE typeof("\(column)") WHEN 'text' THEN 'text ' || substr("\(column)", 1, 20) WHEN 'blob' THEN \
        'blob ' || length("\(column)") ELSE quote("\(column)") END
        """
      }
      let text = try connection.text(
        "SELECT group_concat(\(key) || char(9) || \(values.joined(separator: " || ',' || ")), char(10)) FROM \(table)"
      )
      rows[table] = Dictionary(
        uniqueKeysWithValues: text.split(separator: "\n").map { line in
          let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(parts[0]), String(parts[1]))
        })
    }
  }

  /// `+a 5 text x,…`, by table and key.
  func changes(since old: Snapshot) -> [String] {
    var changes: [String] = []
    for table in Set(rows.keys).union(old.rows.keys) {
      let (before, after) = (old.rows[table] ?? [:], rows[table] ?? [:])
      for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
        // What a new column holds in all rows is no change of them.
        if let old = before[key], let new = after[key], Self.isWider(new, old) { continue }
        changes.append("\(table) \(key): \(before[key] ?? "none") → \(after[key] ?? "none")")
      }
    }
    return changes.sorted()
  }

  private static func isWider(_ new: String, _ old: String) -> Bool {
    new.hasPrefix(old + ",")
      && new.dropFirst(old.count).split(separator: ",").allSatisfy {
        $0 == "'text later'" || $0 == "text later"
      }
  }

  static func changes(told transaction: WALHistory.Transaction) -> [String] {
    var changes: [String] = []
    for table in transaction.tables where !table.isInternal {
      for group in table.groups {
        for row in group.rows {
          let cells = (row.new ?? row.old ?? []).compactMap { $0 }
          let key = row.key.map { "\($0)" } ?? "\(text(cells[1], isKey: true))/\(text(cells[0], isKey: true))"
          changes.append("\(table.name) \(key): \(line(row.old)) → \(line(row.new))")
        }
      }
    }
    return changes.sorted()
  }

  private static func line(_ cells: [DatabaseValue?]?) -> String {
    cells.map { $0.map { text($0 ?? .null) }.joined(separator: ",") } ?? "none"
  }

  private static func text(_ cell: DatabaseValue, isKey: Bool = false) -> String {
    switch cell {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text, _): isKey ? text : "text \(text.prefix(20))"
    case .blob: "blob \(cell.byteCount)"
    }
  }
}

private struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 7919 &+ 17 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  private mutating func value() -> String {
    switch below(6) {
    case 0: return "NULL"
    case 1: return "\(below(1000) - 500)"
    case 2: return "\(below(100)).5"
    case 3: return "zeroblob(\(below(9000)))"
    case 4:
      let count = below(400)
      return "'\(count) \(String(repeating: "long \(below(9)) ", count: count))'"
    default: return "'text \(below(50))'"
    }
  }

  /// What may be undone by the next one, to the byte.
  mutating func smallStatement() -> String {
    below(2) == 0
      ? "UPDATE a SET y = \(below(2)) WHERE id = (SELECT id FROM a LIMIT 1 OFFSET \(below(4)))"
      : "UPDATE b SET w = \(below(2)) WHERE v = \(below(9)) AND k < 'k2'"
  }

  mutating func statement() -> String {
    switch below(16) {
    case 0, 1, 2:
      "INSERT OR IGNORE INTO a(id, x, y, z) VALUES (\(below(400)), \(value()), \(below(9)), \(value()))"
    case 3: "INSERT OR REPLACE INTO a(id, x, z) VALUES (\(below(400)), \(value()), \(value()))"
    case 4, 5: "INSERT OR REPLACE INTO b VALUES ('k\(below(60))', \(below(9)), \(value()))"
    case 6: "UPDATE a SET x = \(value()) WHERE id % 7 = \(below(7))"
    case 7: "UPDATE b SET w = \(value()) WHERE v = \(below(9))"
    case 8: "DELETE FROM a WHERE id BETWEEN \(below(400)) AND \(below(400))"
    case 9: "DELETE FROM b WHERE v = \(below(9))"
    case 10: "UPDATE OR IGNORE a SET id = id + 1000 WHERE id = \(below(400))"
    case 11: "INSERT OR IGNORE INTO c VALUES (\(below(500)), \(value()))"
    case 12:
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(below(300) + 1)) "
        + "INSERT OR IGNORE INTO a(id, x) SELECT i + \(below(2000)), i FROM n"
    case 13: below(3) == 0 ? "DELETE FROM c" : "UPDATE c SET y = \(value())"
    case 14: "DROP TABLE IF EXISTS d; CREATE TABLE d(x, y); INSERT INTO d VALUES (1, \(value()))"
    default: below(4) == 0 ? "DELETE FROM a" : "UPDATE a SET z = z, y = y + 1 WHERE id < \(below(400))"
    }
  }
}
