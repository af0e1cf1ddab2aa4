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
    let path =
      description.hasSuffix(location)
      ? description[..<description.utf8.index(description.endIndex, offsetBy: -location.utf8.count)]
      : description[...]
    let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) ?? path.endIndex
    let module = path[..<dot]
    let rest = dot == path.endIndex ? path[dot...] : path[path.utf8.index(after: dot)...]
    var names = RawIdentifiers.split(rest, at: "/").map(String.init)
    let name = names.popLast() ?? test.name
    let argument = testCase.flatMap { CaseArguments($0)?.description }
    self.init(
      module: String(module), suite: names, name: name,
      argument: argument.map { Argument(description: $0) })
  }
}
