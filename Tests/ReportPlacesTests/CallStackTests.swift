import Collector
import Testing

@testable import ReportPlaces

/// Own functions of a stack, folded, and where the test begins.
@Suite struct CallStackTests {
  private static let program = CodeFile(path: "/p/DemoTests.xctest", size: 1, changedAt: 1)
  private static let sqlite = CodeFile(path: "/lib/libsqlite3.so.0", size: 1, changedAt: 1)

  private func place(
    _ function: String, _ line: Int?, module: String? = "App", file: String? = "Sources/App/Depot.swift",
    isClosure: Bool = false, in enclosing: String? = nil, overload: Int = 0
  ) -> Place {
    Place(
      symbol: "$s",
      name: PlaceName(
        module: module, function: function, isClosure: isClosure, enclosing: enclosing, overload: overload),
      file: file, line: line)
  }

  private func test(_ function: String, _ line: Int, isClosure: Bool = false, in enclosing: String? = nil)
    -> Place
  {
    place(
      function, line, module: "AppTests", file: "Tests/AppTests/DepotTests.swift", isClosure: isClosure,
      in: enclosing)
  }

  private func others(_ module: String?) -> Place { place("execute(_:)", nil, module: module, file: nil) }

  /// A stack of addresses, each with what was inlined there.
  private func stack(_ inlined: [[Place]], file: CodeFile = program) -> CallStack {
    let places = CodePlaces([
      CodePlaces.File(
        code: file,
        places: Dictionary(uniqueKeysWithValues: inlined.enumerated().map { (UInt64($0.offset), $0.element) })
      )
    ])
    return CallStack(inlined.indices.map { CodeAddress(file: file, offset: UInt64($0)) }, in: places)
  }

  private let syncTest = TestCaseID(module: "AppTests", suite: ["DepotTests"], name: "testSync")

  // MARK: - Folding

