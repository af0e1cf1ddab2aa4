import Foundation

/// Whether tests go through everything, as `ci/long` asks for by `EXHIBIT_LONG_TESTS=1`, or in short through a part of it.
package enum LongTests {
  package static let areAsked = ProcessInfo.processInfo.environment["EXHIBIT_LONG_TESTS"] == "1"

  /// All of them, or in short every fifth, from another one on for each test that goes through the same.
  package static func some<Member>(of all: some Sequence<Member>, from first: Int = 0) -> [Member] {
    let all = Array(all)
    return areAsked ? all : stride(from: first, to: all.count, by: 5).map { all[$0] }
  }
}
