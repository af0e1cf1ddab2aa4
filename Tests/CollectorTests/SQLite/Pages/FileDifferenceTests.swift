import ExhibitSQLite
import ExhibitSystem
import Foundation
import TestSupport
import Testing

/// The rows that two database files do not have in common.
@Suite struct FileDifferenceTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func pages(_ name: String) throws -> FilePages { try FilePages(InputFile(path: folder(name))) }

  /// Compares two files and holds what is told against SQLite's reading of both.
  private func check(_ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let truths = try (StateTruth(TestConnection(folder(old))), StateTruth(TestConnection(folder(new))))
    let (before, after) = (try pages(old), try pages(new))
    let difference = try PageDifference(DatabaseState(before))
    var told: [TablePair: ToldChanges] = [:]
    let changes = try difference.advance(
      to: DatabaseState(after), changed: .between(before, after),
      keyColumns: { StateTruth.keyColumns($0.name) }
    ) { pair, change in
      try told[pair, default: ToldChanges()].add(change, pair)
    }
    var seen: Set<String> = []
    for table in changes.tables {
      #expect(table.problem == nil, sourceLocation: sourceLocation)
      seen.formUnion([table.pair.old?.name, table.pair.new?.name].compactMap(\.self))
      let (old, new) = (
        table.pair.old.flatMap { truths.0.tables[$0.name] } ?? TableTruth(),
        table.pair.new.flatMap { truths.1.tables[$0.name] } ?? TableTruth()
      )
      #expect(
        told[table.pair] ?? ToldChanges() == ToldChanges(from: old, to: new), sourceLocation: sourceLocation)
    }
    for name in Set(truths.0.tables.keys).union(truths.1.tables.keys).subtracting(seen) {
      #expect((truths.0.tables[name] == truths.1.tables[name]) == true, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: UInt64(1)...6)
  func filesOfOneHistoryAndAnewWrittenOnesAreCompared(seed: UInt64) throws {
    let story = try WALStory(folder("live.db"), seed: seed)
    try story.connection.execute("VACUUM INTO '\(folder("a.db"))'")
    try story.run(12)
    try story.connection.execute("VACUUM INTO '\(folder("b.db"))'")
    story.connection.close()
    for (name, size) in [("small", 512), ("large", 16384)] {
      try FileManager.default.copyItem(atPath: folder("b.db"), toPath: folder("\(name).db"))
      try folder.database("\(name).db", "PRAGMA page_size=\(size); VACUUM;")
    }
    try FileManager.default.copyItem(atPath: folder("a.db"), toPath: folder("c.db"))
    try folder.database(
      "c.db", "DELETE FROM big WHERE rowid % 3 = 0; INSERT INTO big VALUES('more', zeroblob(9000));")
    for (old, new) in [
      ("a", "b"), ("b", "a"), ("a", "small"), ("large", "a"), ("small", "large"), ("a", "c"), ("c", "a"),
      ("a", "a"),
    ] {
      try check("\(old).db", "\(new).db")
    }
  }

  @Test func anEmptyFileHasNothingInCommonWithADatabase() throws {
    try folder.write("", to: "empty.db")
    try folder.database("a.db", "CREATE TABLE t(a); INSERT INTO t VALUES(1),(2);")
    try check("empty.db", "a.db")
    try check("a.db", "empty.db")
  }

  @Test func aValueWrittenOverInAnOverflowPageIsAChange() throws {
    try folder.database(
      "a.db",
      "CREATE TABLE big(a); INSERT INTO big VALUES(zeroblob(50000)), (zeroblob(60000)), (zeroblob(5));")
    try FileManager.default.copyItem(atPath: folder("a.db"), toPath: folder("b.db"))
    try folder.database(
      "b.db",
      "UPDATE big SET a = CAST(substr(a, 1, 40000) || x'01' || substr(a, 40002) AS BLOB) WHERE rowid = 2;")
    guard case .some(let changed) = try ChangedPages.between(pages("a.db"), pages("b.db")) else { return }
    // The header, and one overflow page; not the leaf.
    #expect(changed.count == 2)
    try check("a.db", "b.db")
  }

  @Test func aDamagedTableIsToldAndTheOthersAreCompared() throws {
    try folder.database(
      "a.db", "CREATE TABLE t(a); CREATE TABLE u(a); INSERT INTO t VALUES(1); INSERT INTO u VALUES(1);")
    try FileManager.default.copyItem(atPath: folder("a.db"), toPath: folder("b.db"))
    try folder.database("b.db", "INSERT INTO t VALUES(2); INSERT INTO u VALUES(2);")
    var bytes = [UInt8](try Data(contentsOf: folder.url.appending(path: "b.db")))
    bytes[4096] = 7
    try folder.write(bytes, to: "b.db")
    let difference = try PageDifference(DatabaseState(pages("a.db")))
    let changes = try difference.advance(
      to: DatabaseState(pages("b.db")), changed: .between(pages("a.db"), pages("b.db"))
    ) { _, _ in }
    let tables = Dictionary(uniqueKeysWithValues: changes.tables.map { ($0.pair.new?.name ?? "", $0) })
    #expect(tables["t"]?.problem == .damaged(DamagedPage(2, .otherKind(7))))
    #expect(tables["u"]?.problem == nil)
    #expect(tables["u"]?.added == 1)
  }
}
