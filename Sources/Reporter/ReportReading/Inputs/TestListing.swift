import Collector
import ExhibitSystem
import Foundation

/// The output of `swift test list`: the tests that a run should have had.
package struct TestListing: Sendable, Equatable {
  /// The name of the file in a run's `inputs/`.
  package static let fileName = "tests.txt"

  /// The name in messages.
  var name: String
  private(set) var functions: Set<TestCaseID> = []

  /// Reads one test a line, `Module.Suite/name`; other lines, such as a build's, are skipped.
  init(_ file: LoadedFile) {
    name = file.name
    for line in file.bytes.split(separator: UInt8(ascii: "\n")) where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      guard let id = TestCaseID(eventStreamID: text), id.module.isModuleName else { continue }
      functions.insert(id)
    }
  }
}

extension String {
  fileprivate var isModuleName: Bool { allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
}
