import Collector
import Testing

extension TestCaseID {
  /// The identity of a test case of Swift Testing.
  init(_ test: Test, case testCase: Test.Case?) {
    let id = test.id
    let argument = testCase.flatMap { CaseArguments($0)?.description }
    self.init(
      module: id.moduleName, suite: Array(id.nameComponents.dropLast()),
      name: id.nameComponents.last ?? test.name,
      argument: argument.map { Argument(description: $0) })
  }
}
