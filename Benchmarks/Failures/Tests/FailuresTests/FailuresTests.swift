import Attach
import Foundation
import SystemSQLite
import Testing

/// `$FAILURES` is `first-last`: as many tests fail, each with a database of its own.
private let numbers: ClosedRange<Int> = {
  let bounds = (ProcessInfo.processInfo.environment["FAILURES"] ?? "1-100").split(separator: "-").compactMap {
    Int($0)
  }
  return bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : 1...1
}()

/// Prints microseconds of CPU time that each failure takes, as ci/bench reads them.
@Suite(.attachOnFailure, .serialized) struct FailuresTests {
  @Test(arguments: numbers) func fails(number: Int) throws {
    let path = NSTemporaryDirectory() + "failures-\(getpid())-\(number).sqlite"
    defer { unlink(path) }
    var opened: OpaquePointer?
    try #require(sqlite3_open(path, &opened) == SQLITE_OK)
    defer { sqlite3_close(opened) }
    let sql = "CREATE TABLE t(a); INSERT INTO t VALUES (\(number))"
    try #require(sqlite3_exec(opened, sql, nil, nil, nil) == SQLITE_OK)
    let start = processorTime()
    Issue.record("on purpose")
    print("FAILURE \(number) \(Double(processorTime() - start) / 1000)")
  }

  private func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
