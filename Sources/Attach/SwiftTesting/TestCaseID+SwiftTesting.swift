import Collector
import Testing

extension TestCaseID {
  /// The identity of a test case or suite of Swift Testing.
  ///
  /// `Test.ID` shows its parts only in its description, `Module.Suite/Inner/name()/File.swift:12:3`, in which the
  /// slashes of raw identifiers stand between backticks.
  init(_ test: Test, case testCase: Test.Case?) {
    var names = RawIdentifiers.split(path(of: test), at: "/")
    let first = names.removeFirst()
    let dot = first.utf8.firstIndex(of: UInt8(ascii: ".")) ?? first.endIndex
    if dot != first.endIndex { names.insert(String(first[first.utf8.index(after: dot)...]), at: 0) }
    let name = names.popLast() ?? test.name
    let argument = testCase.flatMap { CaseArguments($0)?.description }
    self.init(
      module: String(first[..<dot]), suite: names, name: name,
      argument: argument.map { Argument(description: $0) })
  }
}

/// The description of a test's identity without the location, `/File.swift:12:3`, that a function's ends with.
private func path(of test: Test) -> String {
  let description = String(describing: test.id)
  guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return description }
  let last = description[slash...].utf8.dropFirst()
  let isLocation = last.starts(with: (test.sourceLocation.fileName + ":").utf8)
  return isLocation ? String(description[..<slash]) : description
}
