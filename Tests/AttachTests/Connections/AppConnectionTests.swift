import Collector
import ExhibitCSQLite
import Testing

@testable import Attach

/// What is known of a connection, and when it may be touched.
@Suite struct AppConnectionTests {
  private let process: RecordedProcess

  init() throws {
    process = try RecordedProcess()
  }

  @Test func aTestsFirstUseIsNewOnce() throws {
    let connection = try process.open(":memory:", by: .nobody)
    #expect(connection.recordUse(by: 1, newest: 1))
    #expect(!connection.recordUse(by: 1, newest: 1))
    #expect(connection.recordUse(by: 2, newest: 2))
    #expect(!connection.recordUse(by: 1, newest: 2), "it has used it before")
    #expect(connection.isUsed(by: 1) && connection.isUsed(by: 2) && !connection.isUsed(by: 3))
  }

  @Test func somebodyUnknownIsNewSinceEachTest() throws {
    let connection = try process.open(":memory:", by: .nobody)
    #expect(connection.recordUse(by: nil, newest: 1))
    #expect(!connection.recordUse(by: nil, newest: 1))
    #expect(connection.recordUse(by: nil, newest: 2))
    let test = Ownership.Test(number: 2, id: TestCaseID(module: "M", suite: [], name: "a"), start: 2)
    #expect(connection.ownership().isOwned(by: test, isAlone: true))
    #expect(!connection.ownership(isClosing: true).isOwned(by: test, isAlone: true))
  }

  /// XCTest's tests run on the main thread, one after the other.
  @Test func workThatGoesOnBehindItsTestIsThatTests() throws {
    let id = TestCaseID(module: "M", suite: ["S"], name: "testA")
    let left = try process.open(":memory:", by: .test(1, id))
    #expect(left.leftRunning(during: 1, isMain: true) == nil)
    #expect(left.leftRunning(during: 1, isMain: false) == nil)
    #expect(left.leftRunning(during: 2, isMain: false) == 1)
    #expect(left.leftRunning(during: 2, isMain: true) == nil)
    #expect(left.leftRunning(during: 2, isMain: false) == nil, "the second test uses it itself")
    let shared = try process.open(":memory:", by: .test(1, id))
    #expect(shared.leftRunning(during: 1, isMain: true) == nil)
    #expect(shared.leftRunning(during: 2, isMain: false) == nil, "it was in no other thread's hands")
  }

  @Test func itIsLentWhileItIsOpenAndFree() throws {
    let connection = try process.open(":memory:", by: .nobody)
    #expect(connection.borrow(until: .now) { _ in } == .used)
    var busy: BusyThread? = BusyThread(using: [connection])
    #expect(connection.borrow(until: .now + .milliseconds(10)) { _ in Issue.record("it is in use") } == .busy)
    #expect(connection.ask(until: .now) { _ in 1 } == nil)
    withExtendedLifetime(busy) {}
    busy = nil
    try process.close(connection)
    #expect(connection.borrow(until: .now) { _ in Issue.record("it is closed") } == .closed)
  }

  @Test func attachedFilesAreToldOnce() throws {
    let connection = try process.open(
      process.path("a.sqlite"), "ATTACH '\(process.path("b.sqlite"))' AS b", by: .nobody)
    let db = try #require(OpaquePointer(bitPattern: connection.address))
    #expect(connection.newlyAttached(on: db).map(fileName) == ["b.sqlite"])
    #expect(connection.newlyAttached(on: db).isEmpty)
    #expect(connection.hasAttached)
    connection.forgetAttached()
    #expect(connection.newlyAttached(on: db).map(fileName) == ["b.sqlite"])
  }

  @Test func theLastConnectionToAFileIsKnown() throws {
    let registry = process.recorder.connections
    let first = try process.open(process.path("a.sqlite"), "CREATE TABLE t(x)", by: .nobody)
    let path = try #require(first.path)
    #expect(registry.isLast(first, at: .file(path)))
    let second = try process.open(process.path("a.sqlite"), by: .nobody)
    #expect(!registry.isLast(first, at: .file(path)))
    try process.close(second)
    #expect(registry.isLast(first, at: .file(path)))
  }

  /// Thousands of tests that run at once have as many connections.
  @Test func amongManyConnectionsEachIsFound() throws {
    let registry = process.recorder.connections
    let many = try (0..<40).map { try process.open(process.path("\($0 / 2).sqlite"), by: .nobody) }
    let shared = try (0..<2).map { _ in try process.open("file:/many?vfs=memdb", by: .nobody) }
    for connection in many + shared { #expect(registry[connection.address] === connection) }
    #expect(registry.all.map(\.number) == (many + shared).map(\.number))
    #expect(!registry.isLast(shared[0], at: try #require(shared[0].place)))
    for connection in many where connection.number.isMultiple(of: 2) { try process.close(connection) }
    try process.close(shared[1])
    #expect(registry.isLast(shared[0], at: try #require(shared[0].place)))
    for connection in many {
      let path = try #require(connection.path)
      #expect((registry[connection.address] === connection) == !connection.hasEnded)
      #expect(registry.isLast(connection, at: .file(path)) == !connection.hasEnded)
    }
  }
}
