import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Foundation
import TestSupport
import Testing

/// Rows are read from pages as SQLite reads them.
@Suite struct PageReadingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func state(of path: String) throws -> DatabaseState {
    try DatabaseState(FilePages(InputFile(path: path)))
  }

  private static let shapes: [(page: Int, encoding: String, vacuum: String)] = [
    (512, "UTF-8", "NONE"), (512, "UTF-16le", "FULL"), (1024, "UTF-16be", "INCREMENTAL"),
    (4096, "UTF-8", "FULL"), (8192, "UTF-16le", "NONE"), (65536, "UTF-8", "NONE"),
    (65536, "UTF-16be", "FULL"), (32768, "UTF-8", "INCREMENTAL"),
  ]

  @Test(arguments: shapes.indices)
  func everyRowIsRead(shape: Int) throws {
    let shape = Self.shapes[shape]
    let live = try TestConnection(
      folder("a.db"),
      """
      PRAGMA page_size=\(shape.page); PRAGMA encoding='\(shape.encoding)'; PRAGMA auto_vacuum=\(shape.vacuum);
      CREATE TABLE t(a, b, c); CREATE TABLE w(a, b, c, PRIMARY KEY(a, b)) WITHOUT ROWID;
      CREATE TABLE empty(a); CREATE INDEX t_b ON t(b);
      """)
    var numbers = SeededNumbers(seed: UInt64(shape.page))
    try live.execute("BEGIN")
    for id in 0..<700 {
      let rowid = id < 20 ? Int64(bitPattern: numbers.next()) : Int64(id)
      try live.execute(
        "INSERT OR REPLACE INTO t(rowid, a, b, c) VALUES(\(rowid), \(numbers.literal()), \(numbers.literal()), \(numbers.literal()))"
      )
      try live.execute(
        "INSERT OR REPLACE INTO w VALUES(coalesce(\(numbers.literal()), 'none'), \(id), \(numbers.literal()))"
      )
    }
    try live.execute("COMMIT; DELETE FROM t WHERE rowid % 5 = 2")
    let truth = try StateTruth(live)
    live.close()
    #expect(truth.tables["t"]?.rows.isEmpty == false)
    #expect(try StateTruth(state(of: folder("a.db"))) == truth)
  }

  @Test func reservedBytesAtTheEndOfPagesAreNotRead() throws {
    let live = try TestConnection(folder("a.db"), "PRAGMA page_size=512")
    var reserved: Int32 = 20
    #expect(sqlite3_file_control(live.pointer, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved) == SQLITE_OK)
    try live.execute("VACUUM; CREATE TABLE t(a, b)")
    var numbers = SeededNumbers(seed: 3)
    for _ in 0..<80 { try live.execute("INSERT INTO t VALUES(\(numbers.literal()), \(numbers.literal()))") }
    let truth = try StateTruth(live)
    live.close()
    #expect([UInt8](try Data(contentsOf: folder.url.appending(path: "a.db")))[20] == 20)
    #expect(try StateTruth(state(of: folder("a.db"))) == truth)
  }

  @Test func recordsAreGivenAsTheyAreStored() throws {
    try folder.database(
      "a.db",
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, r REAL, g GENERATED ALWAYS AS (r + 1) STORED,
        v GENERATED ALWAYS AS (r + 2) VIRTUAL);
      INSERT INTO t(id, r) VALUES(-7, 5);
      ALTER TABLE t ADD COLUMN later DEFAULT 9;
      """)
    let state = try state(of: folder("a.db"))
    let root = try #require(state.schema().first?.rootPage)
    var found: [(Int64, [DatabaseValue])] = []
    try state.forEachRow(of: root) { row in
      found.append((row.rowid, try row.values()))
      return true
    }
    #expect(found.count == 1)
    #expect(found.first?.0 == -7)
    #expect(
      found.first?.1 == [.null, .integer(5), .integer(6)] || found.first?.1 == [.null, .integer(5), .real(6)])
  }

  @Test func aLongValueIsCutAtAWholeCharacterAndHasTheDigestOfAll() throws {
    try folder.database(
      "a.db",
      """
      CREATE TABLE t(a, b);
      INSERT INTO t VALUES(replace(hex(zeroblob(5000)), '00', 'é'), zeroblob(20000));
      INSERT INTO t VALUES(replace(hex(zeroblob(5000)), '00', 'é') || 'x', zeroblob(20001));
      """)
    let state = try state(of: folder("a.db"))
    var rows: [[DatabaseValue]] = []
    try state.forEachRow(of: 2) { row in
      rows.append(try row.values(keeping: 11))
      return true
    }
    guard case .text(let text, let whole?) = rows[0][0], case .text(_, let other?) = rows[1][0],
      case .blob(let blob, let wholeBlob?) = rows[0][1]
    else { throw TestConnection.Refused(message: "\(rows)") }
    #expect(text == "ééééé")
    #expect(whole.bytes == 10_000)
    #expect(other.bytes == 10_001)
    #expect(whole.digest != other.digest)
    #expect(blob == Array(repeating: 0, count: 11))
    #expect(wholeBlob.bytes == 20_000)
  }

  @Test func theSchemaIsRead() throws {
    try folder.database(
      "a.db", "CREATE TABLE t(a UNIQUE); CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(x);")
    let schema = try state(of: folder("a.db")).schema()
    #expect(schema.first { $0.name == "v" }?.rootPage == 0)
    #expect(schema.first { $0.name == "f" }?.rootPage == 0)
    #expect(schema.first { $0.type == "index" }?.sql == nil)
    #expect(schema.first { $0.name == "t" }?.sql == "CREATE TABLE t(a UNIQUE)")
    #expect(schema.contains { $0.name == "f_content" && $0.rootPage > 0 })
  }

  @Test func anEmptyFileHasNoTablesAndAnotherFileIsNone() throws {
    try folder.write("", to: "empty.db")
    #expect(try state(of: folder("empty.db")).schema() == [])
    try folder.write(String(repeating: "no database ", count: 100), to: "other.db")
    #expect(throws: DamagedPage(1, .noHeader)) { try state(of: folder("other.db")) }
  }
}
