package struct TestCaseID: Hashable, Sendable, Decodable {
  package var module: String
  /// Enclosing suites, outermost first.
  package var suite: [String]
  /// As its framework prints it: `testOrder` in XCTest, `order(of:)` in Swift Testing.
  package var name: String
  /// At most one, in an array: of a million tests most have none.
  private var arguments: [Argument] = []

  package var argument: Argument? {
    get { arguments.first }
    set { arguments = newValue.map { [$0] } ?? [] }
  }

  package struct Argument: Hashable, Sendable, Decodable {
    /// How many earlier cases have the same description.
    package var ordinal: Int
    /// As Swift Testing prints them, joined by a comma and a space.
    package var description: String

    /// From 2.
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

  package var function: TestCaseID {
    TestCaseID(module: module, suite: suite, name: name)
  }
}

extension TestCaseID: CustomStringConvertible {
  /// `Module.Suite/Inner/name`, as `swift test --filter` matches it, and the argument.
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
  /// Without Swift's words for a private type, whose address each process changes.
  ///
  /// Source: `_buildNameForMetadata`,
  /// https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/Demangle.cpp
  package var withoutUnknownContexts: String {
    guard utf8.contains(UInt8(ascii: "$")) else { return self }
    return replacing(/\(unknown context at \$[0-9a-f]+\)\.?/, with: "")
  }
}
