/// What a test can be called by.
struct TestNames {
  /// Its identity.
  var id: String
  var name: String
  /// With its module and suites, separated by slashes.
  var path: String
  var displayName: String?

  init(id: String, module: String, suite: [String], name: String, displayName: String?) {
    (self.id, self.name, self.displayName) = (id, name, displayName)
    path = ([module] + suite + [name]).joined(separator: "/")
  }

  fileprivate func contain(_ part: String) -> Bool {
    id.lowercased().contains(part) || displayName?.lowercased().contains(part) == true
  }
}

/// The tests that a user means by a name: those that are called so; where none is, those with that in their name, whatever
/// its case.
func testsCalled<Test>(_ name: String, among tests: [Test], _ names: (Test) -> TestNames) -> [Test] {
  let called = tests.map { (test: $0, names: names($0)) }
  let identical = called.filter { $0.names.id == name }
  if !identical.isEmpty { return identical.map(\.test) }
  let named = called.filter { [$0.names.name, $0.names.displayName, $0.names.path].contains(name) }
  if !named.isEmpty { return named.map(\.test) }
  let part = name.lowercased()
  return called.filter { $0.names.contain(part) }.map(\.test)
}
