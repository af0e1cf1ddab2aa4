/// Whose a connection to a database is: the rule for it, from what happened to the connection so far.
///
/// A test owns what it opened or used, and what an outer scope opened for it alone. What nobody known opened or used is
/// concluded to be the only running test's. After the death of a process, where nothing better will be learned,
/// the running tests with the best claim own it: `Claimants` finds them.
package struct Ownership: Sendable, Equatable {
  /// A test that runs.
  package struct Test: Sendable, Equatable {
    /// Tells it from the other tests of its process.
    package var number: Int
    package var id: TestCaseID
    /// When it began, in the order of all events.
    package var start: Int

    package init(number: Int, id: TestCaseID, start: Int) {
      self.number = number
      self.id = id
      self.start = start
    }
  }

  package enum Opener: Sendable, Equatable {
    /// The scope of a test that is recorded, by its number.
    case test(Int, TestCaseID)
    /// A test case, its function or a suite, known by name: a trait around the recorded scope, or a log's word.
    case named(TestCaseID)
    case nobody

    /// The test or suite that opened the connection, where it is known.
    package var id: TestCaseID? {
      switch self {
      case .test(_, let id), .named(let id): id
      case .nobody: nil
      }
    }
  }

  /// What happens to a connection.
  package enum Event: Sendable, Equatable {
    case opened(by: Opener)
    /// A statement of a test, given by its number, or of somebody unknown.
    ///
    /// - Parameter at: When, in the order in which tests begin.
    case used(by: Int?, at: Int)
    case closed
  }

  /// How good a test's claim to a connection is, the worst first.
  package enum Claim: Int, Sendable, Comparable {
    case none
    /// It is open, and nobody is known to have opened or used it.
    case unclaimed
    /// It is open, and somebody unknown has used it since the test began.
    case unknownUse
    /// It was opened for the test, by its function, or by a suite around it and other tests have used it too.
    case shared
    /// Somebody unknown has used it since the test began, and no other test runs, opened it or has used it.
    case alone
    /// The test has opened or used it, or a suite around the test opened it and no other test has used it.
    case certain

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  private(set) var opener = Opener.nobody
  /// The numbers of tests that used it; one can be there more than once.
  private(set) var users: [Int] = []
  /// When somebody unknown last used it.
  private(set) var unknownUse: Int?
  private(set) var isOpen = true

  /// - Parameter events: What happened to one connection, oldest first.
  package init(_ events: [Event] = []) {
    for event in events { add(event) }
  }

  package mutating func add(_ event: Event) {
    switch event {
    case .opened(let opener): self = Ownership(openedBy: opener)
    case .used(let number?, _): users.append(number)
    case .used(nil, let moment): unknownUse = moment
    case .closed: isOpen = false
    }
  }

  private init(openedBy opener: Opener) { self.opener = opener }

  /// Whether a running test owns the connection while its process lives.
  ///
  /// - Parameter isAlone: Whether no other test runs.
  package func isOwned(by test: Test, isAlone: Bool) -> Bool { claim(of: test, isAlone: isAlone) >= .alone }

  /// - Parameter isAlone: Whether no other test runs.
  package func claim(of test: Test, isAlone: Bool) -> Claim {
    if users.contains(test.number) { return .certain }
    let isUsedByOthers = !users.isEmpty
    switch opener {
    case .test(test.number, _): return .certain
    case .named(let id) where id == test.id || id.function == test.id: return .certain
    case .named(let id) where id.encloses(test.id): return isUsedByOthers ? .shared : .certain
    case .named(let id) where id == test.id.function: return .shared
    case .test, .named, .nobody: break
    }
    guard isOpen else { return .none }
    let isOpenedByNobody = opener == .nobody
    guard let unknownUse, unknownUse >= test.start else {
      return isOpenedByNobody && !isUsedByOthers ? .unclaimed : .none
    }
    return isOpenedByNobody && !isUsedByOthers && isAlone ? .alone : .unknownUse
  }
}

extension TestCaseID {
  /// Whether this is a suite around the test.
  fileprivate func encloses(_ test: TestCaseID) -> Bool {
    module == test.module && test.suite.starts(with: suite + [name])
  }
}
