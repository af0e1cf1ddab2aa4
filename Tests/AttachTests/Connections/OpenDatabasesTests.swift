import Collector
import Foundation
import Testing

@testable import Attach

/// Which databases are open in a process, and which of them are a failing test's.
@Suite struct OpenDatabasesTests {
  private let process: RecordedProcess
  private let scope: TestScope

  init() throws {
    process = try RecordedProcess()
    scope = process.begin("own()")
  }

  private func databases(
    of test: Ownership.Test?, until deadline: CaptureDeadline = CaptureDeadline()
  ) -> OpenDatabases {
    OpenDatabases(
      process.recorder.connections, of: DatabaseSelection(test: test, isAlone: false), until: deadline)
  }

  @Test func thoseOfTheTestAreInTheOrderOfTheirOpening() throws {
    let other = process.begin("other()")
    _ = try process.open(process.path("b.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    _ = try process.open(process.path("c.sqlite"), "CREATE TABLE t(x)", by: other.opener)
    _ = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    let open = databases(of: scope.owner)
    #expect(open.own.map(\.name) == ["b.sqlite", "a.sqlite"])
    #expect(open.all.map(\.name) == ["b.sqlite", "c.sqlite", "a.sqlite"])
    #expect(databases(of: nil).own.isEmpty)
  }

  @Test func connectionsToOneFileAreOneDatabase() throws {
    let path = process.path("a.sqlite")
    let first = try process.open(path, "CREATE TABLE t(x)", by: .nobody)
    try FileManager.default.linkItem(atPath: path, toPath: process.path("link.sqlite"))
    let second = try process.open(
      ":memory:", "ATTACH '\(process.path("link.sqlite"))' AS linked", by: scope.opener)
    let own = databases(of: scope.owner).own
    #expect(own.map(\.name) == ["a.sqlite", "in-memory"])
    let uses = try #require(own.first).uses
    #expect(uses.map(\.connection.number) == [first.number, second.number])
    #expect(uses.map(\.schema) == ["main", "linked"])
    #expect(uses.map(\.isOwn) == [false, true])
  }

  @Test func aFileLeadsToTheConnectionsThatHaveItOpen() throws {
    let path = process.path("a.sqlite")
    _ = try process.open(path, "CREATE TABLE t(x)", by: scope.opener)
    #expect(databases(of: nil).file(at: path)?.connections.count == 1)
    try Data("no database".utf8).write(to: URL(fileURLWithPath: process.path("b.sqlite")))
    #expect(databases(of: nil).file(at: process.path("b.sqlite")) == nil)
    #expect(databases(of: nil).file(at: process.path("missing.sqlite")) == nil)
  }

  @Test func aBusyConnectionIsKnownByWhatItWasOpenedWith() throws {
    let connection = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    let busy = BusyThread(using: [connection])
    let own = databases(of: scope.owner, until: CaptureDeadline(.milliseconds(50))).own
    #expect(own.map(\.name) == ["a.sqlite"])
    #expect(own.map(\.isUnasked) == [true])
    withExtendedLifetime(busy) {}
  }

  @Test func aBusyConnectionOfTheTestIsWaitedForOnce() throws {
    let connection = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    var busy: BusyThread? = BusyThread(using: [connection])
    let deadline = CaptureDeadline(.milliseconds(500))
    let open = databases(of: scope.owner, until: deadline)
    let first = ContinuousClock().measure { _ = open.own }
    #expect(first >= .milliseconds(500))
    #expect(deadline.hasPassed)
    // The quickest, as this thread may have to wait for the processor.
    let next = (0..<50).map { _ in ContinuousClock().measure { _ = open.own } }.min()
    #expect(try #require(next) < CaptureDeadline.leastWait, "no further wait")
    busy = nil
    #expect(open.own.map(\.isUnasked) == [false], "it is free by now")
    withExtendedLifetime(busy) {}
  }

  @Test func nobodyWaitsForWhatAnotherTestDoes() throws {
    let other = process.begin("other()")
    let connection = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: other.opener)
    let busy = BusyThread(using: [connection])
    let deadline = CaptureDeadline(.seconds(600))
    #expect(databases(of: scope.owner, until: deadline).all.map(\.isUnasked) == [true])
    #expect(deadline.rest > .seconds(300))
    withExtendedLifetime(busy) {}
  }

  @Test func whatIsClosedIsNotOpen() throws {
    let connection = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: scope.opener)
    let open = databases(of: scope.owner)
    #expect(open.own.count == 1)
    try process.close(connection)
    #expect(open.own.isEmpty)
  }
}
