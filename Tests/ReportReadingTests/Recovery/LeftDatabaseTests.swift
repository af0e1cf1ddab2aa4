import Collector
import ExhibitSystem
import Testing

@testable import ReportReading
@testable import ReportTestSupport

/// Which of the databases that a log names are those of the tests that ran when their process died.
@Suite struct LeftDatabaseTests {
  private var log: WrittenLog

  init() throws {
    log = try WrittenLog()
  }

  private func find() -> [LeftDatabase] {
    ConnectionTrail(of: LogReader.read(log.bytes, ConnectionTrail.meanings.kinds)).databases
  }

  private mutating func open(_ connection: Int, _ test: TestCaseID?, inode: UInt64 = 1) throws {
    let file = FileIdentity(device: 1, inode: inode)
    try log.add(
      test, DatabaseOpening(connection: connection, path: "/tmp/\(connection).db", file: file)
    )
  }

  @Test mutating func thoseThatARunningTestOpened() throws {
    try log.start(.store("testPast"))
    try open(1, .store("testPast"))
    try log.finish(.store("testPast"), .passed)
    try log.start(.store("testCrash"))
    try open(2, .store("testCrash"))
    try open(3, .store("testCrash"))
    try log.add(nil, DatabaseClosing(connection: 3))
    #expect(find().map(\.path) == ["/tmp/2.db", "/tmp/3.db"])
    #expect(find().map(\.isOpen) == [true, false])
    #expect(find().allSatisfy { $0.tests == [.store("testCrash")] })
  }

  @Test mutating func thoseThatItUsedWhoeverOpenedThem() throws {
    try log.start(.store("testPast"))
    try open(1, .store("testPast"))
    try open(2, .store("testPast"))
    try log.finish(.store("testPast"), .passed)
    try log.start(.store("testCrash"))
    try log.start(.store("testBeside"))
    try log.add(.store("testCrash"), DatabaseUse(connection: 1))
    #expect(find().map(\.path) == ["/tmp/1.db"])
    #expect(find().map(\.tests) == [[.store("testCrash")]])
    try log.add(.store("testBeside"), DatabaseUse(connection: 1))
    #expect(find().map(\.tests) == [[.store("testCrash"), .store("testBeside")]])
  }

  @Test mutating func thoseOfNobodyKnownAsLongAsTheyAreOpen() throws {
    try open(1, nil)
    try open(2, nil)
    try log.add(nil, DatabaseClosing(connection: 2))
    try log.start(.store("testA"))
    try log.start(.store("testB"))
    #expect(find().map(\.path) == ["/tmp/1.db"])
    #expect(find().map(\.tests) == [[.store("testA"), .store("testB")]])
  }

  @Test mutating func thoseThatSomebodyUnknownUsedSinceItBegan() throws {
    try log.start(.store("testPast"))
    try open(1, .store("testPast"))
    try log.finish(.store("testPast"), .passed)
    try log.start(.store("testCrash"))
    #expect(find() == [])
    try log.add(nil, DatabaseUse(connection: 1))
    try log.start(.store("testLater"))
    #expect(find().map(\.tests) == [[.store("testCrash")]])
  }

  @Test mutating func thoseOfTheSuiteAroundIt() throws {
    try open(1, TestCaseID(module: "M", suite: [], name: "Store"))
    try open(2, TestCaseID(module: "M", suite: [], name: "Other"))
    try log.start(.store("test"))
    #expect(find().map(\.path) == ["/tmp/1.db"])
  }

  @Test mutating func theFileIsTheOneThatWasOpenedLast() throws {
    try log.start(.store("test"))
    try open(1, .store("test"), inode: 7)
    try log.add(nil, DatabaseClosing(connection: 1))
    try open(1, .store("test"), inode: 8)
    #expect(find().map(\.file?.inode) == [8])
    #expect(find().map(\.isOpen) == [true])
  }

  private mutating func attach(_ connection: Int, _ path: String, _ test: TestCaseID?) throws {
    try log.add(test, DatabaseAttaching(connection: connection, path: path))
  }

  @Test mutating func thoseThatItAttached() throws {
    try log.start(.store("testPast"))
    try open(1, .store("testPast"))
    try attach(1, "/tmp/past.db", .store("testPast"))
    try log.finish(.store("testPast"), .passed)
    try log.start(.store("test"))
    try open(2, .store("test"))
    try attach(2, "/tmp/attached.db", .store("test"))
    #expect(find().map(\.path) == ["/tmp/2.db", "/tmp/attached.db"])
    #expect(find().map(\.isOpen) == [true, false], "nothing tells what was detached")
    try log.add(.store("test"), DatabaseUse(connection: 1))
    #expect(find().map(\.path) == ["/tmp/1.db", "/tmp/past.db", "/tmp/2.db", "/tmp/attached.db"])
  }

  /// A database in memory is not in the log, the file that it has attached is.
  @Test mutating func thoseThatADatabaseInMemoryAttached() throws {
    try log.start(.store("test"))
    try log.start(.store("testBeside"))
    try attach(1, "/tmp/attached.db", .store("test"))
    #expect(find().map(\.tests) == [[.store("test")]])
    try log.add(nil, DatabaseClosing(connection: 1))
    try log.finish(.store("test"), .passed)
    #expect(find() == [])
  }

  /// The log says of memory only that it is used in the process.
  @Test mutating func testsThatMayHaveUsedDatabasesInMemory() throws {
    try log.start(.store("testPast"))
    try open(1, .store("testPast"))
    try log.finish(.store("testPast"), .passed)
    try log.start(.store("test"))
    #expect(
      ConnectionTrail(of: LogReader.read(log.bytes, ConnectionTrail.meanings.kinds)).testsWithMemory == [])
    try log.add(nil, DatabaseOpening(connection: 2, path: nil))
    #expect(
      ConnectionTrail(of: LogReader.read(log.bytes, ConnectionTrail.meanings.kinds)).testsWithMemory == [
        .store("test")
      ])
  }

  @Test mutating func withTheTablesThatItsTestsExclude() throws {
    try log.start(.store("test"))
    try log.add(.store("test"), ExcludedTables(["person"]))
    try log.add(.store("test"), ExcludedTables(["card"]))
    try open(1, .store("test"))
    #expect(find().map(\.excludedTables) == [["person", "card"]])
  }

  @Test mutating func noneWhereNoTestRan() throws {
    try open(1, nil)
    #expect(find() == [])
  }
}
