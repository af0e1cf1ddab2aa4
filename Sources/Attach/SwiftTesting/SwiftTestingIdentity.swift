import Collector
import Testing

extension TestCaseID {
  /// The identity of a test case of Swift Testing.
  init(_ test: Test, case testCase: Test.Case?) {
    let id = test.id
    let argument = testCase.flatMap { CaseArguments($0)?.description }
    var suite = id.nameComponents
    let name = suite.popLast() ?? test.name
    self.init(
      module: id.moduleName, suite: suite, name: name,
      argument: argument.map { Argument(description: $0) })
  }
}
