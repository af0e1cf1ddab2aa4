import Attach
import Foundation
import XCTest

/// A folder of databases, all of which another process keeps locked.
final class LockedFolderXCTests: XCTestCase {
  private static let script = """
    import sqlite3, sys
    locked = []
    for number in range(24):
        db = sqlite3.connect(f'{sys.argv[1]}/{number}.db', isolation_level=None)
        db.execute('CREATE TABLE t(a)')
        db.execute('BEGIN EXCLUSIVE')
        db.execute("INSERT INTO t VALUES('one')")
        locked.append(db)
    print('locked', flush=True)
    sys.stdin.read()
    """

  func testAllAreLocked() throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "locked-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, folder.path]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    attachOnFailure(.directory(at: folder))
    XCTAssertEqual(output.fileHandleForReading.availableData, Data("locked\n".utf8))
    XCTFail("while they are locked")
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    try FileManager.default.removeItem(at: folder)
  }
}
