import Attach
import Foundation
import GRDBSQLite
import Testing
import XCTest

/// Runs a function on a thread with a stack of so many bytes, to its end.
private func onThread(stack bytes: Int, _ body: @escaping @Sendable () -> Void) {
  final class Body {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var (thread, attributes) = (pthread_t(), pthread_attr_t())
  pthread_attr_init(&attributes)
  precondition(pthread_attr_setstacksize(&attributes, bytes) == 0)
  let pointer = Unmanaged.passRetained(Body(run: body)).toOpaque()
  let code = pthread_create(
    &thread, &attributes,
    {
      Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run()
      return nil
    }, pointer)
  precondition(code == 0)
  pthread_join(thread, nil)
}

/// Tests that fail on threads with little stack.
final class SmallStackXCTests: XCTestCase {
  private nonisolated(unsafe) var connection: OpaquePointer?

  override func setUpWithError() throws {
    XCTAssertEqual(sqlite3_open(":memory:", &connection), SQLITE_OK)
    let sql = "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')"
    XCTAssertEqual(sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK)
  }

  override func tearDownWithError() throws {
    XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
  }

  func test16KiB() { onThread(stack: 16 << 10) { XCTFail("on a small stack") } }
  func test64KiB() { onThread(stack: 64 << 10) { XCTFail("on a small stack") } }
  func test200KiB() { onThread(stack: 200 << 10) { XCTFail("on a small stack") } }

  func testAttaching() {
    onThread(stack: 32 << 10) { attach(.text("kept", named: "note.txt"), keep: .always) }
  }

  private func failInAFunction(stack: Int) {
    let fails: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
      context, _, _ in
      XCTFail("inside a function")
      sqlite3_result_int(context, 1)
    }
    sqlite3_create_function(connection, "fails", 0, SQLITE_UTF8, nil, fails, nil, nil)
    nonisolated(unsafe) let connection = connection
    onThread(stack: stack) { sqlite3_exec(connection, "SELECT fails()", nil, nil, nil) }
  }

  func testInAFunctionWithLittleStack() { failInAFunction(stack: 128 << 10) }
  func testInAFunctionWithEnoughStack() { failInAFunction(stack: 2 << 20) }
}
