import Collector
import XCTest

extension TestCaseID {
  /// The identity of an XCTest: its class as Swift names it, and the method.
  init(_ testCase: XCTestCase) {
    var path = String(reflecting: type(of: testCase)).split(separator: ".").map(String.init)
    // The context of a private class stands in parentheses and holds an address.
    path.removeAll { $0.hasPrefix("(") }
    let module = path.isEmpty ? "" : path.removeFirst()
    let method = testCase.name.lastIndex(of: ".").map { testCase.name[testCase.name.index(after: $0)...] }
    self.init(module: module, suite: path, name: String(method ?? testCase.name[...]))
  }
}
