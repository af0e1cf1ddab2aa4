import ExhibitSystem

package struct RunningTests: Sendable, Equatable {
  private var begun: [Ownership.Test?] = []
  private var places: [Int: [Int]] = [:]

  package init() {}

  package var all: [Ownership.Test] { begun.compactMap { $0 } }

  package mutating func begin(_ test: Ownership.Test) {
    places[test.number, default: []].append(begun.count)
    begun.append(test)
  }

  package mutating func end(_ number: Int) {
    for place in places.removeValue(forKey: number) ?? [] { begun[place] = nil }
  }
}

/// Finds the tests with the best claim to a connection among those that ran when their process died.
package struct Claimants: Sendable {
  /// The claims to one connection, as ascending indices in `tests`.
  package struct Claims: Sendable, Equatable {
    package fileprivate(set) var certain: [Int] = []
    package fileprivate(set) var shared: [Int] = []
    /// How many tests ran at an unknown user's last use.
    package fileprivate(set) var sinceUnknownUse = 0
    package fileprivate(set) var isUnclaimed = false
  }

  package let tests: [Ownership.Test]
  private var places: [Int: [Int]] = [:]
  private var named: [TestCaseID: [Int]] = [:]
  private var ofFunction: [TestCaseID: [Int]] = [:]
  private var suites = SuiteTree()

  package init(_ running: RunningTests) {
    tests = running.all
    for (place, test) in tests.enumerated() {
      places[test.number, default: []].append(place)
      named[test.id, default: []].append(place)
      ofFunction[test.id.function, default: []].append(place)
      suites.add(test.id, at: place)
    }
  }

  package func owners(of ownership: Ownership) -> [Ownership.Test] {
    let claims = claims(to: ownership)
    let strong = claims.certain.isEmpty ? claims.shared : (claims.certain + claims.shared).sorted()
    if !strong.isEmpty { return strong.map { tests[$0] } }
    if claims.sinceUnknownUse > 0 { return Array(tests[..<claims.sinceUnknownUse]) }
    return claims.isUnclaimed ? tests : []
  }

  package func claims(to ownership: Ownership) -> Claims {
    var certain = Set(ownership.users.flatMap { places[$0] ?? [] })
    var shared: Set<Int> = []
    switch ownership.opener {
    case .test(let number, _): certain.formUnion(places[number] ?? [])
    case .named(let id):
      certain.formUnion(named[id] ?? [])
      certain.formUnion(named[id.function] ?? [])
      shared.formUnion(ofFunction[id] ?? [])
      let enclosed = suites.tests(in: id)
      if ownership.users.isEmpty { certain.formUnion(enclosed) } else { shared.formUnion(enclosed) }
    case .nobody: break
    }
    var claims = Claims(certain: certain.sorted(), shared: shared.subtracting(certain).sorted())
    guard ownership.isOpen else { return claims }
    claims.sinceUnknownUse = ownership.unknownUse.map(countOfStarts) ?? 0
    claims.isUnclaimed = ownership.opener == .nobody && ownership.users.isEmpty
    return claims
  }

  private func countOfStarts(by moment: Int) -> Int {
    tests.place(behind: { $0.start <= moment })
  }
}

/// Tests by enclosing suites; a node is a module, or a suite in its parent.
private struct SuiteTree: Sendable {
  private struct Edge: Hashable {
    var parent: Int
    var name: String
  }

  private var nodes: [Edge: Int] = [:]
  private var below: [[Int]] = []

  mutating func add(_ test: TestCaseID, at place: Int) {
    var node = -1
    for name in [test.module] + test.suite {
      node = child(Edge(parent: node, name: name))
      below[node].append(place)
    }
  }

  private mutating func child(_ edge: Edge) -> Int {
    if let node = nodes[edge] { return node }
    nodes[edge] = below.count
    below.append([])
    return below.count - 1
  }

  func tests(in suite: TestCaseID) -> [Int] {
    var node = -1
    for name in [suite.module] + suite.suite + [suite.name] {
      guard let next = nodes[Edge(parent: node, name: name)] else { return [] }
      node = next
    }
    return below[node]
  }
}
