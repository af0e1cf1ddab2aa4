import Collector
package import ReportModel

/// What a user can call a test.
package struct TestNames: Decodable {
  package var id: String
  var module: String?
  var suite: [String] = []
  var name: String
  var displayName: String?
  /// Maybe one of another version.
  var outcome: String?
  /// The reference of its page, where that is known.
  package var page: String?
}

extension TestNames {
  /// For a test that a history knows by its identity alone.
  package init(identity: String) { self.init(id: identity, name: identity) }

  package init(_ test: TestRecord) {
    self.init(
      id: test.id.description, module: test.id.module, suite: test.id.suite, name: test.id.name,
      displayName: test.displayName, outcome: test.outcome.rawValue)
  }

  /// `nil` for an outcome that this version does not know.
  package var knownOutcome: Outcome? { outcome.flatMap(Outcome.init(rawValue:)) }

  /// With module and suites, separated by slashes.
  private var path: String { ([module].compactMap { $0 } + suite + [name]).joined(separator: "/") }

  fileprivate func isCalled(_ name: String) -> Bool { [self.name, displayName, path].contains(name) }

  fileprivate func contain(_ part: String) -> Bool {
    [id, displayName ?? ""].contains { $0.lowercased().contains(part) }
      || path.lowercased().withSlashes.contains(part.withSlashes)
  }

  /// True for the test's name with any of its suites before it, and its module.
  ///
  /// Between them are slashes or points, as in `OrderTests.testTotal`; parentheses may be
  /// missing.
  fileprivate func end(as given: String, _ isSame: (String, String) -> Bool) -> Bool {
    let wanted = "/" + given.withSlashes
    return [path, path.withoutParameters].contains { path in
      isSame(String(("/" + path.withSlashes).suffix(wanted.count)), wanted)
    }
  }
}

/// What a user's name for a test leads to.
package enum CalledTest<Test> {
  case one(Test)
  /// Several have it in their name.
  case several([TestNames])
  case none
}

/// Finds the test that a user names; of several, the one that failed.
package func calledTest<Test>(
  _ name: String, among tests: [Test], _ names: (Test) -> TestNames
) -> CalledTest<Test> {
  let found = testsCalled(name, among: tests, names)
  if found.isEmpty { return .none }
  // A user who names a test mostly asks why it failed.
  let failed = found.filter { names($0).knownOutcome?.isFailure == true }
  return (found.count == 1 ? found : failed.count == 1 ? failed : []).first.map { .one($0) }
    ?? .several(found.map(names))
}

/// Finds the tests with this name, alone or behind their suites.
///
/// If there are none, those with this text in their name, whatever its case.
private func testsCalled<Test>(_ name: String, among tests: [Test], _ names: (Test) -> TestNames) -> [Test] {
  let called = tests.map { (test: $0, names: names($0)) }
  let part = name.lowercased()
  let meanings: [(TestNames) -> Bool] = [
    // Texts that look alike are equal in Swift, but not in a history.
    { $0.id.utf8.elementsEqual(name.utf8) }, { $0.id == name },
    { $0.isCalled(name) },
    { $0.end(as: name) { $0 == $1 } }, { $0.end(as: name) { $0.lowercased() == $1.lowercased() } },
    { $0.contain(part) },
  ]
  let found = meanings.lazy.map { isMeant in called.filter { isMeant($0.names) } }
  return found.first { !$0.isEmpty }?.map(\.test) ?? []
}

extension String {
  fileprivate var withSlashes: String { replacing(".", with: "/") }

  fileprivate var withoutParameters: String {
    guard hasSuffix(")"), let start = lastIndex(of: "(") else { return self }
    return String(self[..<start])
  }
}
