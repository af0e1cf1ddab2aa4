import Collector
import Testing

/// A running test function of Swift Testing with its known cases.
struct RunningFunction: Sendable {
  let function: PlannedFunction
  /// The function's own scope; a parameterised function has one only when something was told of it outside its cases.
  var whole: TestScope?
  var cases = RunningCases()
  var isCancelled = false

  /// Every scope once, in the order of their beginnings.
  var scopes: [TestScope] { (whole.map { [$0] } ?? []) + cases.scopes }
}

/// The known cases of a function, of which there may be thousands; each statement looks one up.
struct RunningCases: Sendable {
  /// Every scope once, in the order of their beginnings.
  private(set) var scopes: [TestScope] = []
  private var newest: (storage: CaseStorage, scope: TestScope)?
  private var byStorage: [CaseStorage: TestScope] = [:]
  private var byID: [TestCaseID: TestScope] = [:]
  /// Cases that are kept so that the addresses of their arguments stay valid.
  private var kept: [Test.Case] = []

  /// Finds the scope of this very case.
  func scope(of testCase: Test.Case) -> TestScope? {
    guard let storage = CaseStorage(testCase) else { return nil }
    if let newest, newest.storage == storage { return newest.scope }
    return byStorage[storage]
  }

  /// Finds the scope of a case with the same arguments.
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
