import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import Attach

/// Which tests run, and which of them a connection's end may take evidence from.
@Suite struct ProcessTestsTests {
  private let tests = ProcessTests()

  private func begin(_ name: String) -> TestScope {
    tests.begin(TestCaseID(module: "M", suite: [], name: name), start: TestStart(framework: .swiftTesting))
  }

  @Test func theOnlyOneIsAlone() {
    #expect(tests.loneSerial == 0)
    let first = begin("a()")
    #expect(tests.loneSerial == first.serial)
    let second = begin("b()")
    #expect(tests.loneSerial == 0)
    #expect(!tests.isAlone(first))
    tests.end(first, hasFailed: false)
    #expect(tests.isAlone(second))
    #expect(tests.newestSerial == second.serial)
    #expect(tests.all.map(\.serial) == [second.serial])
  }

  @Test func whatEndedIsCounted() {
    for name in ["a()", "b()", "c()"] { tests.end(begin(name), hasFailed: name == "b()") }
    #expect(tests.tally == ProcessEnd(tests: 3, failed: 1))
    #expect(tests.all.isEmpty)
  }

  @Test func aConnectionIsNeededByTheTestsThatOpenedOrUsedIt() throws {
    let process = try RecordedProcess()
    let (opener, user, other) = (begin("a()"), begin("b()"), begin("c()"))
    let connection = try process.open(process.path("a.sqlite"), by: opener.opener)
    #expect(tests.serials(needing: connection) == [opener.serial])
    _ = connection.recordUse(by: user.serial, newest: tests.newestSerial)
    #expect(tests.serials(needing: connection) == [opener.serial, user.serial])
    #expect(!tests.serials(needing: connection).contains(other.serial))
  }

  @Test func aTestWhoseCaptureIsOverNeedsNothingMore() throws {
    let process = try RecordedProcess()
    let scope = begin("a()")
    let connection = try process.open(process.path("a.sqlite"), by: scope.opener)
    scope.state.withLock { $0.isCaptureOver = true }
    #expect(tests.serials(needing: connection) == [])
  }
}
