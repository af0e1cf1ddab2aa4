import Collector
import Testing

struct RunningFunction: Sendable {
  let function: PlannedFunction
  /// A parameterised function has it only for what comes from outside its cases.
  var whole: TestScope?
  var cases = RunningCases()
  var isCancelled = false

  var scopes: [TestScope] { (whole.map { [$0] } ?? []) + cases.scopes }
}

struct RunningCases: Sendable {
  private(set) var scopes: [TestScope] = []
  private var newest: (storage: CaseStorage, scope: TestScope)?
  private var byStorage: [CaseStorage: TestScope] = [:]
  private var byID: [TestCaseID: TestScope] = [:]
  /// Kept, so that the addresses of their arguments stay valid.
  private var kept: [Test.Case] = []

  func scope(of testCase: Test.Case) -> TestScope? {
    guard let storage = CaseStorage(testCase) else { return nil }
    if let newest, newest.storage == storage { return newest.scope }
    return byStorage[storage]
  }

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
