import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// Files that SQLite cannot read are kept byte for byte, and the capture counts as failed too.
@Suite struct NotADatabaseTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
    path = folder("app.db")
  }

  private func keepRaw(_ contents: Data, _ connections: [LiveConnection] = []) throws {
    let result = evidence.capture(.file(DatabaseFile(path: path, connections: connections)))
    #expect(result.failures.map(\.reason) == [.notADatabase])
    #expect(result.files.map(\.file) == ["library.raw"])
    #expect(result.files.map(\.isDatabase) == [false])
    #expect(result.files.map(\.capture.method) == [.raw])
    #expect(try evidence.names == ["library.raw"])
    #expect(bytes(of: evidence("library.raw")) == contents)
    #expect(bytes(of: path) == contents)
  }

  private static let kinds = ["text", "short", "random", "encrypted"]

  private func contents(_ kind: String) -> Data {
    switch kind {
    case "text": Data(String(repeating: "not a database\n", count: 1000).utf8)
    case "short": Data("SQLite format 3\u{0}".utf8)
    // As SQLCipher leaves it: whole pages of noise.
    case "encrypted": Data((0..<16384).map { _ in UInt8.random(in: 0...255) })
    default: Data((0..<5000).map { _ in UInt8.random(in: 1...255) })
    }
  }

  @Test(arguments: kinds)
  func aFileThatNobodyHasOpen(kind: String) throws {
    let contents = contents(kind)
    try contents.write(to: URL(fileURLWithPath: path))
    try keepRaw(contents)
  }

  @Test(arguments: kinds)
  func aFileThatTheTestHasOpen(kind: String) throws {
    let contents = contents(kind)
    try contents.write(to: URL(fileURLWithPath: path))
    let live = try TestConnection(path)
    try keepRaw(contents, [live.lent()])
  }

  /// Every length either is a database or is kept raw; nothing hangs, crashes or is lost.
  @Test(arguments: [512, 4096])
  func aDatabaseThatEndsAtAnyByte(pageSize: Int) throws {
    let whole = folder("whole.db")
    try TestConnection(
      whole, "PRAGMA page_size=\(pageSize); CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(\(pageSize)))"
    ).close()
    let contents = try #require(bytes(of: whole))
    for length in stride(from: 1, to: contents.count, by: pageSize / 512 * 3) {
      try contents.prefix(length).write(to: URL(fileURLWithPath: path))
      let result = evidence.capture(.file(DatabaseFile(path: path)))
      let file = try #require(result.files.first, "\(length) bytes")
      #expect(result.files.count == 1)
      #expect(result.failures.map(\.reason) == [.notADatabase], "\(length) bytes")
      #expect(bytes(of: evidence(file.file))?.count == length)
      try FileManager.default.removeItem(atPath: evidence(file.file))
    }
  }

  @Test func aTruncatedDatabaseIsKeptTogetherWithItsWAL() throws {
    try crash(
      path,
      "PRAGMA journal_mode=WAL;CREATE TABLE t(x);PRAGMA wal_checkpoint(TRUNCATE);INSERT INTO t VALUES(1)")
    let wal = try #require(bytes(of: path + "-wal"))
    try Data("SQLite format".utf8).write(to: URL(fileURLWithPath: path))
    let result = evidence.capture(.file(DatabaseFile(path: path)))
    #expect(result.failures.map(\.reason) == [.notADatabase])
    #expect(result.files.map(\.file) == ["library.raw/library.sqlite"])
    #expect(result.files.map(\.capture.history) == ["library.raw"])
    #expect(bytes(of: evidence("library.raw/library.sqlite-wal")) == wal)
    #expect(bytes(of: evidence("library.raw/library.sqlite")) == Data("SQLite format".utf8))
  }

  /// Rows of excluded tables cannot be taken out of what cannot be read.
  @Test func withExcludedTablesNothingIsKept() throws {
    try Data("not a database, but with a secret".utf8).write(to: URL(fileURLWithPath: path))
    let result = DatabaseCapturer(excludedTables: ["t"]).capture(
      .file(DatabaseFile(path: path)), named: "library", into: evidence.path)
    #expect(result.files.isEmpty)
    #expect(result.failures.map(\.reason) == [.notADatabase])
    #expect(try evidence.names == [])
  }

  /// SQLite says of a page that the system could not read that the database is malformed.
  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"), arguments: [false, true])
  func whatCannotBeReadIsNoOtherFileForThat(stays: Bool) throws {
    let process = try CaptureProcess(
      path, into: evidence.path, "CREATE TABLE t(x); INSERT INTO t VALUES(7); BEGIN",
      preloading: FaultLibrary.path)
    let calls = try process.capture("clean", "read").calls
    for number in 1...calls {
      let answer = try process.capture("library-\(number)", "read", at: number, stays: stays)
      #expect(!answer.failures.contains("notADatabase"), "\(number) of \(calls)")
      if !stays {
        #expect(answer.failures == [], "\(number) of \(calls)")
        #expect(try evidence.read("SELECT x FROM t", from: "library-\(number).sqlite") == "7")
      }
    }
    #expect(try process.end() == 0)
  }
}
