import Collector
import Foundation
import Testing

/// A hot journal that names another file at its end, which SQLite deletes when it has rolled back.
@Suite struct SuperJournalTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  let path: String
  let named: String

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
    path = try folder.makeFolder("store") + "/app.db"
    named = folder("precious")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: named))
  }

  private let rows = "SELECT count(*) FROM t"

  /// 200 rows are committed; a transaction that deletes them was written into the file, in `segments` parts.
  private func die(_ segments: Int = 1) throws {
    let fill = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT i, randomblob(900) FROM n
      """
    let parts = (0..<segments).map { "DELETE FROM t WHERE i % \(segments) = \($0)" }.joined(separator: ";")
    try crash(
      path, "CREATE TABLE t(i INTEGER PRIMARY KEY, x);\(fill);PRAGMA cache_size=2;BEGIN;\(parts)")
  }

  /// Ends the journal as SQLite ends that of a transaction over several databases.
  private func name(_ name: [UInt8], sum: UInt32? = nil) throws {
    let characters = name.map { Int32(CChar(truncatingIfNeeded: $0)) }
    let sum = sum ?? characters.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: $1) }
    func word(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let file = try #require(FileHandle(forWritingAtPath: path + "-journal"))
    try file.seekToEnd()
    let record = word(1) + name + word(UInt32(name.count)) + word(sum) + magic
    try file.write(contentsOf: Data(record))
    try file.close()
  }

  /// What SQLite itself makes of copies of the files, in another process.
  private func asSQLiteReadsIt() throws -> String {
    let copies = try folder.makeFolder("copies-\(UUID().uuidString)")
    try run("sh", "-c", "cp -p \"$0\"* \"$1\"", path, copies)
    return try run("sqlite3", copies + "/app.db", rows).output.trimmingCharacters(in: .newlines)
  }

  /// Captures as a test process does and as `reporter` does.
  private func check(rows expected: String, _ comment: Comment? = nil) throws {
    let before = try DatabaseFiles(path)
    let result = evidence.capture(.file(DatabaseFile(path: path)), keepsHistory: true)
    #expect(result.failures == [], comment)
    #expect(try evidence.read(rows) == expected, comment)
    #expect(try evidence.read("PRAGMA integrity_check") == "ok", comment)
    let left = DatabaseCapturer().captureLeft(at: path, named: "left", into: evidence.path)
    #expect(left.failures == [], comment)
    #expect(try evidence.read(rows, from: "left.sqlite") == expected, comment)
    #expect(try DatabaseFiles(path) == before, comment)
  }

  @Test(arguments: [1, 5]) func theFileThatItNamesStays(segments: Int) throws {
    try die(segments)
    try name(Array(named.utf8))
    try check(rows: "200")
    #expect(bytes(of: named) == Data("precious".utf8))
    // So the name is right: SQLite takes it for one.
    #expect(try asSQLiteReadsIt() == "200")
    #expect(bytes(of: named) == nil)
  }

  /// Without the other journal the transaction was committed, and this one is no longer valid: nothing is rolled back,
  /// although the pages of this transaction were not all written yet.
  @Test(arguments: ["gone", "empty"]) func aNameThatLeadsToNoJournalSaysThatItWasCommitted(name: String)
    throws
  {
    try Data().write(to: URL(fileURLWithPath: folder("empty")))
    try die()
    try self.name(Array(folder(name).utf8))
    #expect(try asSQLiteReadsIt().contains("malformed"))
    let before = try DatabaseFiles(path)
    let result = evidence.capture(.file(DatabaseFile(path: path)), keepsHistory: true)
    let left = DatabaseCapturer().captureLeft(at: path, named: "left", into: evidence.path)
    #expect(result.failures == [] && left.failures == [])
    #expect(result.files.first?.capture.note?.contains("was committed") == true)
    for name in ["library.sqlite", "left.sqlite"] { #expect(bytes(of: evidence(name)) == bytes(of: path)) }
    #expect(bytes(of: evidence("library.raw/library.sqlite-journal")) == bytes(of: path + "-journal"))
    #expect(try DatabaseFiles(path) == before)
    #expect(bytes(of: folder("empty")) == Data())
  }

  @Test func whatIsNoNameIsNone() throws {
    let long = Array((named + String(repeating: "/", count: 600)).utf8)
    for (text, sum) in [(Array(named.utf8), UInt32(7)), (long, nil), ([], nil), ([0, 65], nil)] {
      for name in ["", "-journal"] where fileSize(path + name) != nil {
        try FileManager.default.removeItem(atPath: path + name)
      }
      for name in try evidence.names { try FileManager.default.removeItem(atPath: evidence(name)) }
      try die()
      try name(text, sum: sum)
      let expected = try asSQLiteReadsIt()
      try check(rows: expected, "\(text)")
      #expect(bytes(of: named) == Data("precious".utf8))
    }
  }

  /// A process that is killed before or after the moment at which SQLite deletes the journal of both.
  @Test(.enabled(if: FaultLibrary.path != nil, "clang builds the library that kills"), arguments: [1, 2])
  func aRealTransactionOverTwoDatabases(killedAt unlink: Int) throws {
    let other = folder("store/other.db")
    for file in [path, other] { try run("sqlite3", file, "CREATE TABLE t(x); INSERT INTO t VALUES(1)") }
    let sql =
      "ATTACH '\(other)' AS other; BEGIN; INSERT INTO main.t VALUES(2); INSERT INTO other.t VALUES(2); COMMIT"
    try run(
      "env", "LD_PRELOAD=\(FaultLibrary.path ?? "")", "FAULT=unlink \(unlink) kill",
      "FAULT_BELOW=\(folder.path)", "sqlite3", path, sql)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("store")).sorted()
    #expect(names.contains("app.db-journal") && names.contains("other.db-journal"))
    #expect(names.contains { $0.contains("-mj") } == (unlink == 1))
    try check(rows: unlink == 1 ? "1" : "2")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("store")).sorted() == names)
  }
}
