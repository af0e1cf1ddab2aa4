import Collector

/// Splits each class name of a file once.
struct TestClasses {
  private var known: [String: (module: String, suite: [String])] = [:]
  /// The last class, since neighbouring tests are mostly of one class.
  private var last: (className: String, module: String, suite: [String])?

  mutating func identity(className: String, name: String) -> TestCaseID {
    if let last, last.className == className {
      return TestCaseID(module: last.module, suite: last.suite, name: name)
    }
    let (module, suite) = parts(of: className)
    last = (className, module, suite)
    return TestCaseID(module: module, suite: suite, name: name)
  }

  private mutating func parts(of className: String) -> (module: String, suite: [String]) {
    if let known = known[className] { return known }
    let id = TestCaseID(className: className, name: "")
    known[className] = (id.module, id.suite)
    return (id.module, id.suite)
  }
}
