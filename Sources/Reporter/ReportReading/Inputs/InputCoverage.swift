import Collector

/// The tests that an input lists completely, provided that it ended properly.
struct InputCoverage: Sendable, Equatable, ExpressibleByArrayLiteral {
  /// The modules of which it lists all tests of a framework; `nil` for all of them.
  private var modules: [TestFramework: Set<String>?] = [:]

  /// All tests of the frameworks.
  init(arrayLiteral frameworks: TestFramework...) {
    add(Set(frameworks), of: nil)
  }

  /// True when the input should have a test of this framework in this module.
  func has(_ framework: TestFramework, of module: String) -> Bool {
    guard let covered = modules[framework] else { return false }
    return covered?.contains(module) ?? true
  }

  /// - Parameter names: The names of the modules; `nil` for all.
  mutating func add(_ frameworks: Set<TestFramework>, of names: Set<String>?) {
    for framework in frameworks {
      let known: Set<String>? = modules[framework] ?? []
      modules.updateValue(names.flatMap { known?.union($0) }, forKey: framework)
    }
  }

  mutating func remove(_ framework: TestFramework) { modules.removeValue(forKey: framework) }

  /// Removes what it covers of other modules.
  mutating func limit(to names: Set<String>) {
    modules = modules.mapValues { $0?.intersection(names) ?? names }
  }
}
