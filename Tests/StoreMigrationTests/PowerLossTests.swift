import Foundation
import Testing

/// What has to be on disk is synced before anything is written that needs it to be.
@Suite(.enabled(if: FaultLibrary.path != nil, "clang builds the library that traces")) struct PowerLossTests {
  let notes: Notes

  init() throws {
    notes = try Notes()
  }

  /// One call on the store's own files or folder: `write wal`, `fsync database`.
  private func calls() throws -> [String] {
    let folder = try TemporaryFolder()
    let trace = folder("trace")
    let result = try run(
      MigrationProcess.path, notes.path,
      environment: ["LD_PRELOAD": FaultLibrary.path ?? "", "FAULT_TRACE": trace])
    #expect(result.output.hasPrefix("migrated"), "\(result.output)")
    let names = [
      notes.path: "database", notes.path + "-wal": "wal", notes.path + "-journal": "journal",
      notes.folder: "folder",
    ]
    return try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return names[String(parts.last ?? "")].map { "\(parts[0]) \($0)" }
    }
  }

  private func first(_ call: String, in calls: [String]) throws -> Int {
    try #require(calls.firstIndex(of: call), "\(call) in \(calls)")
  }

  private func last(_ call: String, in calls: some BidirectionalCollection<String>) throws -> Int {
    try #require(
      calls.reversed().firstIndex(of: call).map { calls.distance(from: calls.startIndex, to: $0.base) - 1 })
  }

  @Test func theWALIsOnDiskBeforeTheDatabaseIsWritten() throws {
    let calls = try calls()
    let written = try first("write database", in: calls)
    let before = calls[..<written]
    #expect(try last("write wal", in: before) < last("fsync wal", in: before), "\(calls)")
    // The database is on disk before its WAL goes.
    let done = try last("write database", in: calls)
    let synced = try #require(calls[done...].firstIndex(of: "fsync database"), "\(calls)")
    #expect(!calls[written..<synced].contains { $0 == "write wal" || $0 == "unlink wal" }, "\(calls)")
    #expect(calls[synced...].contains("unlink wal"))
  }

  @Test func theJournalIsOnDiskBeforeTheDatabaseIsWritten() throws {
    try notes.seed(mode: "DELETE")
    let calls = try calls()
    let written = try first("write database", in: calls)
    let before = calls[..<written]
    #expect(try last("write journal", in: before) < last("fsync journal", in: before), "\(calls)")
    #expect(before.contains("fsync folder"), "the journal's name too: \(calls)")
    // The database is on disk before the journal is ended, and that it is ended is on disk at the end.
    let done = try last("write database", in: calls)
    let synced = try #require(calls[done...].firstIndex(of: "fsync database"), "\(calls)")
    #expect(!calls[done..<synced].contains { $0.hasSuffix(" journal") }, "\(calls)")
    let ended = try #require(calls[synced...].firstIndex(of: "write journal"), "\(calls)")
    #expect(calls[ended...].contains("fsync journal"), "\(calls)")
  }
}
