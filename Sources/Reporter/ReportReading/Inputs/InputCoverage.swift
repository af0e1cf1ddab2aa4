import Collector

/// The tests that an input lists completely, provided that it ended properly.
struct InputCoverage: Sendable, Equatable, ExpressibleByArrayLiteral {
  /// The frameworks of which it lists the tests of all modules.
  private var whole: Set<TestFramework> = []
  /// The modules of which it lists the tests of a framework that is not among those.
  private var modules: [TestFramework: Set<String>] = [:]

  /// All tests of the frameworks.
  init(arrayLiteral frameworks: TestFramework...) {
    whole = Set(frameworks)
  }

  /// True when the input should have a test of this framework in this module.
  func has(_ framework: TestFramework, of module: String) -> Bool {
    whole.contains(framework) || modules[framework]?.contains(module) == true
  }

  /// - Parameter names: The names of the modules; `nil` for all.
  mutating func add(_ frameworks: Set<TestFramework>, of names: Set<String>?) {
    for framework in frameworks {
      if let names, !whole.contains(framework) {
        modules[framework, default: []].formUnion(names)
      } else {
        whole.insert(framework)
        modules[framework] = nil
      }
    }
  }

  mutating func remove(_ framework: TestFramework) {
    whole.remove(framework)
    modules[framework] = nil
  }

  /// Removes what it covers of other modules.
  mutating func limit(to names: Set<String>) {
    modules = modules.mapValues { $0.intersection(names) }
    for framework in whole { modules[framework] = names }
    whole = []
  }
}
