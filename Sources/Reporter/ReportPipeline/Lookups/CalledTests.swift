import Collector
package import ReportModel

/// The names by which a user can call a test.
package struct TestNames: Decodable {
  package var id: String
  var module: String?
  var suite: [String] = []
  var name: String
  var displayName: String?
  /// Maybe one of another version.
  var outcome: String?
  package var page: String?
}

extension TestNames {
  /// For a test of which a history knows only the identity.
  package init(identity: String) { self.init(id: identity, name: identity) }

  package init(_ test: TestRecord) {
    self.init(
      id: test.id.description, module: test.id.module, suite: test.id.suite, name: test.id.name,
      displayName: test.displayName, outcome: test.outcome.rawValue)
  }

  /// `nil` for an outcome that this version does not know.
  package var knownOutcome: Outcome? { outcome.flatMap(Outcome.init(rawValue:)) }

  private var path: String { ([module].compactMap { $0 } + suite + [name]).joined(separator: "/") }

  fileprivate func isCalled(_ name: String) -> Bool { [self.name, displayName, path].contains(name) }

  fileprivate func contain(_ part: String) -> Bool {
    [id, displayName ?? ""].contains { $0.lowercased().contains(part) }
      || path.lowercased().withSlashes.contains(part.withSlashes)
  }

  /// True for the test's name with any of its suites and its module before it.
  ///
  /// Slashes or points separate them; parentheses may be missing.
  fileprivate func end(as given: String, _ isSame: (String, String) -> Bool) -> Bool {
    let wanted = "/" + given.withSlashes
    return [path, path.withoutParameters].contains { path in
      isSame(String(("/" + path.withSlashes).suffix(wanted.count)), wanted)
    }
  }
}

package enum CalledTest<Test> {
  case one(Test)
  case several([TestNames])
  case none
}

/// Finds the test that a user names; of several, the only failed one.
package func calledTest<Test>(
  _ name: String, among tests: [Test], _ names: (Test) -> TestNames
) -> CalledTest<Test> {
  let found = testsCalled(name, among: tests, names)
  if found.isEmpty { return .none }
  let failed = found.filter { names($0).knownOutcome?.isFailure == true }
  return (found.count == 1 ? found : failed.count == 1 ? failed : []).first.map { .one($0) }
    ?? .several(found.map(names))
}

/// Finds the tests with this name, or else those with this text in their name, in any case.
private func testsCalled<Test>(_ name: String, among tests: [Test], _ names: (Test) -> TestNames) -> [Test] {
  let called = tests.map { (test: $0, names: names($0)) }
  let part = name.lowercased()
  let meanings: [(TestNames) -> Bool] = [
    // Swift calls texts equal that look alike, which a history tells apart.
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
