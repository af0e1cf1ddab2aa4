import Collector
import XCTest

extension TestCaseID {
  /// The identity of an XCTest: its class as Swift names it, and the method.
  init(_ testCase: XCTestCase) {
    var path = Self.path(of: type(of: testCase))
    let module = path.isEmpty ? "" : path.removeFirst()
    let method = testCase.name.lastIndex(of: ".").map { testCase.name[testCase.name.index(after: $0)...] }
    self.init(module: module, suite: path, name: String(method ?? testCase.name[...]))
  }

  /// Naming a type is slow, and a class has many tests.
  private static let paths = Locked<[ObjectIdentifier: [String]]>([:])

  private static func path(of type: XCTestCase.Type) -> [String] {
    paths.withLock { paths in
      if let path = paths[ObjectIdentifier(type)] { return path }
      var path = String(reflecting: type).split(separator: ".").map(String.init)
      // The context of a private class stands in parentheses and holds an address.
      path.removeAll { $0.hasPrefix("(") }
      paths[ObjectIdentifier(type)] = path
      return path
    }
  }
}
