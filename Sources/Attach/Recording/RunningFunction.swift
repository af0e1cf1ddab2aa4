import Testing

/// A test function of Swift Testing that runs, and what is known of its cases.
struct RunningFunction: Sendable {
  struct Case: Sendable {
    let testCase: Test.Case
    let scope: TestScope

    /// Whether it is this very one, told by its bytes: those of its box and its body, which stay as long as this is kept.
    func `is`(_ other: Test.Case) -> Bool {
      withUnsafeBytes(of: testCase) { own in
        withUnsafeBytes(of: other) { own.elementsEqual($0) }
      }
    }
  }

  let function: PlannedFunction
  /// That of the function itself; of a parameterised one only when something was told of it outside its cases.
  var whole: TestScope?
  var cases: [Case] = []
  var isCancelled = false

  /// Every scope once, in the order of their beginnings.
  var scopes: [TestScope] {
    var scopes = whole.map { [$0] } ?? []
    for known in cases where !scopes.contains(where: { $0 === known.scope }) { scopes.append(known.scope) }
    return scopes
  }
}