  @Test func aFunctionAndItsClosureAreOneFrame() {
    let closure = place("Depot.receive(_:)", 12, isClosure: true)
    let inner = [place("Depot.insert(_:_:)", 16)]
    let read = stack([
      [others("GRDB")], inner, [closure], [], [others("GRDB")], [others("Dispatch")],
      [place("Depot.receive(_:)", 11)], [test("DepotTests.testSync()", 18)], [others("XCTest")],
    ])
    #expect(
      read.frames == [
        CallStack.Frame(place: inner[0], through: ["GRDB"]),
        CallStack.Frame(place: closure, outer: [place("Depot.receive(_:)", 11)], through: ["GRDB"]),
        CallStack.Frame(place: test("DepotTests.testSync()", 18)),
      ])
    #expect(read.frames(of: syncTest) == 2...2)
    #expect(read.unnamed == 0)
  }

  @Test(arguments: [
    ("SELECT title FROM note WHERE id = 5", 1), ("INSERT INTO note VALUES (1)", 1), ("DELETE FROM note", nil),
    ("COMMIT", nil),
  ])
  func theFunctionWhoseSourceHasTheStatementTellsMost(sql: String, index: Int?) {
    let read = stack([
      [place("Database.int(_:)", 3)], [place("Depot.title()", 8)], [test("DepotTests.testSync()", 1)],
    ])
    let sources = [
      "Sources/App/Depot.swift": """
      extension Database {
        func int(_ sql: String) throws -> Int {
          try run(sql)
        }
        func title() throws {
          try insert("INSERT INTO " + table)
          return try database.int(
            \"""
            SELECT title
              FROM note WHERE id = \\(id)
            \""")
        }
        func other() { "DELETE FROM note" }
      """
    ]
    let found = StatementSources {
      sources[$0].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    }
    #expect(found.frame(of: read, running: [sql]) == index)
    let unreadable = StatementSources { _ in nil }
    #expect(unreadable.frame(of: read, running: [sql]) == nil)
  }

  @Test func functionsOfOneNameAreTwoFrames() {
    let read = stack([[place("Depot.put(_:)", 3, overload: 1)], [place("Depot.put(_:)", 2)]])
    #expect(read.frames.map(\.place.line) == [3, 2])
  }

  @Test func aFunctionThatIsCalledByAnotherAndCallsItIsTwoFrames() {
    let read = stack([
      [test("DepotTests.testSync()", 20, isClosure: true)], [place("Depot.transaction(_:)", 5)],
      [test("DepotTests.testSync()", 19)],
    ])
    #expect(read.frames.map(\.place.line) == [20, 5, 19])
    #expect(read.frames(of: syncTest) == 0...2)
  }

  @Test func whatWasInlinedIsAFrame() {
    let read = stack([
      [others("GRDB"), place("Depot.insert(_:_:)", 16), place("Depot.receive(_:)", 11)],
      [test("DepotTests.testSync()", 18)],
    ])
    #expect(
      read.frames.map(\.place.name.function) == [
        "Depot.insert(_:_:)", "Depot.receive(_:)", "DepotTests.testSync()",
      ])
  }

  @Test func modulesAreNotedOnceAndNotThoseOfSwift() {
    let read = stack([
      [others("GRDB")], [others("Swift")], [others("Snapshots")], [others("GRDB")], [others(nil)],
      [place("Depot.receive(_:)", 11)],
    ])
    #expect(read.frames.map(\.through) == [["GRDB", "Snapshots"]])
    let called = stack([[others(nil)], [place("Depot.receive(_:)", 11)]], file: Self.sqlite)
    #expect(called.frames.map(\.through) == [["SQLite"]])
  }

  @Test func addressesWithoutNamesAreCounted() {
    let unknown = CodeAddress(file: Self.program, offset: 9)
    let read = CallStack([unknown, unknown], in: CodePlaces())
    #expect(read.frames.isEmpty)
    #expect(read.unnamed == 2)
    #expect(read.frames(of: syncTest) == nil)
  }

  // MARK: - Where the test begins

  @Test func theOutermostOfItsFramesIsTheTests() {
    let read = stack([
      [test("DepotTests.check(_:)", 40)], [test("DepotTests.testSync()", 18)], [test("Base.invokeTest()", 7)],
    ])
    #expect(read.frames(of: syncTest) == 1...1)
  }

  @Test func aClosureOnAQueueIsEnough() {
    let closure = test("DepotTests.testAsync()", 23, isClosure: true)
    let id = TestCaseID(module: "AppTests", suite: ["DepotTests"], name: "testAsync")
    #expect(stack([[others("GRDB")], [closure], [others("GRDB")]]).frames(of: id) == 0...0)
  }

  @Test func aLocalFunctionOfTheTestIsEnough() {
    let local = test("helper(_:)", 23, in: "DepotTests.testSync()")
    #expect(stack([[local]]).frames(of: syncTest) == 0...0)
    // Else it is called by the test as others are.
    #expect(stack([[local], [test("DepotTests.testSync()", 18)]]).frames(of: syncTest) == 1...1)
  }

  @Test(arguments: [
    ("DepotSuite.numbered(of:)", ["DepotSuite"], "numbered(of:)"), ("free()", [], "free()"),
    ("DepotSuite.Inner.`a raw name`()", ["DepotSuite", "Inner"], "`a raw name`()"),
    ("`raw suite`.plain()", ["`raw\u{A0}suite`"], "plain()"),
  ])
  func testsOfSwiftTestingAreFound(function: String, suite: [String], name: String) {
    let id = TestCaseID(
      module: "AppTests", suite: suite, name: name, argument: TestCaseID.Argument(description: "1"))
    #expect(stack([[test(function, 3)]]).frames(of: id) == 0...0)
  }

  @Test func anInheritedTestIsItsBaseClasssFunction() {
    let id = TestCaseID(module: "AppTests", suite: ["DerivedTests"], name: "testInherited")
    let inherited = test("BaseTests.testInherited()", 9)
    #expect(stack([[place("Depot.receive(_:)", 11)], [inherited]]).frames(of: id) == 1...1)
    // Not the outermost one: something else calls it.
    #expect(stack([[inherited], [test("DerivedTests.testOther()", 3)]]).frames(of: id) == nil)
  }

  @Test(arguments: [
    TestCaseID(module: "OtherTests", suite: ["DepotTests"], name: "testSync()"),
    TestCaseID(module: "AppTests", suite: ["DepotTests"], name: "testSyncs"),
    TestCaseID(module: "AppTests", suite: ["DepotTests"], name: "testSync(of:)"),
    TestCaseID(module: "AppTests", suite: [], name: "testSync()"),
  ])
  func anotherTestIsNotFound(id: TestCaseID) {
    #expect(stack([[test("DepotTests.testSync()", 3)]]).frames(of: id) == nil)
  }

  @Test func setUpIsNoTest() {
    let read = stack([[place("Depot.init()", 5)], [test("DepotTests.setUpWithError()", 8)]])
    #expect(read.frames.count == 2)
    #expect(read.frames(of: syncTest) == nil)
  }

  // MARK: - Helpers

  /// `Database.run(_:)` runs everybody's statements; `Depot.receive(_:)` runs its own.
  @Test func aLineThatRunsTheStatementsOfManyCallersIsAHelpers() {
    let helper = place("Database.run(_:)", 7, file: "Sources/App/Database.swift")
    let calls = [10, 20, 30].enumerated().map { index, line in
      (
        stack: stack([[helper], [place("Depot.receive(_:)", line)], [test("DepotTests.testSync()", 18)]]),
        statements: Set([index])
      )
    }
    let helpers = HelperPlaces(calls)
    #expect(calls.map { helpers.telling($0.stack) } == [1, 1, 1])
    #expect(HelperPlaces(Array(calls.prefix(2))).telling(calls[0].stack) == 1)
    // One caller, or one statement, is no sign of it.
    let few = HelperPlaces([calls[0], (calls[0].stack, Set([9]))])
    #expect(few.telling(calls[0].stack) == 0)
    let alike = HelperPlaces(calls.map { ($0.stack, Set([0])) })
    #expect(alike.telling(calls[0].stack) == 0)
    // Of the test's own helper the test's line remains.
    let own = HelperPlaces(
      [1, 2, 3].map { (stack([[helper], [test("DepotTests.testSync()", $0)]]), Set([$0])) })
    #expect(own.telling(stack([[helper], [test("DepotTests.testSync()", 2)]])) == 1)
  }
}
