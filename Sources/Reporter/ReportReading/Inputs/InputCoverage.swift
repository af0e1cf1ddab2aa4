import Collector

/// The tests that an input lists completely if it ended properly.
struct InputCoverage: Sendable, Equatable, ExpressibleByArrayLiteral {
  /// The modules of each framework; `nil` for all.
  private var modules: [TestFramework: Set<String>?] = [:]

  init(arrayLiteral frameworks: TestFramework...) {
    add(Set(frameworks), of: nil)
  }

  func has(_ framework: TestFramework, of module: String) -> Bool {
    guard let covered = modules[framework] else { return false }
    return covered?.contains(module) ?? true
  }

  mutating func add(_ frameworks: Set<TestFramework>, of names: Set<String>?) {
    for framework in frameworks {
      let known: Set<String>? = modules[framework] ?? []
      modules.updateValue(names.flatMap { known?.union($0) }, forKey: framework)
    }
  }

  mutating func remove(_ framework: TestFramework) { modules.removeValue(forKey: framework) }

  mutating func limit(to names: Set<String>) {
    modules = modules.mapValues { $0?.intersection(names) ?? names }
  }
}
