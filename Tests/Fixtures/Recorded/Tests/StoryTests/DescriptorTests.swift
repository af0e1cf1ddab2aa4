import Attach
import Foundation
import GRDBSQLite
import Glibc
import XCTest

/// An app that closes every descriptor it can think of, as some do before they start a program.
final class DescriptorTests: XCTestCase {
  private let folder = NSTemporaryDirectory() + "descriptors-" + UUID().uuidString
  private var connections: [OpaquePointer?] = []

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDown() {
    for connection in connections { sqlite3_close(connection) }
    XCTAssertNoThrow(try FileManager.default.removeItem(atPath: folder))
  }

  private func open(_ name: String) -> OpaquePointer? {
    var connection: OpaquePointer?
    XCTAssertEqual(sqlite3_open("\(folder)/\(name)", &connection), SQLITE_OK)
    connections.append(connection)
    return connection
  }

  private func run(_ sql: String, on connection: OpaquePointer?) {
    XCTAssertEqual(
      sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK, String(cString: sqlite3_errmsg(connection)))
  }

  /// libdispatch keeps its own: without its event loop it ends the process whenever it looks into it.
  private func closeAll() {
    for descriptor in 3..<4096 as Range<Int32> {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      if let target, !target.hasPrefix("anon_inode:") { close(descriptor) }
    }
  }

  /// Its databases have the numbers that Exhibit's files had, and stay whole.
  func testNothingIsWrittenIntoItsDatabases() throws {
    run("CREATE TABLE early(value)", on: open("early.db"))
    sqlite3_close(connections.removeLast())
    closeAll()
    let names = (0..<8).map { "\($0).db" }
    for name in names { run("CREATE TABLE number(value)", on: open(name)) }
    // What was closed and held is opened again, and is held no longer.
    run("INSERT INTO early VALUES ('again')", on: open("early.db"))
    // More than the ring's file has room for at first.
    for value in 0..<2000 { run("INSERT INTO number VALUES (\(value))", on: connections[value % 8]) }
    for (name, connection) in zip(names, connections) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      XCTAssertTrue(bytes.starts(with: Array("SQLite format 3".utf8)), name)
      run(
        "SELECT CASE WHEN (SELECT integrity_check FROM pragma_integrity_check) <> 'ok' THEN abs(-1 << 63) END",
        on: connection)
    }
    XCTFail("after all descriptors were closed")
    for connection in connections.prefix(8) { run("INSERT INTO number VALUES ('late')", on: connection) }
  }

  /// What it closed and deleted was held by a descriptor that is another file's now, which is not taken for it.
  func testAnotherFileIsNotTakenForWhatWasHeld() {
    run("CREATE TABLE gone(value)", on: open("gone.db"))
    sqlite3_close(connections.removeLast())
    unlink("\(folder)/gone.db")
    closeAll()
    for name in 0..<8 { run("CREATE TABLE other(value)", on: open("\(name).db")) }
    XCTFail("after the held one was closed")
  }
}
