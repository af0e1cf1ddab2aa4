import Collector
import Glibc
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
  private var newest: Case?
  private var byBytes: [[UInt8]: Case] = [:]
  private var byID: [TestCaseID: TestScope] = [:]

  private struct Case: Sendable {
    /// Keeps what its bytes point to: its box and its body.
    let testCase: Test.Case
    let scope: TestScope
  }

  /// The scope of this very case, told by its bytes.
  func scope(of testCase: Test.Case) -> TestScope? {
    withUnsafeBytes(of: testCase) { bytes in
      if let newest, withUnsafeBytes(of: newest.testCase, { isEqual($0, bytes) }) { return newest.scope }
      return byBytes.isEmpty ? nil : byBytes[Array(bytes)]?.scope
    }
  }

  /// The scope of a case that is the same in other bytes.
  func scope(of id: TestCaseID) -> TestScope? { byID[id] }

  mutating func add(_ testCase: Test.Case, _ scope: TestScope) {
    if byID.updateValue(scope, forKey: scope.id) == nil { scopes.append(scope) }
    let known = Case(testCase: testCase, scope: scope)
    newest = known
    withUnsafeBytes(of: testCase) { byBytes[Array($0)] = known }
  }
}

private func isEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
  guard let first = one.baseAddress, let second = other.baseAddress else { return false }
  return one.count == other.count && memcmp(first, second, one.count) == 0
}
