import Collector
import ExhibitSQLite
import Foundation
import Testing

/// Headers as SQLite writes them.
@Suite struct WALHeaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [512, 4096, 65536])
  func aHeaderIsReadAndChangesWhenTheWALIsReset(pageSize: Int) throws {
    let live = try TestConnection(
      folder("app.db"), "PRAGMA page_size=\(pageSize); PRAGMA journal_mode=WAL; CREATE TABLE t(x)")
    let first = try #require(WALHeader(Array(bytes(of: live.path + "-wal") ?? Data())))
    try live.execute("PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES(1)")
    let second = try #require(WALHeader(Array(bytes(of: live.path + "-wal") ?? Data())))
    #expect(first.pageSize == pageSize)
    #expect(second.pageSize == pageSize)
    #expect(second.checkpointSequence == first.checkpointSequence + 1)
    #expect(second.salt1 == first.salt1 &+ 1)
    #expect(second.salt2 != first.salt2)
  }

  @Test func oneWrongByteAnywhereIsNoHeader() throws {
    let live = try TestConnection(folder("app.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t(x)")
    let header = Array(try #require(bytes(of: live.path + "-wal")).prefix(32))
    #expect(WALHeader(header) != nil)
    for offset in header.indices {
      var wrong = header
      wrong[offset] ^= 0x10
      #expect(WALHeader(wrong) == nil, "byte \(offset)")
    }
    #expect(WALHeader(Array(header.dropLast())) == nil)
    #expect(WALHeader([]) == nil)
  }

  @Test func aDatabaseHeaderTellsPageSizeAndMode() throws {
    for (mode, pageSize) in [("DELETE", 512), ("WAL", 65536)] {
      let path = folder("\(mode).db")
      try TestConnection(path, "PRAGMA page_size=\(pageSize); PRAGMA journal_mode=\(mode); CREATE TABLE t(x)")
        .close()
      let header = try #require(DatabaseHeader(Array(bytes(of: path) ?? Data())))
      #expect(header.pageSize == pageSize)
      #expect(header.isWAL == (mode == "WAL"))
    }
    #expect(DatabaseHeader(Array(repeating: 0, count: 100)) == nil)
    #expect(DatabaseHeader(DatabaseHeader.magic) == nil)
  }
}
