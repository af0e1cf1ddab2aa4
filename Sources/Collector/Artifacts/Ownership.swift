/// Decides which test a connection belongs to.
///
/// A test owns the connections that it opened or used, and those opened for it alone by an outer scope. One
/// of unknown origin belongs to the only running test. After a crash those running tests own it whose claim
/// is best.
package struct Ownership: Sendable, Equatable {
  package struct Test: Sendable, Equatable {
    package var number: Int
    package var id: TestCaseID
    package var start: Int

    package init(number: Int, id: TestCaseID, start: Int) {
      self.number = number
      self.id = id
      self.start = start
    }
  }

  package enum Opener: Sendable, Equatable {
    case test(Int, TestCaseID)
    case named(TestCaseID)
    case nobody

    package var id: TestCaseID? {
      switch self {
      case .test(_, let id), .named(let id): id
      case .nobody: nil
      }
    }
  }

  package enum Event: Sendable, Equatable {
    case opened(by: Opener)
    case used(by: Int?, at: Int)
    case closed
  }

  package enum Claim: Int, Sendable, Comparable {
    case none
    /// Open, and nobody is known to have opened or used it.
    case unclaimed
    /// Open, and an unknown user used it since the test began.
    case unknownUse
    /// Opened for the test by its function or a suite, and used by other tests too.
    case shared
    /// Used by an unknown user since the test began; no other test runs, opened or used it.
    case alone
    /// Opened or used by the test, or opened by its suite and used by no other test.
    case certain

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  private(set) var opener = Opener.nobody
  private(set) var users: [Int] = []
  private(set) var unknownUse: Int?
  private(set) var isOpen = true

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

  package func isOwned(by test: Test, isAlone: Bool) -> Bool { claim(of: test, isAlone: isAlone) >= .alone }

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
  fileprivate func encloses(_ test: TestCaseID) -> Bool {
    module == test.module && test.suite.starts(with: suite + [name])
  }
}
