import Collector
import ExhibitSystem
import XCTest

extension TestCaseID {
  init(_ testCase: XCTestCase) {
    var path = Self.path(of: type(of: testCase))
    let module = path.isEmpty ? "" : path.removeFirst()
    let name = testCase.name.utf8
    let method = name.lastIndex(of: UInt8(ascii: ".")).map { name[name.index(after: $0)...] }
    self.init(module: module, suite: path, name: String(Substring(method ?? name[...])))
  }

  /// The last class: naming a type is slow, and a class's tests follow one another.
  private static let latest = Locked<(type: XCTestCase.Type, path: [String])?>(nil)

  private static func path(of type: XCTestCase.Type) -> [String] {
    latest.withLock { latest in
      if let latest, latest.type == type { return latest.path }
      var path = String(reflecting: type).split(separator: ".").map(String.init)
      // A private class has a context in parentheses, with an address.
      path.removeAll { $0.hasPrefix("(") }
      latest = (type, path)
      return path
    }
  }
}
