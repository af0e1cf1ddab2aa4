import Collector
import ExhibitCSQLite
import Foundation
import Testing

@testable import Attach

/// What the log says of connections, for a report made after a crash.
@Suite struct ConnectionLogTests {
  private let process: RecordedProcess
  private let scope: TestScope
  private let log: ConnectionLog

  init() throws {
    process = try RecordedProcess()
    scope = process.begin("a()")
    log = ConnectionLog(of: process.recorder.connections, to: process.recorder.output)
  }

  private func opened(_ test: TestCaseID?) throws -> [DatabaseOpening] {
    try process.events(of: test).compactMap { $0 as? DatabaseOpening }
  }

  private func attached(_ test: TestCaseID?) throws -> [String?] {
    try process.events(of: test).compactMap { ($0 as? DatabaseAttaching)?.path }
  }

  @Test func aFileIsLoggedWhereItIsOpened() throws {
    let connection = try process.open(process.path("a.sqlite"), by: scope.opener)
    log.logOpened(DatabaseOpening(connection, at: connection.path), by: scope.opener)
    #expect(try opened(scope.id).map(\.path) == [process.path("a.sqlite")])
  }

  @Test func memoryIsLoggedOnceAtItsFirstUse() throws {
    let connections = try (0..<2).map { _ in try process.open(":memory:", by: scope.opener) }
    for connection in connections {
      log.logOpened(DatabaseOpening(connection, at: nil), by: scope.opener)
    }
    #expect(try opened(scope.id) == [])
    for connection in connections { log.logUse(of: connection, by: scope, newest: scope.serial) }
    #expect(try opened(nil).map(\.connection) == [connections[0].number])
  }

  @Test func whatIsAttachedIsLoggedAtTheNextUseAndAgainForANewLog() throws {
    let side = process.path("side.sqlite")
    let connection = try process.open(
      process.path("a.sqlite"), "ATTACH '\(side)' AS side", by: scope.opener)
    log.logUse(of: connection, by: scope, newest: scope.serial)
    #expect(try attached(scope.id) == [])
    connection.recordAttaching()
    log.logUse(of: connection, by: scope, newest: scope.serial)
    log.logUse(of: connection, by: scope, newest: scope.serial)
    #expect(try attached(scope.id) == [side])
    log.logAgain(usedBy: [scope])
    #expect(try attached(scope.id) == [side, side])
    #expect(try opened(scope.id).map(\.path) == [process.path("a.sqlite")])
  }

  @Test func theEndIsLoggedOfWhatIsAFileOrAttachedOne() throws {
    let file = try process.open(process.path("a.sqlite"), by: .nobody)
    let plain = try process.open(":memory:", by: .nobody)
    let attaching = try process.open(
      ":memory:", "ATTACH '\(process.path("side.sqlite"))' AS side", by: .nobody)
    attaching.recordAttaching()
    log.logUse(of: attaching, by: nil, newest: scope.serial)
    for connection in [file, plain, attaching] { log.logEnd(of: connection) }
    let closed = try process.events(of: nil).compactMap { ($0 as? DatabaseClosing)?.connection }
    #expect(closed == [file.number, attaching.number])
  }
}
