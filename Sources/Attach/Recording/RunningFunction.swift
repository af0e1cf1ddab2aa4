import Collector
import Testing

/// A test function of Swift Testing that runs, and what is known of its cases.
struct RunningFunction: Sendable {
  let function: PlannedFunction
  /// That of the function itself; of a parameterised one only when something was told of it outside its cases.
  var whole: TestScope?
  var cases = RunningCases()
  var isCancelled = false

  init(function: PlannedFunction, whole: TestScope?) {
    self.function = function
    self.whole = whole
  }

  /// Every scope once, in the order of their beginnings.
  var scopes: [TestScope] { (whole.map { [$0] } ?? []) + cases.scopes }
}

/// The known cases of a function, which may be thousands; found at each statement.
struct RunningCases: Sendable {
  /// Every scope once, in the order of their beginnings.
  private(set) var scopes: [TestScope] = []
  private var newest: (storage: CaseStorage, scope: TestScope)?
  private var byStorage: [CaseStorage: TestScope] = [:]
  private var byID: [TestCaseID: TestScope] = [:]
  /// Keeps their arguments where they are.
  private var kept: [Test.Case] = []

  /// The scope of this very case.
  func scope(of testCase: Test.Case) -> TestScope? {
    guard let storage = CaseStorage(testCase) else { return nil }
    if let newest, newest.storage == storage { return newest.scope }
    return byStorage[storage]
  }

  /// The scope of a case that is the same by its arguments.
  func scope(of id: TestCaseID) -> TestScope? { byID[id] }

  mutating func add(_ testCase: Test.Case, _ scope: TestScope) {
    if byID.updateValue(scope, forKey: scope.id) == nil { scopes.append(scope) }
    guard let storage = CaseStorage(testCase), byStorage.updateValue(scope, forKey: storage) == nil else {
      return
    }
    newest = (storage, scope)
    kept.append(testCase)
  }
}
