package import Collector
package import Foundation

/// The output of `swift test list`: the tests that should run.
package struct TestListing: Sendable, Equatable {
  package static let fileName = "tests.txt"

  /// A test with its line, which `--filter` and `--skip` match.
  package struct Listed: Sendable, Equatable {
    package var id: TestCaseID
    package var line: String
  }

  var name: String
  package private(set) var tests: [Listed] = []

  var functions: Set<TestCaseID> { Set(tests.map(\.id)) }

  init(_ file: LoadedFile) {
    self.init(bytes: file.bytes, name: file.name)
  }

  /// Reads lines `Module.Suite/name` and skips others.
  package init(bytes: Data, name: String = fileName) {
    self.name = name
    for (_, line) in ByteLines(bytes) where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      guard var id = TestCaseID(eventStreamID: text), id.module.isModuleName else { continue }
      // XCTest separates nested types by points.
      if !id.name.hasSuffix(")") {
        id.suite = id.suite.flatMap { $0.split(separator: ".").map(String.init) }
      }
      tests.append(Listed(id: id, line: text))
    }
  }
}

extension String {
  fileprivate var isModuleName: Bool { allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
}
