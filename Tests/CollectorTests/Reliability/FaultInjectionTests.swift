import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

/// Every call of a capture fails in turn, once and from then on: the original is never harmed, what is there is
/// whole, and what the capture says is true.
///
/// In short every few calls; every one with `EXHIBIT_LONG_TESTS=1`.
@Suite(.enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"))
struct FaultInjectionTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
    path = folder("app.db")
  }

  private static let kinds = ["open", "read", "write", "fsync", "rename", "mkdir", "stat", "unlink", "close"]
  private static let rows =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<500) INSERT INTO t SELECT randomblob(900) FROM n"

  /// 500 rows are committed; an open transaction holds one more.
  @Test(arguments: ["DELETE", "WAL"], kinds)
  func aDatabaseThatTheTestHasOpen(mode: String, kind: String) throws {
    let process = try CaptureProcess(
      path, into: evidence.path,
      "PRAGMA journal_mode=\(mode); CREATE TABLE t(x); \(Self.rows); BEGIN IMMEDIATE; INSERT INTO t VALUES(0)",
      preloading: FaultLibrary.path)
    // The answer says that the transaction is open.
    _ = try process.capture("first")
    try removeEvidence()
    try failEveryCall(of: kind, in: process, isLocked: true)
    #expect(try process.end() == 0)
    #expect(try run("sqlite3", path, "SELECT count(*) FROM t; PRAGMA integrity_check").output == "501\nok\n")
  }

  /// What SQLite gives of a page that it cannot read for its connection is zeros.
  @Test(arguments: ["DELETE", "WAL"]) func aTransactionOfWhichTheCacheHoldsNothing(mode: String) throws {
    let process = try CaptureProcess(
      path, into: evidence.path,
      """
      PRAGMA journal_mode=\(mode); CREATE TABLE t(x); \(Self.rows);
      PRAGMA cache_size=2; BEGIN IMMEDIATE; INSERT INTO t VALUES(0)
      """, preloading: FaultLibrary.path)
    _ = try process.capture("first")
    try removeEvidence()
    try failEveryCall(of: "read", in: process, isLocked: true)
    #expect(try process.end() == 0)
    #expect(try run("sqlite3", path, "SELECT count(*) FROM t; PRAGMA integrity_check").output == "501\nok\n")
  }

  /// What a dead process left.
  @Test(arguments: ["DELETE", "WAL"], kinds)
  func aDatabaseThatNobodyHasOpen(mode: String, kind: String) throws {
    try crash(
      path,
      "PRAGMA journal_mode=\(mode);CREATE TABLE t(x);\(Self.rows);PRAGMA cache_size=3;BEGIN;DELETE FROM t")
    let process = try CaptureProcess(path, into: evidence.path, preloading: FaultLibrary.path)
    try failEveryCall(of: kind, in: process, isLocked: false)
    #expect(try process.end() == 0)
    #expect(try run("sqlite3", path, "SELECT count(*) FROM t; PRAGMA integrity_check").output == "500\nok\n")
  }

  private func failEveryCall(of kind: String, in process: CaptureProcess, isLocked: Bool) throws {
    let before = try DatabaseFiles(path)
    let clean = try process.capture("library", kind)
    try check(clean, kind, 0, isLocked: isLocked)
    #expect(clean.failures.isEmpty)
    var injected = 0
    let step = LongTests.areAsked ? 1 : max(1, clean.calls / 4)
    for stays in [false, true] {
      var number = 1
      while true {
        let answer = try process.capture("library", kind, at: number, stays: stays)
        try check(answer, kind, number, isLocked: isLocked)
        if answer.calls < number { break }
        injected += 1
        // The first calls are each of a kind of its own, later ones are of pages.
        number += number < 12 ? 1 : step
      }
    }
    #expect(try DatabaseFiles(path) == before)
    if LongTests.areAsked {
      print("injected \(injected) faults of \(kind), \(clean.calls) calls in a clean run")
    }
  }

  /// Sees what one capture left, and removes it.
  private func check(_ answer: CaptureProcess.Answer, _ kind: String, _ number: Int, isLocked: Bool) throws {
    let comment: Comment = "\(kind) \(number): \(answer)"
    #expect(answer.milliseconds < 2500, comment)
    // SQLite keeps a descriptor whose closing would drop a lock; it finds it again by stat.
    #expect(answer.descriptors <= (isLocked && kind == "stat" ? 1 : 0), comment)
    #expect(!answer.files.isEmpty || !answer.failures.isEmpty, comment)
    // What could not be read is no other file for that.
    #expect(!answer.failures.contains("notADatabase"), comment)
    // What could not be removed is hidden and named as ours.
    let visible = try evidence.names.filter { !$0.hasPrefix(".capture-") }
    #expect(kind == "unlink" ? true : try evidence.names == visible, comment)
    #expect(visible == Set(answer.files.map { String($0.prefix { $0 != "/" }) }).sorted(), comment)
    for file in answer.files where file.hasSuffix(".sqlite") {
      try file.hasPrefix("library.raw/") ? checkRaw(file, comment) : checkCopy(file, comment)
    }
    if isLocked { #expect(isLockedForUs, comment) }
    try removeEvidence()
  }

  /// What SQLite could not read, or not for once.
  private func checkRaw(_ file: String, _ comment: Comment) throws {
    #expect(bytes(of: evidence(file)) == bytes(of: path), comment)
    #expect(bytes(of: evidence(file + "-journal")) == bytes(of: path + "-journal"), comment)
    #expect(bytes(of: evidence(file + "-wal")) == bytes(of: path + "-wal"), comment)
  }

  private func checkCopy(_ file: String, _ comment: Comment) throws {
    let rows = file.contains("uncommitted") ? "501" : "500"
    let count = try? evidence.read("SELECT count(*) FROM t", from: file)
    #expect(count == rows, comment)
    let integrity = try? evidence.read("PRAGMA integrity_check", from: file)
    #expect(integrity == "ok", comment)
  }

  /// This process is another one than that which holds the lock.
  private var isLockedForUs: Bool {
    guard let connection = try? SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE, image: .linked)
    else { return false }
    do {
      try connection.handle.execute("BEGIN IMMEDIATE")
      return false
    } catch {
      return error.code == SQLITE_BUSY
    }
  }

  private func removeEvidence() throws {
    for name in try evidence.names { try FileManager.default.removeItem(atPath: evidence(name)) }
  }
}
