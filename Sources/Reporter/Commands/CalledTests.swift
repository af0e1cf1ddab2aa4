/// What a test can be called by.
struct TestNames {
  /// Its identity.
  var id: String
  var name: String
  /// With its module and suites, separated by slashes.
  var path: String
  var displayName: String?
  /// `nil` for one that this version does not know.
  var outcome: Outcome?

  init(
    id: String, module: String, suite: [String], name: String, displayName: String?, outcome: Outcome?
  ) {
    (self.id, self.name, self.displayName, self.outcome) = (id, name, displayName, outcome)
    path = ([module] + suite + [name]).joined(separator: "/")
  }

  fileprivate func contain(_ part: String) -> Bool {
    id.lowercased().contains(part) || displayName?.lowercased().contains(part) == true
  }
}

/// The test that a user means by a name.
///
/// - Throws: The exit code for the name of none, or of several, which was said with those that there are.
func chosenTest<Test>(
  _ name: String, among tests: [Test], _ names: (Test) -> TestNames
) throws -> Test {
  let found = testsCalled(name, among: tests, names)
  if found.count == 1 { return found[0] }
  var told = found.map(names)
  if found.isEmpty {
    Reporting.complain("No test is called \(name).")
    told = tests.map(names).filter { $0.outcome?.isFailure == true }
    if !told.isEmpty { Reporting.complain("Failed tests:") }
  } else {
    Reporting.complain("\(counted(found.count, "test")) have \(name) in their name; name one of them:")
  }
  let most = 50
  for test in told.prefix(most) {
    Reporting.complain("  \(test.outcome.map { $0.symbol + " " } ?? "")\(test.id)")
  }
  if told.count > most { Reporting.complain("  … and \(grouped(told.count - most)) more") }
  throw ReporterExit.usage
}

/// The tests that a user means by a name: those that are called so; where none is, those with that in their name, whatever
/// its case.
private func testsCalled<Test>(_ name: String, among tests: [Test], _ names: (Test) -> TestNames) -> [Test] {
  let called = tests.map { (test: $0, names: names($0)) }
  let identical = called.filter { $0.names.id == name }
  if !identical.isEmpty { return identical.map(\.test) }
  let named = called.filter { [$0.names.name, $0.names.displayName, $0.names.path].contains(name) }
  if !named.isEmpty { return named.map(\.test) }
  let part = name.lowercased()
  return called.filter { $0.names.contain(part) }.map(\.test)
}
