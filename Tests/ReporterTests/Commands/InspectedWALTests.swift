import ExhibitSystem
import Foundation
import Testing

/// What `reporter inspect` and `reporter diff` say of a WAL and of a table with another name.
@Suite struct InspectedWALTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.database("a.sqlite", "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 2);")
  }

  private func run(_ arguments: String...) throws -> String {
    try ReporterProcess.run(arguments, in: folder.path).output
  }

  @Test func oneTransactionIsToldOnce() throws {
    try crash(folder("a.sqlite"), "PRAGMA journal_mode=WAL;INSERT INTO t VALUES (2, 3)")
    let output = try run("inspect", "a.sqlite")
    #expect(output.contains("  + t row 2: id 2, v 3"), "\(output)")
    for word in ["In all", "row changed", "Committed transactions"] { #expect(!output.contains(word)) }
  }

  @Test func valuesOfAWideTableAreToldWhereverTheyLie() throws {
    let columns = (1...120).map { "c\($0)" }.joined(separator: ", ")
    try folder.database(
      "w.sqlite", "CREATE TABLE w(id INTEGER PRIMARY KEY, \(columns)); INSERT INTO w(c1) VALUES (5);")
    try crash(folder("w.sqlite"), "PRAGMA journal_mode=WAL; UPDATE w SET c110 = 'far', c118 = 8")
    let output = try run("inspect", "w.sqlite")
    #expect(output.contains("1 row of w changed in c110 and c118"), "\(output)")
    #expect(output.contains("c110 NULL → 'far'") && output.contains("c118 NULL → 8"), "\(output)")
  }

  @Test func whatIsLeftOutOfAWALNamesTheOptionAndNoFile() throws {
    let many =
      "INSERT INTO t(v) WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 100) SELECT i FROM n"
    let odd = (1...9).map { count in
      "INSERT INTO t(v) VALUES " + Array(repeating: "(7)", count: count).joined(separator: ",")
    }.joined(separator: ";")
    try crash(folder("a.sqlite"), "PRAGMA journal_mode=WAL;\(odd);\(many)")
    let output = try run("inspect", "a.sqlite", "--transactions", "2")
    #expect(output.contains("98 more rows of these kinds.\n") && output.contains("In all: "), "\(output)")
    #expect(output.contains("transactions left out: --transactions COUNT tells more"), "\(output)")
    #expect(!output.contains("story.jsonl"))
  }

  @Test func aPackedDatabaseIsReadWithTheWALThatIsPackedBesideIt() throws {
    try crash(folder("a.sqlite"), "PRAGMA journal_mode=WAL;INSERT INTO t VALUES (2, 3)")
    let plain = try run("inspect", "a.sqlite")
    for file in ["a.sqlite", "a.sqlite-wal"] {
      let packed = try Data(contentsOf: URL(fileURLWithPath: folder(file))).withUnsafeBytes {
        gzip($0.bindMemory(to: UInt8.self))
      }
      try folder.write(#require(packed), to: file + ".gz")
      try FileManager.default.removeItem(atPath: folder(file))
    }
    #expect(try run("inspect", "a.sqlite.gz") == plain.replacing("a.sqlite", with: "a.sqlite.gz"))
    #expect(try run("diff", "a.sqlite.gz", "a.sqlite.gz").contains("No difference"))
    #expect(try folder.names.filter { !$0.hasPrefix("a.sqlite") }.isEmpty)
  }

  @Test func aRenamedTableIsOneDifference() throws {
    try FileManager.default.copyItem(atPath: folder("a.sqlite"), toPath: folder("b.sqlite"))
    try folder.database("b.sqlite", "ALTER TABLE t RENAME TO t2;")
    let output = try run("diff", "a.sqlite", "b.sqlite")
    #expect(output.contains("renamed from t"), "\(output)")
    for word in ["table t2", "− table", "2 differences"] { #expect(!output.contains(word), "\(output)") }
  }
}
