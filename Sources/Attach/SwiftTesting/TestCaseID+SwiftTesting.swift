import Collector
import Testing

extension TestCaseID {
  /// The identity of a test case or suite of Swift Testing.
  ///
  /// `Test.ID` shows its parts only in its description, `Module.Suite/Inner/name()/File.swift:12:3`, in which the
  /// slashes of raw identifiers stand between backticks.
  init(_ test: Test, case testCase: Test.Case?) {
    let description = String(describing: test.id)
    let location =
      "/\(test.sourceLocation.fileName):\(test.sourceLocation.line):\(test.sourceLocation.column)"
    let path = description.hasSuffix(location) ? description.dropLast(location.count) : description[...]
    let module = path.prefix { $0 != "." }
    var names = RawIdentifiers.split(path.dropFirst(module.count + 1), at: "/").map(String.init)
    let name = names.popLast() ?? test.name
    let argument = testCase.flatMap { CaseArguments($0)?.description }
    self.init(
      module: String(module), suite: names, name: name,
      argument: argument.map { Argument(description: $0) })
  }
}
