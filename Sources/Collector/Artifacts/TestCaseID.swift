/// Identifies one test case; it joins logs, xunit files and event streams.
///
/// It has no line or column, because these move with every edit.
package struct TestCaseID: Hashable, Sendable, Decodable {
  /// The Swift module that declares the test.
  package var module: String
  /// The path of enclosing suites, outermost first; empty for a free `@Test` function.
  package var suite: [String]
  /// The name as its framework prints it: `testOrder` for XCTest, `order(of:)` for Swift Testing.
  package var name: String
  /// At most one, elsewhere: a run can have a million tests, most of which have none.
  private var arguments: [Argument] = []

  /// The argument of a parameterised case.
  package var argument: Argument? {
    get { arguments.first }
    set { arguments = newValue.map { [$0] } ?? [] }
  }

  /// Identifies a case of a parameterised test.
  package struct Argument: Hashable, Sendable, Decodable {
    /// The number of earlier cases of the same test with an equal description; 0 unless descriptions repeat.
    package var ordinal: Int
    /// The arguments as Swift Testing prints them, joined by a comma and a space.
    package var description: String

    /// The number among cases with equal descriptions, from 2; `nil` for the first one.
    ///
    /// It is unsigned, so that one more than the largest ordinal fits.
    package var repetition: UInt? { ordinal > 0 ? UInt(ordinal) + 1 : nil }

    package init(ordinal: Int = 0, description: String) {
      self.ordinal = ordinal
      self.description = description
    }
  }

  package init(module: String, suite: [String], name: String, argument: Argument? = nil) {
    self.module = module
    self.suite = suite.lazy.map(\.withoutUnknownContexts).filter { !$0.isEmpty }
    self.name = name
    self.argument = argument
    self.argument?.description = argument?.description.withoutUnknownContexts ?? ""
  }

  private enum CodingKeys: String, CodingKey {
    case module, suite, name, argument
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      module: try values.decode(String.self, forKey: .module),
      suite: try values.decode([String].self, forKey: .suite),
      name: try values.decode(String.self, forKey: .name),
      argument: try values.decodeIfPresent(Argument.self, forKey: .argument))
  }

  /// The same test without its argument, as xunit files name it.
  package var function: TestCaseID {
    TestCaseID(module: module, suite: suite, name: name)
  }
}

extension TestCaseID: CustomStringConvertible {
  /// `Module.Suite/Inner/name`, the form that `swift test --filter` matches, with the argument if there is one.
  package var description: String {
    var text = module.isEmpty ? "" : module + "."
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

extension String {
  /// A name without the words by which Swift tells that a type is private or local: they have an address, which is another in
  /// each process.
  ///
  /// Source: `_buildNameForMetadata` in the runtime, https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/Demangle.cpp
  package var withoutUnknownContexts: String {
    guard utf8.contains(UInt8(ascii: "$")) else { return self }
    return replacing(/\(unknown context at \$[0-9a-f]+\)\.?/, with: "")
  }
}
