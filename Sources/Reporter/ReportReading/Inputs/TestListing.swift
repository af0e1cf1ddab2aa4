package import Collector
package import Foundation

/// The output of `swift test list`: the tests that a run should have had.
package struct TestListing: Sendable, Equatable {
  /// The name of the file in a run's `inputs/`.
  package static let fileName = "tests.txt"

  /// A test with the line that names it, which `--filter` and `--skip` of `swift test` look at.
  package struct Listed: Sendable, Equatable {
    package var id: TestCaseID
    package var line: String
  }

  /// The name in messages.
  var name: String
  package private(set) var tests: [Listed] = []

  var functions: Set<TestCaseID> { Set(tests.map(\.id)) }

  init(_ file: LoadedFile) {
    self.init(bytes: file.bytes, name: file.name)
  }

  /// Reads one test a line, `Module.Suite/name`; other lines, such as a build's, are skipped.
  package init(bytes: Data, name: String = fileName) {
    self.name = name
    for (_, line) in ByteLines(bytes) where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      guard var id = TestCaseID(eventStreamID: text), id.module.isModuleName else { continue }
      // XCTest separates enclosing types by points.
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
