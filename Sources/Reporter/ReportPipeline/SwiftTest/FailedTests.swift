import Collector
import ReportModel

/// The tests of a run that did not succeed, to run them again.
struct FailedTests {
  static let limit = 200
  /// Bytes of patterns on a command line, beside the user's arguments.
  static let longestFilters = 1 << 16
  /// The most functions that run alone, since they ended their process.
  static let mostAlone = 20

  /// A case of a parameterised function runs with all of it.
  private(set) var functions: [Function] = []
  private(set) var omitted = 0

  struct Function: Equatable {
    var id: TestCaseID
    var framework: TestFramework?
    var isAlone: Bool
    /// The cases that failed, or the function itself.
    var cases: Set<TestCaseID>
  }

  init(_ tests: [TestRecord]) {
    for test in tests where test.outcome.isFailure {
      let died = test.outcome != .failed
      if functions.last?.id == test.id.function {
        functions[functions.count - 1].cases.insert(test.id)
        functions[functions.count - 1].isAlone = functions[functions.count - 1].isAlone || died
      } else {
        functions.append(
          Function(id: test.id.function, framework: test.framework, isAlone: died, cases: [test.id]))
      }
    }
    omitted = max(0, functions.count - Self.limit)
    functions = Array(functions.prefix(Self.limit))
  }

  var cases: Set<TestCaseID> { functions.reduce(into: []) { $0.formUnion($1.cases) } }

  func only(_ wanted: Set<TestCaseID>) -> FailedTests {
    var some = self
    for index in functions.indices { some.functions[index].cases.formIntersection(wanted) }
    some.functions.removeAll(where: \.cases.isEmpty)
    return some
  }

  /// The functions of each `swift test`, so that no command line gets too long.
  var invocations: [[Function]] {
    let alone = functions.filter(\.isAlone).prefix(Self.mostAlone)
    var groups: [[Function]] = []
    var bytes = 0
    for function in functions where !alone.contains(function) {
      let length = function.id.filter.utf8.count + "--filter".utf8.count + 2
      if groups.isEmpty || bytes + length > Self.longestFilters {
        groups.append([])
        bytes = 0
      }
      groups[groups.count - 1].append(function)
      bytes += length
    }
    return groups + alone.map { [$0] }
  }
}

extension [FailedTests.Function] {
  var framework: TestFramework? {
    guard let first = first?.framework, allSatisfy({ $0.framework == first }) else { return nil }
    return first
  }
}

extension TestCaseID {
  /// The pattern of `swift test --filter` for this function alone.
  ///
  /// XCTest writes `Module.Class/test`, Swift Testing `Module.Suite/Inner/name()/File.swift:12:3`.
  var filter: String {
    let path = (suite + [name]).map(escapedPattern).joined(separator: "[./]")
    return "^\(escapedPattern(module))\\.\(path)(/[^/]*:[0-9]+:[0-9]+)?$"
  }
}
