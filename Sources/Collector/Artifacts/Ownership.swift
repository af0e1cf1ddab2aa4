/// Decides which test a connection to a database belongs to, from the connection's history.
///
/// A test owns the connections that it opened or used, and those that an outer scope opened for it alone. A
/// connection that was opened or used by somebody unknown belongs to the only running test. After the death of a
/// process nothing better will be learned, so the running tests with the best claim own it: `Claimants` finds them.
package struct Ownership: Sendable, Equatable {
  /// A running test.
  package struct Test: Sendable, Equatable {
    /// Distinguishes it from the other tests of its process.
    package var number: Int
    package var id: TestCaseID
    /// The moment of its start, in the order of all events.
    package var start: Int

    package init(number: Int, id: TestCaseID, start: Int) {
      self.number = number
      self.id = id
      self.start = start
    }
  }

  package enum Opener: Sendable, Equatable {
    /// The scope of a recorded test, with the test's number.
    case test(Int, TestCaseID)
    /// A test case, its function or a suite, known by name from a log or a trait around the recorded scope.
    case named(TestCaseID)
    case nobody

    /// The test or suite that opened the connection, when known.
    package var id: TestCaseID? {
      switch self {
      case .test(_, let id), .named(let id): id
      case .nobody: nil
      }
    }
  }

  /// An event in a connection's history.
  package enum Event: Sendable, Equatable {
    case opened(by: Opener)
    /// A statement of the test with this number; `nil` for an unknown user.
    ///
    /// - Parameter at: The moment, in the order in which tests begin.
    case used(by: Int?, at: Int)
    case closed
  }

  /// The strength of a test's claim to a connection, the weakest first.
  package enum Claim: Int, Sendable, Comparable {
    case none
    /// It is open, and nobody is known to have opened or used it.
    case unclaimed
    /// It is open, and somebody unknown has used it since the test began.
    case unknownUse
    /// It was opened for the test by its function, or by a suite around it, and other tests have used it too.
    case shared
    /// Somebody unknown has used it since the test began; no other test runs, opened it or has used it.
    case alone
    /// The test has opened or used it, or a suite around the test opened it and no other test has used it.
    case certain

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  private(set) var opener = Opener.nobody
  /// The numbers of tests that used it, possibly with repetitions.
  private(set) var users: [Int] = []
  /// The moment of the last use by somebody unknown.
  private(set) var unknownUse: Int?
  private(set) var isOpen = true

  /// - Parameter events: The history of one connection, oldest first.
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

  /// True when a running test owns the connection while its process lives.
  ///
  /// - Parameter isAlone: True when no other test runs.
  package func isOwned(by test: Test, isAlone: Bool) -> Bool { claim(of: test, isAlone: isAlone) >= .alone }

  /// - Parameter isAlone: True when no other test runs.
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
  /// True for a suite around the test.
  fileprivate func encloses(_ test: TestCaseID) -> Bool {
    module == test.module && test.suite.starts(with: suite + [name])
  }
}
