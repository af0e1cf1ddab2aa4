import Collector
import ReportModel
import ReportReading

/// The `--filter` patterns of one shard, by suite wherever possible.
///
/// There are few: SwiftPM compiles several anew for each test. For 250 suites that took a thousandth of a
/// second a test, against 6 millionths with one pattern.
struct ShardFilters {
  struct Invocation: Equatable {
    var filter: String
    /// `nil` for both.
    var framework: TestFramework?
  }

  /// The most bytes of an argument.
  ///
  /// Linux takes 128 KiB, and SwiftPM names all XCTests of a process in one, unless they run in parallel.
  static let longestArgument = 1 << 16

  let invocations: [Invocation]

  init(_ split: TestSplit, shard: Int, isParallel: Bool, longest: Int = longestArgument) {
    // A suite may have tests of both.
    let divided = Set(split.entries.filter { $0.shard != shard }.map { Suite(of: $0.test) })
    let atoms = TestFramework.allCases.map { framework in
      let own = split.entries.filter { $0.shard == shard && $0.test.probableFramework == framework }
      return Self.atoms(own.map(\.test), except: divided, isParallel, longest)
    }
    let whole = atoms.flatMap { $0 }
    if Self.parts(of: whole, longest).count == 1 {
      invocations = [Invocation(filter: Self.pattern(of: whole), framework: nil)]
    } else {
      invocations = zip(TestFramework.allCases, atoms).flatMap { framework, atoms in
        Self.parts(of: atoms, longest).map { Invocation(filter: Self.pattern(of: $0), framework: framework) }
      }
    }
  }

  fileprivate struct Atom {
    var module: String
    /// Precedes the test in its pattern; `nil` for a whole suite.
    var path: String?
    var pattern: String
    /// Bytes with which SwiftPM names these tests.
    var argument: Int
  }

  // MARK: - Atoms

  /// An outermost suite, or a module's free functions.
  private struct Suite: Hashable {
    var module: String
    var name: String?

    init(of test: TestCaseID) { (module, name) = (test.module, test.suite.first) }
  }

  /// - Parameter divided: Suites that have tests in other shards.
  private static func atoms(
    _ tests: [TestCaseID], except divided: Set<Suite>, _ isParallel: Bool, _ longest: Int
  ) -> [Atom] {
    var atoms: [Atom] = []
    tests.forEachStretch({ $0.isInSuite(of: $1) }) { own in
      let argument = own.reduce(0) { $0 + (isParallel ? 0 : $1.argumentLength) }
      if let first = own.first, !divided.contains(Suite(of: first)), argument < longest {
        atoms += whole(own, argument)
      } else {
        atoms += own.map { Atom($0, isParallel: isParallel) }
      }
    }
    return atoms
  }

  private static func whole(_ tests: ArraySlice<TestCaseID>, _ argument: Int) -> [Atom] {
    guard let first = tests.first else { return [] }
    if let suite = first.suite.first {
      return [
        Atom(module: first.module, path: nil, pattern: escapedPattern(suite) + "[./]", argument: argument)
      ]
    }
    // Free functions; a slash in a name looks like that behind a suite.
    let others = tests.filter { $0.name.contains("/") }.map { Atom($0, isParallel: true) }
    return [Atom(module: first.module, path: nil, pattern: "[^/]+[)]" + swiftTestingEnd, argument: argument)]
      + others
  }

  fileprivate static let swiftTestingEnd = "(?:/[^/]*:[0-9]+:[0-9]+)?$"

  // MARK: - Patterns

  private static func parts(of atoms: [Atom], _ longest: Int) -> [[Atom]] {
    var parts: [[Atom]] = []
    // More than the signs around all.
    var (pattern, argument) = (0, 0)
    let around = 64
    for atom in atoms {
      let last = parts.last?.last
      let head =
        (last?.module == atom.module ? 0 : atom.module.utf8.count + around)
        + (last?.path == atom.path && last?.module == atom.module ? 0 : (atom.path?.utf8.count ?? 0) + around)
      pattern += head + atom.pattern.utf8.count + 1
      argument += atom.argument
      if parts.isEmpty || pattern > longest - around || argument > longest {
        parts.append([])
        pattern = atom.module.utf8.count + (atom.path?.utf8.count ?? 0) + atom.pattern.utf8.count + 3 * around
        argument = atom.argument
      }
      parts[parts.count - 1].append(atom)
    }
    return parts
  }

  private static func pattern(of atoms: [Atom]) -> String {
    let modules = atoms.groups(\.module).map { module in
      let suites = module.groups(\.path).map { suite in
        let names = suite.map(\.pattern).joined(separator: "|")
        return suite.first?.path.map { "\($0)(?:\(names))" } ?? names
      }
      return "\(escapedPattern(module.first?.module ?? ""))\\.(?:\(suites.joined(separator: "|")))"
    }
    return "^(?:\(modules.joined(separator: "|")))"
  }
}

extension ShardFilters.Atom {
  fileprivate init(_ test: TestCaseID, isParallel: Bool) {
    module = test.module
    path = test.suite.map { escapedPattern($0) + "[./]" }.joined()
    let end = test.probableFramework == .xctest ? "$" : ShardFilters.swiftTestingEnd
    pattern = escapedPattern(test.name) + end
    argument = isParallel ? 0 : test.argumentLength
  }
}

extension TestCaseID {
  /// By its name: those of Swift Testing have parentheses.
  var probableFramework: TestFramework { name.hasSuffix(")") ? .swiftTesting : .xctest }

  /// SwiftPM names only XCTests in one argument.
  fileprivate var argumentLength: Int { probableFramework == .xctest ? description.utf8.count + 1 : 0 }
}
