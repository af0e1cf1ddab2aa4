import Collector
import ReportModel

/// Finds the identities of printed test names, which lack modules or suites.
struct PrintedNames {
  private var tests: [String: Set<TestCaseID>] = [:]
  private var failed: Set<TestCaseID> = []
  private var failedCounts: [TestFramework?: Int] = [:]
  private let inputs: [InputTests]

  init(_ inputs: [InputTests]) {
    self.inputs = inputs
    for test in inputs.lazy.flatMap(\.observations) {
      let function = test.id.function
      for name in Self.names(test) { tests[name, default: []].insert(function) }
      if test.outcome.isFailure, failed.insert(function).inserted {
        failedCounts[test.framework, default: 0] += 1
      }
    }
  }

  private static func names(_ test: Observation) -> [String] {
    let id = test.id
    let ofXCTest = (id.suite + [id.name]).joined(separator: ".")
    if test.framework == .xctest { return [ofXCTest] }
    let raw = id.name.hasPrefix("`") ? id.name.dropFirst().prefix { $0 != "`" } : ""
    let names = [id.name, test.displayName ?? "", String(raw), test.framework == nil ? ofXCTest : ""]
    return Set(names).filter { !$0.isEmpty }.sorted()
  }

  func tests(of printed: Observation) -> Set<TestCaseID> {
    let id = printed.id
    guard printed.framework == .xctest else { return tests[id.name] ?? [] }
    let known = tests[(id.suite + [id.name]).joined(separator: ".")] ?? []
    return id.module.isEmpty ? known : known.filter { $0.module == id.module }
  }

  func haveFailed(_ printed: Observation) -> Bool { !tests(of: printed).isDisjoint(with: failed) }

  /// Gives printed tests their identities, and drops those that add nothing.
  func identified(_ printed: [Observation]) -> [Observation] {
    var failedHere: [TestFramework?: Int] = [:]
    for test in printed where test.outcome.isFailure { failedHere[test.framework, default: 0] += 1 }
    return printed.compactMap { test in
      let meant = tests(of: test)
      if meant.count == 1, let id = meant.first {
        var test = test
        test.id = id
        return test
      }
      let isKnown =
        meant.isEmpty
        ? isCovered(test)
          && failedCounts[test.framework, default: 0] >= failedHere[test.framework, default: 0]
        : haveFailed(test)
      let saysNothing = !test.outcome.isFailure && (!meant.isEmpty || isCovered(test))
      return saysNothing || test.outcome.isFailure && isKnown ? nil : test
    }
  }

  private func isCovered(_ test: Observation) -> Bool {
    guard let framework = test.framework else { return false }
    return inputs.contains { $0.endedProperly && $0.coverage.has(framework, of: test.id.module) }
  }
}
