import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation

/// A database in WAL mode that this process has open, of which some megabytes are only in the WAL.
final class SampleDatabase {
  private let folder: String
  private let connection: SQLiteConnection
  private var path: String { folder + "/sample.db" }

  init(megabytes: Int, inWAL: Int) throws {
    folder = NSTemporaryDirectory() + "capture-benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
    connection = try SQLiteConnection(path: folder + "/sample.db", flags: flags, image: .linked)
    try connection.handle.execute(
      "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t(i INTEGER PRIMARY KEY, x)")
    try fill(megabytes)
    try connection.handle.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try fill(inWAL)
  }

  deinit {
    // Files that cannot be removed stay in the temporary folder.
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func fill(_ megabytes: Int) throws {
    let rows = max(1, megabytes * 996)  // three rows of 1000 bytes a page
    try connection.handle.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t(x) SELECT randomblob(1000) FROM n
      """)
  }

  /// Captures it once and returns how long that took.
  func capture(keepsHistory: Bool) throws -> Duration {
    let pointer = UInt(bitPattern: connection.handle.pointer)
    let live = LiveConnection(belongsToFailedTest: true) { _, body in
      OpaquePointer(bitPattern: pointer).map(body)
      return .used
    }
    let capturer = DatabaseCapturer(limits: CaptureLimits(databaseBytes: 1 << 40), keepsHistory: keepsHistory)
    let file = DatabaseFile(path: path, connections: [live])
    return try timed { folder in
      let result = capturer.capture(.file(file), named: "sample", into: folder)
      if let failure = result.failures.first { throw failure }
    }
  }

  /// Copies database and WAL with `cp` and returns how long that took.
  func copy() throws -> Duration {
    try timed { folder in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/cp")
      process.arguments = [path, path + "-wal", folder]
      try process.run()
      process.waitUntilExit()
    }
  }

  private func timed(_ body: (String) throws -> Void) throws -> Duration {
    let output = folder + "/output"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let start = ContinuousClock.now
    try body(output)
    let duration = start.duration(to: .now)
    try FileManager.default.removeItem(atPath: output)
    return duration
  }
}
