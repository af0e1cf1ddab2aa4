import Collector

/// The tests that an input lists completely, provided that it ended properly.
struct InputCoverage: Sendable, Equatable, ExpressibleByArrayLiteral {
  private enum Modules: Sendable, Equatable {
    case all
    case named(Set<String>)
  }

  private var modules: [TestFramework: Modules] = [:]

  /// All tests of the frameworks.
  init(arrayLiteral frameworks: TestFramework...) {
    add(Set(frameworks), of: nil)
  }

  var isEmpty: Bool { modules.isEmpty }

  /// True when the input should have a test of this framework in this module.
  func has(_ framework: TestFramework, of module: String) -> Bool {
    switch modules[framework] {
    case .all: true
    case .named(let modules): modules.contains(module)
    case nil: false
    }
  }

  /// - Parameter names: The names of the modules; `nil` for all.
  mutating func add(_ frameworks: Set<TestFramework>, of names: Set<String>?) {
    for framework in frameworks {
      guard let names else {
        modules[framework] = .all
        continue
      }
      switch modules[framework] {
      case .all: continue
      case .named(let others): modules[framework] = .named(others.union(names))
      case nil: modules[framework] = .named(names)
      }
    }
  }

  mutating func remove(_ framework: TestFramework) {
    modules[framework] = nil
  }

  /// Removes what it covers of other modules.
  mutating func limit(to names: Set<String>) {
    modules = modules.mapValues { covered in
      guard case .named(let modules) = covered else { return .named(names) }
      return .named(modules.intersection(names))
    }
  }
}
