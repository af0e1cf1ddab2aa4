import Collector
import ExhibitSystem
import Testing

extension TestCaseID {
  /// While arguments describe themselves, the identity has none.
  init(_ test: Test, case testCase: Test.Case?) {
    let id = test.id
    let described = CaseArguments.areDescribed ? nil : testCase
    let argument = described.flatMap { CaseArguments($0)?.description }
    var suite = id.nameComponents
    let name = suite.popLast() ?? test.name
    self.init(
      module: id.moduleName, suite: suite, name: name,
      argument: argument.map { Argument(description: $0) })
  }

  init(numbering testCase: Test.Case, of test: Test) {
    self.init(test, case: testCase)
    guard argument != nil else { return }
    let function = self
    argument?.ordinal = CaseOrdinals.process.withLock { ordinals in
      var numbered = ordinals.take() ?? CaseOrdinals()
      defer { ordinals = numbered }
      return numbered.ordinal(of: function, testCase)
    }
  }
}

extension SourceLocation {
  /// The whole path of the file, which has no name for everybody before Swift 6.3.
  var path: String {
    #if compiler(>=6.3)
      filePath
    #else
      _filePath
    #endif
  }
}
