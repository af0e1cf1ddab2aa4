/// The identity of one test case: what logs, xunit files and event streams are joined by.
///
/// Line and column are no part of it: they move with every edit.
package struct TestCaseID: Hashable, Sendable, Codable {
  /// The Swift module that declares the test.
  package var module: String
  /// The path of enclosing suites, outermost first; empty for a free `@Test` function.
  package var suite: [String]
  /// The name as its framework prints it: `testOrder` for XCTest, `order(of:)` for Swift Testing.
  package var name: String
  /// The argument of a parameterised case.
  package var argument: Argument?

  /// Which case of a parameterised test this is.
  package struct Argument: Hashable, Sendable, Codable {
    /// How many earlier cases of the same test had an equal description: 0 unless descriptions repeat.
    package var ordinal: Int
    /// The arguments as Swift Testing prints them, joined by a comma and a space.
    package var description: String

    /// Which of several equal cases it is, from 2; `nil` for the first one.
    ///
    /// Whatever the ordinal, one more is a number.
    package var repetition: UInt? { ordinal > 0 ? UInt(ordinal) + 1 : nil }

    package init(ordinal: Int = 0, description: String) {
      self.ordinal = ordinal
      self.description = description
    }
  }

  package init(module: String, suite: [String], name: String, argument: Argument? = nil) {
    self.module = module
    self.suite = suite
    self.name = name
    self.argument = argument
  }

  /// The same test without its argument: what xunit files speak of.
  package var function: TestCaseID {
    TestCaseID(module: module, suite: suite, name: name)
  }
}

extension TestCaseID: CustomStringConvertible {
  /// `Module.Suite/Inner/name`, the form that `swift test --filter` matches, and the argument if there is one.
  package var description: String {
    var text = module + "."
    for suite in suite {
      text += suite
      text += "/"
    }
    text += name
    guard let argument else { return text }
    return "\(text) (\(argument.description))" + (argument.repetition.map { " #\($0)" } ?? "")
  }
}

extension TestCaseID: Comparable {
  package static func < (left: TestCaseID, right: TestCaseID) -> Bool {
    if left.module != right.module { return left.module < right.module }
    if left.suite != right.suite { return left.suite.lexicographicallyPrecedes(right.suite) }
    if left.name != right.name { return left.name < right.name }
    let (leftText, rightText) = (left.argument?.description ?? "", right.argument?.description ?? "")
    if leftText != rightText { return leftText < rightText }
    return (left.argument?.ordinal ?? -1) < (right.argument?.ordinal ?? -1)
  }
}
