import Collector
import Testing

extension TestCaseID {
  /// The identity of a test case or suite of Swift Testing.
  ///
  /// `Test.ID` shows its parts only in its description, `Module.Suite/Inner/name()/File.swift:12:3`, in which the
  /// slashes of raw identifiers stand between backticks.
  init(_ test: Test, case testCase: Test.Case?) {
    let description = String(describing: test.id)
    let location = "/\(test.sourceLocation.fileName):\(test.sourceLocation.line):\(test.sourceLocation.column)"
    let path = description.hasSuffix(location) ? description.dropLast(location.count) : description[...]
    let module = path.prefix { $0 != "." }
    var names = RawIdentifiers.split(path.dropFirst(module.count + 1), at: "/").map(String.init)
    let name = names.popLast() ?? test.name
    let argument = testCase.flatMap(CaseArguments.init)
    self.init(
      module: String(module), suite: names, name: name,
      argument: argument.map { Argument(description: $0.description) })
  }
}

/// What a parameterised case was called with.
///
/// `Test.Case` shows no arguments publicly; this reads them through its mirror and finds none where a later
/// toolchain names them otherwise.
struct CaseArguments: Sendable, Equatable {
  /// The arguments as Swift Testing prints them.
  var description: String
  /// Tells cases with equal descriptions apart.
  var identity: String

  init?(_ testCase: Test.Case) {
    guard testCase.isParameterized, let kind = Mirror(reflecting: testCase).descendant("_kind"),
      let parameters = Mirror(reflecting: kind).children.first?.value
    else { return nil }
    let fields = Mirror(reflecting: parameters)
    guard let arguments = fields.descendant("arguments") else { return nil }
    let each = Mirror(reflecting: arguments).children.map { Mirror(reflecting: $0.value) }
    description = each.compactMap { $0.descendant("value") }.map { String(describingForTest: $0) }
      .joined(separator: ", ")
    identity = each.compactMap { $0.descendant("id") }.map { "\($0)" }.joined(separator: ",")
      + "#\(fields.descendant("discriminator") ?? 0)"
  }
}
