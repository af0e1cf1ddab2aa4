import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Foundation
import Testing

/// What fails on the way is named, and leaves nothing behind.
@Suite struct CaptureFaultTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  /// Every opening of a connection fails in turn: that of the original, those of the copy.
  @Test func whenAConnectionCannotBeOpened() throws {
    let live = try TestConnection(
      folder("app.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)")
    let before = try DatabaseFiles(live.path)
    for failing in 0..<3 {
      let opened = CallCounter()
      var image = SQLiteImage.linked
      image.open = { path, connection, flags, vfs in
        opened.next() == failing ? SQLITE_CANTOPEN : sqlite3_open_v2(path, connection, flags, vfs)
      }
      #expect(try evidence.captureFailing(live.source, image: image).reason == .io)
      #expect(try DatabaseFiles(live.path) == before)
    }
    let opened = CallCounter()
    var image = SQLiteImage.linked
    image.open = { path, connection, flags, vfs in
      _ = opened.next()
      return sqlite3_open_v2(path, connection, flags, vfs)
    }
    #expect(evidence.capture(live.source, image: image).failures.isEmpty)
    #expect(opened.next() == 3)
  }

  @Test func whenTheFolderIsMissing() throws {
    let live = try TestConnection(folder("app.db"), "CREATE TABLE t(x)")
    let result = DatabaseCapturer().capture(live.source, named: "library", into: folder("nowhere"))
    #expect(result.files.isEmpty)
    #expect(result.failures.map(\.reason) == [.io])
    #expect(try folder.names == ["app.db", "evidence"])
  }

  @Test func whenSomethingIsThereAlready() throws {
    let live = try TestConnection(folder("app.db"), "CREATE TABLE t(x)")
    try Data("earlier".utf8).write(to: URL(fileURLWithPath: evidence("library.sqlite")))
    let result = evidence.capture(live.source)
    #expect(result.failures.map(\.reason) == [.io])
    #expect(bytes(of: evidence("library.sqlite")) == Data("earlier".utf8))
    #expect(try evidence.names == ["library.sqlite"])
  }

  @Test(arguments: ["../library", "a/b", ".hidden", ""])
  func aNameThatIsNoFileName(name: String) throws {
    let live = try TestConnection(folder("app.db"), "CREATE TABLE t(x)")
    let result = DatabaseCapturer().capture(live.source, named: name, into: evidence.path)
    #expect(result.files.isEmpty)
    #expect(result.failures.map(\.reason) == [.io])
    #expect(try folder.names == ["app.db", "evidence"])
    #expect(try evidence.names == [])
  }

  /// A file system of 2 MB is full before the copy is whole.
  @Test(
    .enabled(if: SmallDisk.isAvailable, "mounting a file system takes root"), arguments: ["DELETE", "WAL"])
  func whenTheDiskIsFull(mode: String) throws {
    let disk = try SmallDisk(at: evidence.path)
    defer { disk.unmount() }
    let live = try TestConnection(
      folder("app.db"),
      "PRAGMA journal_mode=\(mode); CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(1500000))")
    try live.execute("UPDATE t SET x=randomblob(1500000)")
    try live.execute("INSERT INTO t VALUES(randomblob(1500000))")
    let before = try DatabaseFiles(live.path)
    let error = try evidence.captureFailing(live.source)
    #expect(error.reason == .io)
    #expect(error.message.contains("No space left on device"))
    #expect(try DatabaseFiles(live.path) == before)
  }
}

private final class CallCounter: Sendable {
  private let count = Locked(0)

  /// How often this was asked before.
  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}
