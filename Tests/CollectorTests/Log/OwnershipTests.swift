import Testing

@testable import Collector

/// Whose a connection is: of the tests that run, while their process lives and after its death.
@Suite struct OwnershipTests {
  /// A row of the table.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What happened, oldest first.
    var story: [Step]
    /// The numbers of the tests that own the connection.
    var live: [Int]
    var afterDeath: [Int]

    init(_ description: String, _ story: [Step], live: [Int], afterDeath: [Int]) {
      (testDescription, self.story, self.live, self.afterDeath) = (description, story, live, afterDeath)
    }
  }

  enum Step: Sendable {
    case begin(Int, TestCaseID), end(Int)
    case open(Ownership.Opener)
    case use(Int?)
    case close
  }

  private static let suite = TestCaseID(module: "M", suite: [], name: "Store")
  private static let a = TestCaseID(module: "M", suite: ["Store"], name: "a()")
  private static let b = TestCaseID(module: "M", suite: ["Store"], name: "b()")
  private static let function = TestCaseID(module: "M", suite: ["Store"], name: "each(_:)")
  private static let argument = TestCaseID(
    module: "M", suite: ["Store"], name: "each(_:)", argument: TestCaseID.Argument(description: "1"))

  static let table: [Case] = [
    Case("opened by the test", [.begin(1, a), .begin(2, b), .open(.test(1, a))], live: [1], afterDeath: [1]),
    Case("opened by it and closed", [.begin(1, a), .open(.test(1, a)), .close], live: [1], afterDeath: [1]),
    Case(
      "used by it, opened by one before",
      [.begin(1, a), .open(.test(1, a)), .end(1), .begin(2, b), .use(2)], live: [2], afterDeath: [2]),
    Case(
      "used by two", [.begin(1, a), .open(.test(1, a)), .begin(2, b), .use(2)], live: [1, 2],
      afterDeath: [1, 2]),
    Case(
      "opened by a test before and not used", [.begin(1, a), .open(.test(1, a)), .end(1), .begin(2, b)],
      live: [], afterDeath: []),
    Case(
      "opened by a test before, then used by somebody unknown",
      [.begin(1, a), .open(.test(1, a)), .end(1), .begin(2, b), .use(nil)], live: [], afterDeath: [2]),
    Case(
      "opened by a suite around them", [.open(.named(suite)), .begin(1, a), .begin(2, b)], live: [1, 2],
      afterDeath: [1, 2]),
    Case(
      "opened by a suite around them and used by one",
      [.open(.named(suite)), .begin(1, a), .begin(2, b), .use(1)], live: [1], afterDeath: [1, 2]),
    Case(
      "opened by a suite around them and used by one before",
      [.open(.named(suite)), .begin(1, a), .use(1), .end(1), .begin(2, b)], live: [], afterDeath: [2]),
    Case(
      "opened by another suite",
      [.open(.named(TestCaseID(module: "M", suite: [], name: "Other"))), .begin(1, a)], live: [],
      afterDeath: []),
    Case(
      "opened by a suite of that name in another module",
      [.open(.named(TestCaseID(module: "N", suite: [], name: "Store"))), .begin(1, a)], live: [],
      afterDeath: []),
    Case(
      "opened by a trait around the test's recorded scope", [.open(.named(a)), .begin(1, a), .begin(2, b)],
      live: [1], afterDeath: [1]),
    Case(
      "opened by the function around its cases", [.open(.named(function)), .begin(1, argument)], live: [],
      afterDeath: [1]),
    Case(
      "opened by an earlier attempt at the same test",
      [.begin(1, a), .open(.test(1, a)), .end(1), .begin(2, a)], live: [], afterDeath: []),
    Case("of nobody known, never used", [.open(.nobody), .begin(1, a)], live: [], afterDeath: [1]),
    Case(
      "of nobody known, never used, while two run", [.open(.nobody), .begin(1, a), .begin(2, b)], live: [],
      afterDeath: [1, 2]),
    Case(
      "of nobody known, used by somebody unknown since", [.begin(1, a), .open(.nobody), .use(nil)],
      live: [1], afterDeath: [1]),
    Case(
      "of nobody known, used by somebody unknown while two run",
      [.begin(1, a), .begin(2, b), .open(.nobody), .use(nil)], live: [], afterDeath: [1, 2]),
    Case(
      "of nobody known, used by somebody unknown before it began",
      [.open(.nobody), .begin(1, a), .use(nil), .end(1), .begin(2, b)], live: [], afterDeath: [2]),
    Case(
      "of nobody known, used by somebody unknown before one of two began",
      [.begin(1, a), .open(.nobody), .use(nil), .begin(2, b)], live: [], afterDeath: [1]),
    Case(
      "of nobody known, used by another test before",
      [.open(.nobody), .begin(1, a), .use(1), .end(1), .begin(2, b), .use(nil)], live: [], afterDeath: [2]),
    Case(
      "of nobody known, used and closed", [.begin(1, a), .open(.nobody), .use(nil), .close], live: [],
      afterDeath: []),
    Case(
      "while no test runs", [.begin(1, a), .open(.test(1, a)), .end(1), .use(nil)], live: [], afterDeath: []),
    Case(
      "opened anew under its number",
      [.begin(1, a), .open(.test(1, a)), .close, .begin(2, b), .open(.test(2, b))],
      live: [2], afterDeath: [2]),
  ]

  @Test(arguments: table) func aConnectionBelongsTo(_ row: Case) {
    var running = RunningTests()
    var ownership = Ownership()
    for (moment, step) in row.story.enumerated() {
      switch step {
      case .begin(let number, let id): running.begin(Ownership.Test(number: number, id: id, start: moment))
      case .end(let number): running.end(number)
      case .open(let opener): ownership.add(.opened(by: opener))
      case .use(let number): ownership.add(.used(by: number, at: moment))
      case .close: ownership.add(.closed)
      }
    }
    let isAlone = running.all.count == 1
    let live = running.all.filter { ownership.isOwned(by: $0, isAlone: isAlone) }
    #expect(live.map(\.number) == row.live, "live")
    #expect(Claimants(running).owners(of: ownership).map(\.number) == row.afterDeath, "after death")
  }

  // MARK: - Of any number of tests

  /// The rule as it is said: each test is asked, and those with the best claim own the connection.
  private func owners(of ownership: Ownership, among tests: [Ownership.Test]) -> [Ownership.Test] {
    let claims = tests.map { ownership.claim(of: $0, isAlone: tests.count == 1) }
    guard let best = claims.max(), best > .none else { return [] }
    let least = min(best, .shared)
    return zip(tests, claims).compactMap { $1 >= least ? $0 : nil }
  }

  private static let names: [TestCaseID] = ["M", "N"].flatMap { module in
    [[], ["S"], ["S", "T"]].flatMap { suite in
      ["S", "T", "a()"].flatMap { name in
        [nil, "1", "2"].map { argument in
          TestCaseID(
            module: module, suite: suite, name: name,
            argument: argument.map { TestCaseID.Argument(description: $0) })
        }
      }
    }
  }

  /// Random events of several connections and tests with names that enclose each other.
  @Test(arguments: UInt64(0)..<300) func theOwnersAreFoundThatTheRuleNames(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    var running = RunningTests()
    var connections = Array(repeating: Ownership(), count: 4)
    for moment in 0..<below(40) {
      let (number, connection) = (below(8), below(4))
      let name = Self.names[below(Self.names.count)]
      let event: Ownership.Event
      switch below(9) {
      case 0...2:
        running.begin(Ownership.Test(number: number, id: name, start: moment))
        continue
      case 3:
        running.end(number)
        continue
      case 4:
        event = .opened(by: [.nobody, .named(name), .test(number, name)][below(3)])
      case 5: event = .closed
      case 6, 7: event = .used(by: nil, at: moment)
      default: event = .used(by: number, at: moment)
      }
      connections[connection].add(event)
    }
    let claimants = Claimants(running)
    #expect(claimants.tests == running.all)
    for connection in connections {
      #expect(claimants.owners(of: connection) == owners(of: connection, among: running.all))
    }
  }
}
